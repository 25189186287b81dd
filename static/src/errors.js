// The errors of the library: a class for each kind of fault (docs/faults.md, from
// internal/wasm/fault), and subclasses for faults that pages may handle differently.

export class VantageError extends Error {
  /**
   * @param {string} message what happened, the limit if there is one, the remedy
   * @param {object} [details] further properties of the error (url, file, ...)
   */
  constructor(message, details = {}) {
    super(message);
    Object.assign(this, details);
  }
  get name() {
    return /** @type {typeof VantageError} */ (this.constructor).label;
  }
  get code() {
    return /** @type {typeof VantageError} */ (this.constructor).code;
  }
  /** What a caller can do about it. */
  get kind() {
    let type = /** @type {typeof VantageError} */ (this.constructor);
    for (let base = type; base !== VantageError; base = Object.getPrototypeOf(base)) type = base;
    return /** @type {import('../lib/index.d.ts').FaultKind} */ (type === VantageError ? 'internal' : type.code);
  }
  static label = 'VantageError';
  static code = 'error';
}

/** A file, a text or a setting cannot be used as it is. */
export class InputError extends VantageError {
  static label = 'InputError';
  static code = 'input';
}

export class QueryError extends VantageError {
  static label = 'QueryError';
  static code = 'query';
}

export class LimitError extends VantageError {
  static label = 'LimitError';
  static code = 'limit';
}

/** A file that the manifest names is missing, or has another length or SHA-256. */
export class IntegrityError extends VantageError {
  static label = 'IntegrityError';
  static code = 'integrity';
}

/** The collection or the core is of a version that this library cannot read. */
export class VersionError extends VantageError {
  static label = 'VersionError';
  static code = 'version';
}

export class UnsupportedError extends VantageError {
  static label = 'UnsupportedError';
  static code = 'unsupported';
}

export class UnavailableError extends VantageError {
  static label = 'UnavailableError';
  static code = 'unavailable';
}

/** A fault of the library's own. */
export class InternalError extends VantageError {
  static label = 'InternalError';
  static code = 'internal';
}

/** A file or an answer is malformed, such as a file of a collection that has the promised hash all the same. */
export class FormatError extends InputError {
  static label = 'FormatError';
  static code = 'format';
}

/** The collection on the host is another one than when it was opened, and a file of the old one is gone. */
export class OutdatedError extends IntegrityError {
  static label = 'OutdatedError';
  static code = 'outdated';
}

/** The encoder does not reproduce the canary vectors of the collection. */
export class EncoderMismatchError extends IntegrityError {
  static label = 'EncoderMismatchError';
  static code = 'encoder-mismatch';
}

/**
 * A file could not be fetched: host down, CORS refused, a status other than 2xx. A file of a collection that is missing
 * is an IntegrityError, a missing manifest an InputError.
 */
export class NetworkError extends UnavailableError {
  static label = 'NetworkError';
  static code = 'network';
}

/** The browser refuses to store, or nothing was saved under the name. */
export class StorageError extends UnavailableError {
  static label = 'StorageError';
  static code = 'storage';
}

/** The collection was closed. */
export class ClosedError extends UnavailableError {
  static label = 'ClosedError';
  static code = 'closed';
}

/** The engine crashed and was discarded; a new one answers later calls. */
export class LostInstanceError extends InternalError {
  static label = 'LostInstanceError';
  static code = 'lost';
}
