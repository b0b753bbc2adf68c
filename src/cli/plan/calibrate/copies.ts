import type { NativeLoginMethod, NativeUser } from '../../../imports/record/native-record.ts';
import { lineBytesLimit } from '../../../domain/line-limit.ts';

/**
 * More users of the same kind: lines of native records, repeated endlessly with different ids and addresses, so that a file of 50
 * users gives a steady rate too. Lengths hardly change.
 */
export interface Copies {
  /** A piece of whole lines, the next ones each time. */
  next(): Uint8Array;
}

const digits = 10;
const linesAtOnce = 500;
/** Represents the number of a copy: the text of a record never contains it, because JSON writes it as an escape. */
const mark = '\u0001';
const writtenMark = '\\u0001';

/** @param lines of native records; invalid ones are left out @returns undefined without a record */
export function copiesOf(lines: readonly string[]): Copies | undefined {
  const templates = lines.map(templateOf).filter((template) => template !== undefined);
  if (templates.length === 0) return undefined;
  let count = 0;
  const line = (): string => {
    const template = templates[count % templates.length] ?? [''];
    count += 1;
    return template.join(String(count).padStart(digits, '0'));
  };
  return { next: () => Buffer.from(`${Array.from({ length: linesAtOnce }, line).join('\n')}\n`) };
}

/** The pieces of a line between the positions of the number. */
function templateOf(line: string): string[] | undefined {
  const record = recordOf(line);
  if (record === undefined || line.length > lineBytesLimit / 2 || line.includes(writtenMark))
    return undefined;
  const { externalUserId, loginMethods } = record;
  const copy = {
    ...record,
    ...(externalUserId !== undefined && { externalUserId: numbered(externalUserId, 0) }),
    loginMethods: loginMethods.map(renamed),
  };
  return JSON.stringify(copy).split(writtenMark);
}

/** @param place distinguishes the methods of one record */
function renamed(method: NativeLoginMethod, place: number): NativeLoginMethod {
  const email = method.email === undefined ? {} : { email: otherAddress(method.email, place) };
  if (method.recipeId === 'thirdparty')
    return { ...method, ...email, thirdPartyUserId: numbered(method.thirdPartyUserId, place) };
  // E.164: at most 15 digits.
  if (method.recipeId === 'passwordless' && method.phoneNumber !== undefined)
    return { ...method, ...email, phoneNumber: `+99${place % 10}${mark}` };
  return { ...method, ...email };
}

/** The number replaces the end. */
function numbered(text: string, place: number): string {
  return `${text.slice(0, Math.max(1, text.length - digits - 1))}${place % 10}${mark}`;
}

function otherAddress(email: string, place: number): string {
  const at = email.indexOf('@');
  return at <= 0 ? email : `${numbered(email.slice(0, at), place)}${email.slice(at)}`;
}

function recordOf(line: string): NativeUser | undefined {
  try {
    const value: unknown = JSON.parse(line);
    const isRecord = typeof value === 'object' && value !== null && 'loginMethods' in value;
    return isRecord && Array.isArray(value.loginMethods) ? (value as NativeUser) : undefined;
  } catch {
    return undefined;
  }
}
