/** Rows of a table of one's own whose columns are called like the fields of the native record. */

import { hashKindNamed } from '../../../hashes/registry.ts';
import { rolesIn } from '../../convert/roles/roles.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { orAbsent, unparsable } from '../../fields/parsed.ts';
import { type DateOrder, orderOf, parseMoment, parseUntil } from '../../fields/times.ts';
import { firstText, objectOf, phoneOf, textOf } from '../parts/fields.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { rejected, unsupportedHash, type FoundPassword } from '../parts/person.ts';
import { type Disabled, disabledIf, disabledUntil } from '../parts/sign-in-state.ts';
import { truthOf } from '../parts/truth.ts';
import type { Conversion, ConvertOptions, Sample, SourceRow } from '../provider.ts';

/** What `--map` may map a column to. */
export const flatFields: readonly string[] = [
  ...['externalUserId', 'email', 'passwordHash', 'hashingAlgorithm', 'plainTextPassword'],
  ...['isVerified', 'phoneNumber', 'timeJoinedInMSSinceEpoch'],
  ...['isDisabled', 'bannedUntil', 'disabledUntil', 'deleted', 'userRoles', 'userMetadata'],
];

/** One user of one row; other columns are left out. */
export function convertFlat(row: SourceRow, options: ConvertOptions): Conversion {
  const id = firstText(row, 'externalUserId', 'id');
  const phone = textOf(row.phoneNumber);
  const order = orderOf(options);
  if (phone !== undefined && phoneOf(phone) === undefined)
    return rejected({
      code: 'INVALID_FIELD',
      field: 'phoneNumber',
      message: 'it must be a number with its country, such as +4915112345678',
      externalUserId: id,
    });
  const person = {
    id,
    email: textOf(row.email),
    isEmailVerified: truthOf(row.isVerified),
    phone: phoneOf(phone),
    password: passwordOf(row),
    timeJoined: orAbsent(parseMoment(row.timeJoinedInMSSinceEpoch, order)),
    metadata: { ...objectOf(row.userMetadata) },
    roles: rolesIn(row.userRoles),
    isDisabled: disabledIf(
      ...[guardOf(row.isDisabled), lockOf(row.bannedUntil, order), lockOf(row.disabledUntil, order)],
    ),
    deleted: guardOf(row.deleted) === true ? 'by the column that deleted is mapped to' : undefined,
  };
  return convertAddressed(person, 'email', options);
}

/** What cannot be read as a flag or a time keeps the user out. undefined where the row has no such column. */
function guardOf(value: unknown): boolean | undefined {
  return value === undefined ? undefined : (truthOf(value) ?? true);
}

/** Until a time that is still to come; what cannot be read keeps the user out. */
function lockOf(value: unknown, order: DateOrder | undefined): Disabled {
  if (value === undefined) return undefined;
  const until = parseUntil(value, order);
  return until === undefined || until === unparsable ? guardOf(value) : disabledUntil(until);
}

function passwordOf(row: SourceRow): FoundPassword | undefined {
  const [hash, name] = [textOf(row.passwordHash), textOf(row.hashingAlgorithm)];
  if (hash !== undefined) return hashedPassword(hash, name);
  const plainText = row.plainTextPassword;
  return typeof plainText === 'string' && plainText !== '' ? { plainText } : undefined;
}

function hashedPassword(hash: string, name: string | undefined): FoundPassword | undefined {
  const kind = name === undefined ? undefined : hashKindNamed(name);
  const isUnknown = name !== undefined && kind === undefined;
  return isUnknown ? unsupportedHash('hashingAlgorithm', name) : hashPassword('passwordHash', hash, kind);
}

/** Whether the columns are those of such rows. */
export function isFlat({ format, columns }: Sample): boolean {
  return (
    format === 'csv' &&
    columns.includes('email') &&
    (columns.includes('passwordHash') || columns.includes('externalUserId'))
  );
}
