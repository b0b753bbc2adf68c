/** The core's own record, one a line: all other formats are converted to it. */

import type { NativeLoginMethod } from '../../imports/record/native-record.ts';
import { valueOf } from '../fields/declare.ts';
import { objectsOf, textOf } from './parts/fields.ts';
import { hashPassword } from './parts/hash-strings.ts';
import { countryOption, deletedOption, rejected, withoutPasswordOption } from './parts/person.ts';
import { convertValues } from './provider.ts';
import type { Conversion, ConvertOptions, Provider, Related, Sample, SourceRow } from './provider.ts';
import { convertFlat, flatFields, flatRowFields, isFlat, isWhole, recordOf } from './native-flat-row.ts';

export const native: Provider = {
  name: 'native',
  title: 'carryover (native records)',
  about:
    'Lines as POST /bulk-import/jobs takes them. They are passed on; the core checks them. In CSV each row is one user whose columns are called like the fields of the record (externalUserId, email, passwordHash, isVerified, isDisabled and so on); --map maps the columns of a table of your own to them.',
  wayBack: undefined,
  options: [withoutPasswordOption, deletedOption, countryOption],
  fields: flatFields,
  tables: [
    {
      name: 'users',
      places: [{ format: 'ndjson' }, { format: 'json', path: [] }, { format: 'csv' }],
      fields: flatRowFields,
      idOf: (row) => valueOf(row, flatRowFields.externalUserId),
    },
  ],
  recognises,
  whole: { is: isWhole, convert: convertNative },
  convert: convertValues(flatRowFields, (row, related, options) =>
    row.methods === undefined ? convertFlat(row, options) : convertNative(recordOf(row), related, options),
  ),
};

function recognises(sample: Sample): number {
  const { first, root } = sample;
  if (isFlat(sample)) return 8;
  return Array.isArray(first.loginMethods) && (root === 'array' || root.length === 0) ? 9 : 0;
}

/** The record without its nulls, which some writers use for absent values. */
export function convertNative(row: SourceRow, _related: Related, options: ConvertOptions): Conversion {
  const externalUserId = textOf(row.externalUserId);
  const loginMethods = objectsOf(row.loginMethods).map((method) => withKind(withoutNulls(method), options));
  if (loginMethods.length === 0)
    return rejected({
      code: 'MISSING_FIELD',
      field: 'loginMethods',
      message: 'it must be an array with at least one login method',
      externalUserId,
    });
  // The core checks every field of it against its schema.
  const methods = loginMethods as unknown as readonly NativeLoginMethod[];
  return { ok: true, user: { ...withoutNulls(row), loginMethods: methods } };
}

/** The named kind for hashes which do not show theirs. */
function withKind(method: SourceRow, { 'hash-as': kind }: ConvertOptions): SourceRow {
  const hash = textOf(method.passwordHash);
  if (kind === undefined || hash === undefined || method.hashingAlgorithm !== undefined) return method;
  const found = hashPassword('passwordHash', hash);
  return found !== undefined && 'reject' in found ? { ...method, hashingAlgorithm: kind } : method;
}

function withoutNulls(row: SourceRow): SourceRow {
  // Most records have none, and can be used unchanged.
  if (!Object.values(row).includes(null)) return row;
  return Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null));
}
