import { rejectCodes, type RejectCode } from '../model.ts';
import type { RecordReject } from '../record/parse-record.ts';

/**
 * A line that replaces a record which the sender cannot convert: `{"rejected":{"code":…,"field":…,"message":…}}`. It is counted
 * and listed with the others, so that the core's lists have all records of the source.
 */
const beginning = '{"rejected":{"code":"';

const codes: ReadonlySet<string> = new Set(rejectCodes);
const longest = { field: 256, message: 1000, id: 128 } as const;

/** @returns undefined for a line that states no reject, or in another form */
export function statedReject(text: string, prefix = ''): RecordReject | undefined {
  if (!text.startsWith(beginning)) return undefined;
  const { code, field, message, externalUserId, isGone } = rejectedIn(text);
  if (!isCode(code) || !isText(field, longest.field) || !isText(message, longest.message)) return undefined;
  const id =
    isText(externalUserId, longest.id) && externalUserId !== '' ? prefix + externalUserId : undefined;
  return { code, field, message, externalUserId: id, isStated: true, ...(isGone === true && { isGone }) };
}

function rejectedIn(text: string): Readonly<Record<string, unknown>> {
  try {
    return (JSON.parse(text) as { readonly rejected: Record<string, unknown> }).rejected;
  } catch {
    return {};
  }
}

function isCode(value: unknown): value is RejectCode {
  return typeof value === 'string' && codes.has(value);
}

/** What PostgreSQL can store. */
function isText(value: unknown, length: number): value is string {
  return typeof value === 'string' && value.length <= length && value.isWellFormed() && !value.includes('\0');
}

/** @returns the line that states the reject */
export function lineOfReject({ code, field, message, externalUserId, isGone }: RecordReject): string {
  const rejected = {
    code,
    field: cut(field, longest.field),
    message: cut(message, longest.message),
    externalUserId,
    isGone,
  };
  return JSON.stringify({ rejected });
}

function cut(text: string, length: number): string {
  return text.replaceAll('\0', '').slice(0, length).toWellFormed();
}
