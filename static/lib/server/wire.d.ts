// Types of wire.js, the frames of an encode server's stream (docs/protocol.md).
import { VantageError } from '../index.js';

export class WireError extends VantageError {}
export const PROTOCOL: 'vantage.v1';
export type Role = 'none' | 'query' | 'document' | 'root' | 'perspective';
export type DType = 'f32' | 'f16' | 'int8';
export const ROLE: Readonly<Record<Role, number>>;
export const DTYPE: Readonly<{ f32: 1; f16: 2; int8: 3 }>;
export const CODE: Readonly<
  Record<
    | 'protocol'
    | 'too_large'
    | 'bad_request'
    | 'invalid_text'
    | 'overloaded'
    | 'rate_limited'
    | 'deadline'
    | 'unknown_request'
    | 'internal'
    | 'shutting_down',
    number
  >
>;
export const WHOLE_REQUEST: number;

export interface VectorFrame {
  type: 'vector';
  id: number;
  index: number;
  truncated: boolean;
  tokens: number;
  dtype: number;
  scale: number;
  /** Where the message lies: Float32Array, binary16 as Uint16Array, or Int8Array to be multiplied by scale. */
  components: Float32Array | Uint16Array | Int8Array;
}

export type ServerFrame =
  | VectorFrame
  | { type: 'welcome'; resumed: boolean; token: Uint8Array; facts: Record<string, unknown> }
  | { type: 'fault'; id: number; index: number; code: number; retry: number; message: string }
  | { type: 'done'; id: number; vectors: number; faults: number; tokens: number }
  | { type: 'pong'; nonce: Uint8Array }
  | { type: 'goodbye'; retry: number };

export function protocols(key?: string): string[];
export function encodeHello(token?: Uint8Array): Uint8Array;
export function encodeTexts(request: {
  id: number;
  texts: readonly (string | Uint8Array)[];
  role?: Role;
  dtype?: DType;
  dimensions?: number;
  deadline?: number;
}): Uint8Array;
export function encodeCancel(id: number): Uint8Array;
export function encodeAck(id: number): Uint8Array;
export function encodeResume(id: number, count: number, have: Iterable<number>): Uint8Array;
export function encodePing(nonce: Uint8Array): Uint8Array;
export function decode(buffer: ArrayBuffer): ServerFrame;
export function floats(frame: Pick<VectorFrame, 'dtype' | 'scale' | 'components'>): Float32Array;
