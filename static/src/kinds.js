// The classes of errors by the kinds of faults.

import {
  InputError,
  IntegrityError,
  InternalError,
  LimitError,
  QueryError,
  UnavailableError,
  UnsupportedError,
  VersionError,
} from './errors.js';

/** The class of each kind. */
export const CLASSES = Object.freeze({
  input: InputError,
  query: QueryError,
  limit: LimitError,
  integrity: IntegrityError,
  version: VersionError,
  unsupported: UnsupportedError,
  unavailable: UnavailableError,
  internal: InternalError,
});
