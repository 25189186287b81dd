// The frames of vantage.v1, by which texts go to an encode server and vectors come back.
// docs/protocol.md describes them byte by byte, and internal/server/wire implements them
// in Go. Both are tested with the same golden frames.

import { parseJSON } from '../collection/bounds.js';
import { DTYPE, FRAME, KEY_PROTOCOL, PROTOCOL, ROLE, WIRE_HEADER, WIRE_VERSION } from '../constants.js';
import { IntegrityError } from '../errors.js';

/** A frame violates the protocol. */
export class WireError extends IntegrityError {
  static label = 'WireError';
  static code = 'wire';
}

/**
 * @typedef {keyof typeof ROLE} Role
 * @typedef {keyof typeof DTYPE} DType
 */

/**
 * @typedef {object} VectorFrame
 * @property {'vector'} type
 * @property {number} id
 * @property {number} index
 * @property {boolean} truncated
 * @property {number} tokens
 * @property {number} dtype
 * @property {number} scale
 * @property {Float32Array|Uint16Array|Int8Array} components views of the message's bytes: float32, binary16, or 8
 *   bits to be multiplied by scale
 */

/**
 * @typedef {{type: 'welcome', resumed: boolean, token: Uint8Array, facts: {[name: string]: unknown}}} WelcomeFrame
 * @typedef {{type: 'fault', id: number, index: number, code: number, retry: number, message: string}} FaultFrame
 * @typedef {{type: 'done', id: number, vectors: number, faults: number, tokens: number}} DoneFrame
 * @typedef {{type: 'pong', nonce: Uint8Array}} PongFrame
 * @typedef {{type: 'goodbye', retry: number}} GoodbyeFrame
 * @typedef {WelcomeFrame|VectorFrame|FaultFrame|DoneFrame|PongFrame|GoodbyeFrame} Frame of a server
 */

/**
 * @typedef {object} TextsRequest
 * @property {number} id
 * @property {readonly (string|Uint8Array)[]} texts
 * @property {Role} [role]
 * @property {DType} [dtype]
 * @property {number} [dimensions]
 * @property {number} [deadline] milliseconds
 */

const MAGIC = 0x56;

/**
 * The WebSocket subprotocols to ask for. The key is one of them.
 * @param {string} [key]
 */
export function protocols(key) {
  if (key === undefined) return [PROTOCOL];
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return [PROTOCOL, `${KEY_PROTOCOL}${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`];
}

/**
 * begin makes a frame with a body of n zeros, to be filled.
 * @param {number} type
 * @param {number} id
 * @param {number} n
 */
function begin(type, id, n) {
  const bytes = new Uint8Array(WIRE_HEADER + n);
  const view = new DataView(bytes.buffer);
  bytes.set([MAGIC, WIRE_VERSION, type]);
  view.setUint32(4, id, true);
  view.setUint32(12, n, true);
  return { bytes, view };
}

/** @param {Uint8Array} [token] of the session to resume, 16 bytes */
export function encodeHello(token) {
  const { bytes } = begin(FRAME.hello, 0, 16);
  if (token) bytes.set(token, WIRE_HEADER);
  return bytes;
}

/**
 * A request for the vectors of texts, which may be UTF-8 already; names of role and dtype as in ROLE and DTYPE.
 * @param {TextsRequest} request
 */
export function encodeTexts({ id, texts, role = 'query', dtype = 'f32', dimensions = 0, deadline = 0 }) {
  if (!(role in ROLE)) throw new WireError(`no role ${role}: there is ${Object.keys(ROLE).join(', ')}`);
  if (!(dtype in DTYPE)) throw new WireError(`no dtype ${dtype}: there is ${Object.keys(DTYPE).join(', ')}`);
  const encoder = new TextEncoder();
  const parts = texts.map((text) => (typeof text === 'string' ? encoder.encode(text) : text));
  const { bytes, view } = begin(FRAME.encode, id, 16 + parts.reduce((n, part) => n + 4 + part.length, 0));
  bytes.set([ROLE[role], DTYPE[dtype]], WIRE_HEADER);
  view.setUint32(20, parts.length, true);
  view.setUint32(24, dimensions, true);
  view.setUint32(28, deadline, true);
  let at = 32 + 4 * parts.length;
  parts.forEach((part, i) => {
    view.setUint32(32 + 4 * i, part.length, true);
    bytes.set(part, at);
    at += part.length;
  });
  return bytes;
}

export const encodeCancel = (/** @type {number} */ id) => begin(FRAME.cancel, id, 0).bytes;

export const encodeAck = (/** @type {number} */ id) => begin(FRAME.ack, id, 0).bytes;

/**
 * @param {number} id
 * @param {number} count
 * @param {Iterable<number>} have the texts whose answers have arrived
 */
export function encodeResume(id, count, have) {
  const { bytes, view } = begin(FRAME.resume, id, 4 + Math.ceil(count / 8));
  view.setUint32(16, count, true);
  for (const i of have) bytes[20 + (i >> 3)] |= 1 << (i & 7);
  return bytes;
}

/** @param {Uint8Array} nonce 8 bytes */
export function encodePing(nonce) {
  const { bytes } = begin(FRAME.ping, 0, 8);
  bytes.set(nonce, WIRE_HEADER);
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/**
 * @param {ArrayBuffer} buffer
 * @param {number} at
 */
function text(buffer, at) {
  try {
    return utf8.decode(new Uint8Array(buffer, at));
  } catch {
    throw new WireError('a frame has bytes that are not UTF-8');
  }
}

/**
 * @param {string} source
 * @returns {{[name: string]: unknown}}
 */
function json(source) {
  let value;
  try {
    value = parseJSON(source, 'WELCOME');
  } catch {
    /* refused below */
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new WireError('WELCOME has no JSON object');
  }
  return value;
}

/** @type {{[dtype: number]: Float32ArrayConstructor|Uint16ArrayConstructor|Int8ArrayConstructor}} */
const COMPONENTS = { [DTYPE.f32]: Float32Array, [DTYPE.f16]: Uint16Array, [DTYPE.int8]: Int8Array };

/**
 * @param {ArrayBuffer} buffer
 * @param {DataView} view
 */
function vector(buffer, view) {
  const dim = view.getUint32(16, true);
  const scale = view.getFloat32(20, true);
  const dtype = view.getUint8(28);
  const Components = COMPONENTS[dtype];
  if (!Components || view.getUint32(28, true) !== dtype) throw new WireError(`VECTOR of an unknown dtype ${dtype}`);
  if (32 + dim * Components.BYTES_PER_ELEMENT !== buffer.byteLength) {
    throw new WireError(`VECTOR: ${dim} components in a payload of ${buffer.byteLength - 32} bytes`);
  }
  if (!(scale >= 0 && scale < Infinity) || (dtype !== DTYPE.int8 && scale !== 1)) {
    throw new WireError(`VECTOR with a scale of ${scale}`);
  }
  return { tokens: view.getUint32(24, true), dtype, scale, components: new Components(buffer, 32, dim) };
}

/**
 * @param {ArrayBuffer} buffer
 * @param {DataView} view
 */
function fault(buffer, view) {
  if (view.getUint16(18, true) !== 0) throw new WireError('FAULT: bytes that must be 0 are not');
  return { code: view.getUint16(16, true), retry: view.getUint32(20, true), message: text(buffer, 24) };
}

/**
 * The parts of a type of frame.
 * @typedef {object} Layout
 * @property {string} type
 * @property {string} [flag] that it may have
 * @property {boolean} [id] has a meaning
 * @property {boolean} [index] has a meaning
 * @property {number} least length of its body
 * @property {boolean} [exact] whether it has exactly this length
 * @property {(buffer: ArrayBuffer, view: DataView) => object} body
 */

/** @type {{[type: number]: Layout}} */
const LAYOUT = {
  [FRAME.welcome]: {
    type: 'welcome',
    flag: 'resumed',
    least: 16,
    body: (buffer) => ({ token: new Uint8Array(buffer, 16, 16), facts: json(text(buffer, 32)) }),
  },
  [FRAME.vector]: { type: 'vector', flag: 'truncated', id: true, index: true, least: 16, body: vector },
  [FRAME.fault]: { type: 'fault', id: true, index: true, least: 8, body: fault },
  [FRAME.done]: {
    type: 'done',
    id: true,
    least: 12,
    exact: true,
    body: (_, view) => ({
      vectors: view.getUint32(16, true),
      faults: view.getUint32(20, true),
      tokens: view.getUint32(24, true),
    }),
  },
  [FRAME.pong]: { type: 'pong', least: 8, exact: true, body: (buffer) => ({ nonce: new Uint8Array(buffer, 16, 8) }) },
  [FRAME.goodbye]: { type: 'goodbye', least: 4, exact: true, body: (_, view) => ({ retry: view.getUint32(16, true) }) },
};

/**
 * Reads a frame of the server. The result refers to the message's bytes and copies
 * nothing.
 * @param {ArrayBuffer} buffer a message of a WebSocket with binaryType 'arraybuffer'
 * @returns {Frame}
 */
export function decode(buffer) {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < WIRE_HEADER) {
    throw new WireError('a message that is not a frame');
  }
  const view = new DataView(buffer);
  if (view.getUint8(0) !== MAGIC || view.getUint8(1) !== WIRE_VERSION) {
    throw new WireError(`a message that is not a frame of ${PROTOCOL}`);
  }
  const layout = LAYOUT[view.getUint8(2)];
  if (!layout) throw new WireError(`a frame of unknown type ${view.getUint8(2)}`);
  const name = layout.type.toUpperCase();
  const flags = view.getUint8(3);
  const [id, index, length] = [4, 8, 12].map((at) => view.getUint32(at, true));
  if (length !== buffer.byteLength - WIRE_HEADER) {
    throw new WireError(`${name}: a length of ${length} with ${buffer.byteLength - WIRE_HEADER} bytes`);
  }
  if (flags > (layout.flag ? 1 : 0)) throw new WireError(`${name}: flags ${flags} have no meaning`);
  if ((!layout.id && id !== 0) || (!layout.index && index !== 0)) {
    throw new WireError(`${name}: id ${id} and index ${index} have no meaning`);
  }
  if (length < layout.least || (layout.exact && length !== layout.least)) {
    throw new WireError(`${name}: a body of ${length} bytes, expected ${layout.least}`);
  }
  return /** @type {Frame} */ ({
    type: layout.type,
    ...(layout.id && { id }),
    ...(layout.index && { index }),
    ...(layout.flag && { [layout.flag]: flags === 1 }),
    ...layout.body(buffer, view),
  });
}

/**
 * half is the value of a binary16.
 * @param {number} bits
 */
function half(bits) {
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  const magnitude =
    exponent === 0
      ? fraction * 2 ** -24
      : exponent === 31
        ? fraction
          ? NaN
          : Infinity
        : (1 + fraction / 1024) * 2 ** (exponent - 15);
  return bits & 0x8000 ? -magnitude : magnitude;
}

/**
 * The vector of a frame as Float32Array: a view of the message if it is f32, otherwise
 * a new array.
 * @param {Pick<VectorFrame, 'dtype'|'scale'|'components'>} frame
 * @returns {Float32Array}
 */
export function floats({ dtype, scale, components }) {
  if (dtype === DTYPE.f32) return /** @type {Float32Array} */ (components);
  return dtype === DTYPE.f16
    ? Float32Array.from(components, half)
    : Float32Array.from(components, (value) => value * scale);
}
