// Every fault the library reports, one class each, so that a page can tell a
// broken network from a broken file from a question without an answer.

/** Base of all errors of this library; `code` is stable, `message` is not. */
export class VantageError extends Error {
  /**
   * @param {string} message what happened, the limit if there is one, the remedy
   * @param {object} [details] own properties of the error (url, file, ...)
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
  static label = 'VantageError';
  static code = 'error';
}

/** A file could not be fetched: host down, CORS refused, status not 2xx. */
export class NetworkError extends VantageError {
  static label = 'NetworkError';
  static code = 'network';
}

/** A file arrived, but its length or SHA-256 is not the manifest's. */
export class IntegrityError extends VantageError {
  static label = 'IntegrityError';
  static code = 'integrity';
}

/** A file is what the manifest promised, yet malformed. */
export class FormatError extends VantageError {
  static label = 'FormatError';
  static code = 'format';
}

/** The collection or the core is of a version that this library cannot read. */
export class VersionError extends VantageError {
  static label = 'VersionError';
  static code = 'version';
}

/** The encoder does not reproduce the canary vectors of the collection. */
export class EncoderMismatchError extends VantageError {
  static label = 'EncoderMismatchError';
  static code = 'encoder-mismatch';
}

/** The query has no defined answer: unknown method, missing root, q parallel to p. */
export class QueryError extends VantageError {
  static label = 'QueryError';
  static code = 'query';
}

/** A stated limit is exceeded, memory included. */
export class LimitError extends VantageError {
  static label = 'LimitError';
  static code = 'limit';
}

/** The browser lacks something the library needs, or a file is of an unsupported kind. */
export class UnsupportedError extends VantageError {
  static label = 'UnsupportedError';
  static code = 'unsupported';
}

/** The browser refuses to store, or nothing was saved under the name. */
export class StorageError extends VantageError {
  static label = 'StorageError';
  static code = 'storage';
}

/** An encoder of the page's cannot be reached now; it may be later. */
export class UnavailableError extends VantageError {
  static label = 'UnavailableError';
  static code = 'unavailable';
}

/** The engine crashed and was discarded; another is started for later calls. */
export class LostInstanceError extends VantageError {
  static label = 'LostInstanceError';
  static code = 'lost';
}

/** The collection was closed. */
export class ClosedError extends VantageError {
  static label = 'ClosedError';
  static code = 'closed';
}
