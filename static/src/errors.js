// Every fault the library reports, one class each, so that a page can tell a
// broken network from a broken file from a question without an answer.
// What each of them says is in index.d.ts.

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

export class NetworkError extends VantageError {
  static label = 'NetworkError';
  static code = 'network';
}

export class IntegrityError extends VantageError {
  static label = 'IntegrityError';
  static code = 'integrity';
}

export class FormatError extends VantageError {
  static label = 'FormatError';
  static code = 'format';
}

export class VersionError extends VantageError {
  static label = 'VersionError';
  static code = 'version';
}

export class EncoderMismatchError extends VantageError {
  static label = 'EncoderMismatchError';
  static code = 'encoder-mismatch';
}

export class QueryError extends VantageError {
  static label = 'QueryError';
  static code = 'query';
}

export class LimitError extends VantageError {
  static label = 'LimitError';
  static code = 'limit';
}

export class UnsupportedError extends VantageError {
  static label = 'UnsupportedError';
  static code = 'unsupported';
}

export class StorageError extends VantageError {
  static label = 'StorageError';
  static code = 'storage';
}

export class UnavailableError extends VantageError {
  static label = 'UnavailableError';
  static code = 'unavailable';
}

export class LostInstanceError extends VantageError {
  static label = 'LostInstanceError';
  static code = 'lost';
}

export class ClosedError extends VantageError {
  static label = 'ClosedError';
  static code = 'closed';
}
