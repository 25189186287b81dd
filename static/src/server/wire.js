// The frames of vantage.v1, by which texts go to an encode server and vectors
// come back. docs/protocol.md describes them byte by byte; internal/server/wire is their
// side in Go, and both are held to the same golden frames.

import { parseJSON } from '../collection/bounds.js';
import { VantageError } from '../errors.js';

/** A frame that is not as the protocol says. */
export class WireError extends VantageError {
  static label = 'WireError';
  static code = 'wire';
}

export const PROTOCOL = 'vantage.v1';
export const ROLE = Object.freeze({ none: 0, query: 1, document: 2, root: 3, perspective: 4 });
export const DTYPE = Object.freeze({ f32: 1, f16: 2, int8: 3 });
export const CODE = Object.freeze({
  protocol: 1,
  too_large: 2,
  bad_request: 3,
  invalid_text: 4,
  overloaded: 5,
  rate_limited: 6,
  deadline: 7,
  unknown_request: 8,
  internal: 9,
  shutting_down: 10,
});
/** The index of a fault that ends a request. */
export const WHOLE_REQUEST = 0xffffffff;

const MAGIC = 0x56;
const VERSION = 1;
const HEADER = 16;
const TYPE = { hello: 0x01, encode: 0x02, cancel: 0x03, resume: 0x04, ack: 0x05, ping: 0x06 };

/** The WebSocket subprotocols to ask for; the key goes along as one of them. */
export function protocols(key) {
  if (key === undefined) return [PROTOCOL];
  const bytes = String.fromCharCode(...new TextEncoder().encode(key));
  return [PROTOCOL, `vantage.key.${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')}`];
}

/** begin makes a frame with a body of n zeros, to be filled. */
function begin(type, id, n) {
  const bytes = new Uint8Array(HEADER + n);
  const view = new DataView(bytes.buffer);
  bytes.set([MAGIC, VERSION, type]);
  view.setUint32(4, id, true);
  view.setUint32(12, n, true);
  return { bytes, view };
}

/** @param {Uint8Array} [token] of the session to resume, 16 bytes */
export function encodeHello(token) {
  const { bytes } = begin(TYPE.hello, 0, 16);
  if (token) bytes.set(token, HEADER);
  return bytes;
}

/** A request for the vectors of texts, which may be UTF-8 already; names of role and dtype as in ROLE and DTYPE. */
export function encodeTexts({ id, texts, role = 'query', dtype = 'f32', dimensions = 0, deadline = 0 }) {
  if (!(role in ROLE)) throw new WireError(`no role ${role}: there is ${Object.keys(ROLE).join(', ')}`);
  if (!(dtype in DTYPE)) throw new WireError(`no dtype ${dtype}: there is ${Object.keys(DTYPE).join(', ')}`);
  const encoder = new TextEncoder();
  const parts = texts.map((text) => (typeof text === 'string' ? encoder.encode(text) : text));
  const { bytes, view } = begin(TYPE.encode, id, 16 + parts.reduce((n, part) => n + 4 + part.length, 0));
  bytes.set([ROLE[role], DTYPE[dtype]], HEADER);
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

export const encodeCancel = (id) => begin(TYPE.cancel, id, 0).bytes;

export const encodeAck = (id) => begin(TYPE.ack, id, 0).bytes;

/** @param {Iterable<number>} have the texts whose answers have arrived */
export function encodeResume(id, count, have) {
  const { bytes, view } = begin(TYPE.resume, id, 4 + Math.ceil(count / 8));
  view.setUint32(16, count, true);
  for (const i of have) bytes[20 + (i >> 3)] |= 1 << (i & 7);
  return bytes;
}

/** @param {Uint8Array} nonce 8 bytes */
export function encodePing(nonce) {
  const { bytes } = begin(TYPE.ping, 0, 8);
  bytes.set(nonce, HEADER);
  return bytes;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function text(buffer, at) {
  try {
    return utf8.decode(new Uint8Array(buffer, at));
  } catch {
    throw new WireError('a frame holds bytes that are not UTF-8');
  }
}

function json(source) {
  let value;
  try {
    value = parseJSON(source, 'WELCOME');
  } catch {
    /* refused below */
  }
  if (value === null || typeof value !== 'object' || Array.isArray(value)) {
    throw new WireError('WELCOME holds no JSON object');
  }
  return value;
}

const COMPONENTS = { 1: Float32Array, 2: Uint16Array, 3: Int8Array };

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

function fault(buffer, view) {
  if (view.getUint16(18, true) !== 0) throw new WireError('FAULT: bytes that must be 0 are not');
  return { code: view.getUint16(16, true), retry: view.getUint32(20, true), message: text(buffer, 24) };
}

// What each type may hold: the flag it knows, whether id and index have a
// meaning, the least length of its body, and whether that is its length.
const LAYOUT = {
  0x81: {
    type: 'welcome',
    flag: 'resumed',
    least: 16,
    body: (buffer) => ({ token: new Uint8Array(buffer, 16, 16), facts: json(text(buffer, 32)) }),
  },
  0x82: { type: 'vector', flag: 'truncated', id: true, index: true, least: 16, body: vector },
  0x83: { type: 'fault', id: true, index: true, least: 8, body: fault },
  0x84: {
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
  0x86: { type: 'pong', least: 8, exact: true, body: (buffer) => ({ nonce: new Uint8Array(buffer, 16, 8) }) },
  0x87: { type: 'goodbye', least: 4, exact: true, body: (_, view) => ({ retry: view.getUint32(16, true) }) },
};

/**
 * Reads a frame of the server. What it returns lies where the message lies:
 * nothing is copied.
 * @param {ArrayBuffer} buffer a message of a WebSocket with binaryType 'arraybuffer'
 */
export function decode(buffer) {
  if (!(buffer instanceof ArrayBuffer) || buffer.byteLength < HEADER) throw new WireError('a message that is no frame');
  const view = new DataView(buffer);
  if (view.getUint8(0) !== MAGIC || view.getUint8(1) !== VERSION) {
    throw new WireError(`a message that is no frame of ${PROTOCOL}`);
  }
  const layout = LAYOUT[view.getUint8(2)];
  if (!layout) throw new WireError(`a frame of unknown type ${view.getUint8(2)}`);
  const name = layout.type.toUpperCase();
  const flags = view.getUint8(3);
  const [id, index, length] = [4, 8, 12].map((at) => view.getUint32(at, true));
  if (length !== buffer.byteLength - HEADER) {
    throw new WireError(`${name}: a length of ${length} with ${buffer.byteLength - HEADER} bytes`);
  }
  if (flags > (layout.flag ? 1 : 0)) throw new WireError(`${name}: flags ${flags} have no meaning`);
  if ((!layout.id && id !== 0) || (!layout.index && index !== 0)) {
    throw new WireError(`${name}: id ${id} and index ${index} have no meaning`);
  }
  if (length < layout.least || (layout.exact && length !== layout.least)) {
    throw new WireError(`${name}: a body of ${length} bytes, it takes ${layout.least}`);
  }
  const frame = { type: layout.type };
  if (layout.id) frame.id = id;
  if (layout.index) frame.index = index;
  if (layout.flag) frame[layout.flag] = flags === 1;
  return Object.assign(frame, layout.body(buffer, view));
}

/** half is the value of a binary16. */
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

/** The vector of a frame as Float32Array: of f32 the message's own bytes, else new ones. */
export function floats({ dtype, scale, components }) {
  if (dtype === DTYPE.f32) return components;
  return dtype === DTYPE.f16
    ? Float32Array.from(components, half)
    : Float32Array.from(components, (value) => value * scale);
}
