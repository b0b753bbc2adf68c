import { timingSafeEqual } from 'node:crypto';
import { CarryRefused } from '../refused.ts';

/**
 * Finds a cookie's value in the text that the backend sends: the value itself, or a Cookie header, which may have it in pieces
 * (`name.0`, `name.1`).
 */
export function cookieValue(token: string, name: string): string | undefined {
  const pieces = token
    .split(/;\s*/)
    .map((each) => [each.slice(0, each.indexOf('=')), each.slice(each.indexOf('=') + 1)] as const)
    .map(([key, value]) => [pieceOf(key, name), value] as const)
    .filter(([place]) => place !== undefined)
    .sort(([a = 0], [b = 0]) => a - b);
  return pieces.length === 0 ? undefined : pieces.map(([, value]) => value).join('');
}

function pieceOf(key: string, name: string): number | undefined {
  if (key === name) return 0;
  const number = key.startsWith(`${name}.`) ? key.slice(name.length + 1) : '';
  return /^\d{1,2}$/.test(number) ? Number(number) : undefined;
}

/** Decodes the escapes of browsers: `%3D`. @throws CarryRefused */
export function unescaped(value: string): string {
  try {
    return decodeURIComponent(value);
  } catch {
    throw new CarryRefused('not-a-token');
  }
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}

export type Fields = Readonly<Record<string, unknown>>;

/** A session whose data is in the cookie. Times in ms since the epoch. */
export interface CookieSession {
  readonly session: Fields;
  /** The signed or sealed part. */
  readonly fingerprint: string | Uint8Array;
  readonly issuedAt?: number;
  readonly expiresAt?: number;
}

/** @throws CarryRefused when the text is not a JSON object */
export function jsonFields(text: string | Uint8Array): Fields {
  try {
    const value: unknown = JSON.parse(typeof text === 'string' ? text : Buffer.from(text).toString('utf8'));
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Fields;
  } catch {
    // Refused below.
  }
  throw new CarryRefused('not-a-token');
}

/** Finds a value by its path. A name may contain dots: the longest name that exists counts. */
export function valueAt(from: unknown, way: string): unknown {
  if (typeof from !== 'object' || from === null) return undefined;
  if (Object.hasOwn(from, way)) return (from as Fields)[way];
  const steps = way.split('.');
  for (let length = steps.length - 1; length > 0; length--) {
    const name = steps.slice(0, length).join('.');
    if (Object.hasOwn(from, name)) return valueAt((from as Fields)[name], steps.slice(length).join('.'));
  }
  return undefined;
}

/** Reads s or ms since the epoch, or the text of a date. @returns ms */
export function momentAt(from: unknown, way: string | undefined): number | undefined {
  if (way === undefined) return undefined;
  const value = valueAt(from, way);
  if (value === undefined || value === null) return undefined;
  const at = typeof value === 'string' ? Date.parse(value) : Number(value);
  if (!Number.isFinite(at) || at < 0) throw new CarryRefused('malformed-time');
  return Math.floor(at < 1e11 && typeof value === 'number' ? at * 1000 : at);
}
