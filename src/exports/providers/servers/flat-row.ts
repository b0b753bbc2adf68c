/** Rows of a table of one's own whose columns are called like the fields of the native record. */

import { hashKindNamed } from '../../../hashes/registry.ts';
import { convertAddressed } from '../parts/addresses.ts';
import { firstText, flagOf, objectOf, phoneOf, textOf, timeOf } from '../parts/fields.ts';
import { hashPassword } from '../parts/hash-strings.ts';
import { rejected, unsupportedHash, type FoundPassword } from '../parts/person.ts';
import type { Conversion, ConvertOptions, Sample, SourceRow } from '../provider.ts';

/** One user of one row; other columns are left out. */
export function convertFlat(row: SourceRow, options: ConvertOptions): Conversion {
  const id = firstText(row, 'externalUserId', 'id');
  const phone = textOf(row.phoneNumber);
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
    isEmailVerified: flagOf(row.isVerified),
    phone: phoneOf(phone),
    password: passwordOf(row),
    timeJoined: timeOf(row.timeJoinedInMSSinceEpoch),
    metadata: { ...objectOf(row.userMetadata) },
    isDisabled: flagOf(row.isDisabled),
  };
  return convertAddressed(person, 'email', options);
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
