/** Parses bodies of requests that are too large for the event loop. */

import { isUtf8 } from 'node:buffer';
import type { Reject } from '../src/imports/model.ts';
import type { NativeUser } from '../src/imports/record/native-record.ts';
import { marked, type RecordMarks } from '../src/imports/queue/marked.ts';
import { JsonScanner } from '../src/exports/readers/json-scanner.ts';
import { listUnder } from '../src/exports/readers/list-path.ts';
import { parseRecord } from '../src/imports/record/parse-record.ts';
import { plainPasswords } from '../src/imports/parse/sought-keys.ts';
import { repeatedKeys } from '../src/imports/queue/repeated.ts';
import { tracesOf } from '../src/imports/queue/traces.ts';
import { Refusal } from '../src/domain/errors.ts';
import { alteredWhy, fieldPath, parseJson, placeOfAltered } from '../src/domain/json-text.ts';
import { invalid } from '../src/imports/record/problem.ts';
import { lineBytesLimit, lineTooLong } from '../src/domain/line-limit.ts';
import { bodyForm } from '../src/schema/forms.ts';
import { inBody } from '../src/schema/validate.ts';
import type {
  BodyTask,
  PlainPassword,
  ReadBody,
  ReadUsers,
  RefusedBody,
  UsersTask,
} from '../src/imports/tasks.ts';

/** For bodies of all routes but the list of users: the result is copied to the event loop, about 30 ms of work. */
const valuesLimit = 100_000;
/** Bytes of a list of users outside of the records. */
const outsideBytesLimit = 64 * 1024;

export function readBody({ name, schema, bytes }: BodyTask): ReadBody | RefusedBody {
  return refusing(() => {
    const { value, ...text } = parseJson(textOf(bytes), valuesLimit);
    return { input: bodyForm(name, schema).parse(value, text) };
  });
}

/** `{"users":[…]}`: each user's record on a separate line, or the faults of some. */
export function readUsers({ bytes, rules, mostUsers }: UsersTask): ReadUsers | RefusedBody {
  return refusing(() => {
    if (!isUtf8(bytes)) throw new Refusal('INVALID_JSON_INPUT');
    const { spans, marks } = spansOfUsers(bytes, mostUsers);
    const lines: Uint8Array[] = [];
    const rejects: Reject[] = [];
    const traces: string[] = [];
    const repeated: (string | null)[] = [];
    const repeatedOf = repeatedKeys();
    const passwords: PlainPassword[] = [];
    for (const [place, { from, to }] of spans.entries()) {
      const line = place + 1;
      if (to - from > lineBytesLimit) {
        rejects.push({ line, ...lineTooLong });
        continue;
      }
      const read = parseJson(textOf(bytes.subarray(from, to)));
      const value = marked(read.value, marks);
      const text = JSON.stringify(value);
      const result = parseRecord(text, rules);
      const altered = read.altered ? placeOfAltered(read.value) : undefined;
      if (!result.ok) rejects.push({ ...result.reject, line });
      else if (altered !== undefined) rejects.push({ ...invalid(fieldPath(altered), alteredWhy), line });
      if (rejects.length > 0) continue;
      lines.push(Buffer.from(text));
      traces.push(tracesOf(value as NativeUser).join(','));
      repeated.push(repeatedOf(value as NativeUser) ?? null);
      if (rules.allowPlainText)
        passwords.push(...plainPasswords({ type: 'passwords', records: [{ record: place, line, text }] }));
    }
    return rejects.length > 0
      ? { ...joined([]), rejects, traces: [], repeated: [], passwords: [] }
      : { ...joined(lines), rejects, traces, repeated, passwords };
  });
}

interface Span {
  readonly from: number;
  readonly to: number;
}

interface FoundUsers {
  readonly spans: readonly Span[];
  /** From the body, for all of them. */
  readonly marks: RecordMarks;
}

/** @throws Refusal for too many users, or an invalid body */
function spansOfUsers(bytes: Uint8Array<ArrayBuffer>, mostUsers: number): FoundUsers {
  const spans: Span[] = [];
  let from = -1;
  let to = 0;
  const scanner = new JsonScanner(listUnder(['users']), {
    add(part) {
      if (from < 0) from = part.byteOffset - bytes.byteOffset;
      to = part.byteOffset - bytes.byteOffset + part.length;
    },
    end() {
      spans.push({ from, to });
      from = -1;
    },
  });
  // In pieces, so that reading stops when the list is too long.
  for (let at = 0; at < bytes.length && spans.length <= mostUsers; at += pieceBytes)
    scanner.push(bytes.subarray(at, at + pieceBytes));
  if (spans.length > mostUsers) throw tooMany(mostUsers);
  if (scanner.end() !== undefined)
    throw new Refusal('INVALID_JSON_INPUT', `Invalid Json Input: ${scanner.fault ?? ''}`);
  return { spans, marks: marksOutside(bytes, spans) };
}

const pieceBytes = 64 * 1024;

/** The rest of the body must be a JSON object with one such list. */
function marksOutside(bytes: Uint8Array, spans: readonly Span[]): RecordMarks {
  const { from: start } = spans[0] ?? { from: bytes.length };
  const { to: end } = spans.at(-1) ?? { to: bytes.length };
  if (start + bytes.length - end > outsideBytesLimit)
    throw invalidUsers('a list of users, and little else, is wanted');
  for (const [place, { from }] of spans.entries()) {
    const before = spans[place - 1];
    if (before && !/^\s*,\s*$/.test(textOf(bytes.subarray(before.to, from))))
      throw invalidUsers('it is there twice');
  }
  const { value, ...text } = parseJson(textOf(bytes.subarray(0, start)) + textOf(bytes.subarray(end)));
  const { users, ...marks } = inBody.addBulkUsers.parse(value, text);
  if (users.length > 0) throw invalidUsers('it is there twice');
  return marks;
}

function invalidUsers(why: string): Refusal {
  return new Refusal('INVALID_FIELD', `Field name 'users' is invalid in JSON input: ${why}`);
}

function tooMany(mostUsers: number): Refusal {
  return invalidUsers(`You can only add ${mostUsers} users at a time.`);
}

function joined(lines: readonly Uint8Array[]): Pick<ReadUsers, 'text' | 'ends'> {
  const ends = new Uint32Array(lines.length);
  let length = 0;
  for (const [place, line] of lines.entries()) ends[place] = length += line.length;
  const text = new Uint8Array(length);
  for (const [place, line] of lines.entries()) text.set(line, (ends[place] ?? 0) - line.length);
  return { text, ends };
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

function textOf(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes);
  } catch {
    throw new Refusal('INVALID_JSON_INPUT');
  }
}

/** An error loses its class on the way out of a thread. */
function refusing<Result>(read: () => Result): Result | RefusedBody {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { refusal: { code: error.code, message: error.message } };
  }
}
