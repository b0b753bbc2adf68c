/** Columns that say yes or no by a flag, or by having a time. */

import { flagOf, textOf, timeOf } from './fields.ts';

/** A flag, or whether there is a time: `deleted_at`. Absent is false. undefined for anything else. */
export function truthOf(value: unknown): boolean | undefined {
  const flag = flagOf(value);
  if (flag !== undefined) return flag;
  if (isAbsent(value)) return false;
  return timeOf(value) === undefined ? undefined : true;
}

/** Zero dates, too. */
function isAbsent(value: unknown): boolean {
  if (value === undefined || value === null) return true;
  if (typeof value !== 'string') return false;
  const text = textOf(value);
  return text === undefined || /^(?:0000-00-00.*|null|\(null\)|none|nil)$/i.test(text);
}
