/** The core's own record, one a line: what everything else is converted to. */

import type { NativeLoginMethod } from '../../../imports/record/native-record.ts';
import { objectsOf, textOf } from '../parts/fields.ts';
import { rejected } from '../parts/person.ts';
import type { Conversion, Provider, Sample, SourceRow } from '../provider.ts';

export const native: Provider = {
  name: 'native',
  title: 'carryover (native records)',
  about: 'Lines as POST /bulk-import/jobs takes them. They are passed on; the core checks them.',
  tables: [
    {
      name: 'users',
      places: [{ format: 'ndjson' }, { format: 'json', path: [] }],
      idOf: (row) => textOf(row.externalUserId),
    },
  ],
  recognises: ({ first, root }: Sample) =>
    Array.isArray(first.loginMethods) && (root === 'array' || root.length === 0) ? 9 : 0,
  convert: convertNative,
};

/** The record without its nulls, which some writers put where nothing is said. */
export function convertNative(row: SourceRow): Conversion {
  const externalUserId = textOf(row.externalUserId);
  const loginMethods = objectsOf(row.loginMethods).map(withoutNulls);
  if (loginMethods.length === 0)
    return rejected({
      code: 'MISSING_FIELD',
      field: 'loginMethods',
      message: 'it must be an array with at least one login method',
      externalUserId,
    });
  // Held against the schema by the core, every field of it.
  const methods = loginMethods as unknown as readonly NativeLoginMethod[];
  return { ok: true, user: { ...withoutNulls(row), loginMethods: methods } };
}

function withoutNulls(row: SourceRow): SourceRow {
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
