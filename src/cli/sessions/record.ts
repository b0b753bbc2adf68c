import { createHash } from 'node:crypto';
import { lineBytesLimit } from '../../domain/line-limit.ts';
import type { Reject } from '../../imports/model.ts';
import { lineTooLong } from '../input/lines.ts';

/** A token of an old system, in the form that a core accepts. Times in ms since the epoch. */
export interface SessionRecord {
  readonly userId: string;
  readonly tokenSha256: string;
  readonly expiresAt: number;
  readonly issuedAt?: number;
}

export type ReadLine = { readonly record: SessionRecord } | { readonly reject: Reject };

const fields = ['kind', 'userId', 'tokenSha256', 'token', 'expiresAt', 'issuedAt'];
const longestId = 128;
/** The last moment of the year 9999. */
const lastMoment = 253_402_300_799_999;
const date = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})$/;

/** A fault that only the file's author can correct; the message repeats nothing of the value. */
class Fault extends Error {
  readonly field: string;
  readonly code: Reject['code'];

  constructor(field: string, message: string, code: Reject['code'] = 'INVALID_FIELD') {
    super(message);
    this.field = field;
    this.code = code;
  }
}

type Fields = Readonly<Record<string, unknown>>;

/** One line of a file of tokens. A token in clear text is digested here, and is not passed on. */
export function readLine(bytes: Uint8Array, line: number): ReadLine {
  if (bytes.length > lineBytesLimit) return { reject: lineTooLong(line) };
  try {
    return { record: recordOf(fieldsOf(bytes)) };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    return { reject: { line, code: error.code, field: error.field, message: error.message } };
  }
}

function fieldsOf(bytes: Uint8Array): Fields {
  const value = parsed(bytes);
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw new Fault(
      '',
      'The line must hold one JSON object, with userId, tokenSha256 and expiresAt',
      'INVALID_JSON',
    );
  return value as Fields;
}

function parsed(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new Fault('', 'The line is no JSON in UTF-8', 'INVALID_JSON');
  }
}

function recordOf(written: Fields): SessionRecord {
  const unknown = Object.keys(written).find((key) => !fields.includes(key));
  if (unknown !== undefined)
    throw new Fault(
      unknown.slice(0, 64),
      `The record may hold ${fields.join(', ')} only: take the field out, or correct its name`,
    );
  if ((written.kind ?? 'session') !== 'session')
    throw new Fault('kind', "'kind' must be session, or left out");
  const issuedAt = momentOf(written, 'issuedAt');
  return {
    userId: userIdOf(written),
    tokenSha256: digestOf(written),
    expiresAt: momentOf(written, 'expiresAt') ?? missing('expiresAt', 'when the token ends'),
    ...(issuedAt !== undefined && { issuedAt }),
  };
}

function userIdOf({ userId }: Fields): string {
  const id = userId ?? missing('userId', "the user's id at the old system");
  if (typeof id === 'string' && id !== '' && id.length <= longestId && !id.includes('\0')) return id;
  throw new Fault('userId', `'userId' must be text of 1 to ${longestId} characters`);
}

function digestOf({ token, tokenSha256 }: Fields): string {
  if (token != null && tokenSha256 != null)
    throw new Fault('token', "'token' and 'tokenSha256' are both there: keep one");
  if (token != null) return digestOfToken(token);
  const digest =
    tokenSha256 ?? missing('tokenSha256', "the token's SHA-256 in hexadecimal, or the token as token");
  if (typeof digest === 'string' && /^[\da-f]{64}$/i.test(digest)) return digest.toLowerCase();
  throw new Fault(
    'tokenSha256',
    "'tokenSha256' must be 64 hexadecimal digits: the SHA-256 of what will be sent as token",
  );
}

function digestOfToken(token: unknown): string {
  if (typeof token !== 'string' || token === '')
    throw new Fault('token', "'token' must be text that is not empty");
  return createHash('sha256').update(token).digest('hex');
}

/** ms since the epoch, or a date with its time and zone. */
function momentOf(written: Fields, field: string): number | undefined {
  const value = written[field] ?? undefined;
  if (value === undefined) return undefined;
  const at = typeof value === 'string' && date.test(value) ? Date.parse(value) : value;
  if (Number.isInteger(at) && Number(at) >= 0 && Number(at) <= lastMoment) return Number(at);
  throw new Fault(field, `'${field}' must be ms since 1970, or a date such as 2030-01-31T12:00:00Z`);
}

function missing(field: string, what: string): never {
  throw new Fault(field, `'${field}' is missing: give ${what}`, 'MISSING_FIELD');
}
