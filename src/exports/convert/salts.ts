/** Salts that a record has in a field of its own, apart from its hash. */

import { textOf } from '../providers/parts/fields.ts';
import type { ConversionReject, SourceRow } from '../providers/provider.ts';

/** `salt`, `password_salt`, `members_pass_salt`, `PasswordSalt`. */
const saltName = /salt$/i;

/** The name of the field of `row` that has a salt, undefined where none has. */
export function saltIn(row: SourceRow): string | undefined {
  return Object.keys(row).find((name) => saltName.test(name) && textOf(row[name]) !== undefined);
}

/** The reason without advice that holds only for a hash without a salt, where the record has a salt. */
export function withSalt({ ifSalted, ...reason }: ConversionReject, row: SourceRow): ConversionReject {
  const salt = ifSalted === undefined ? undefined : saltIn(row);
  if (salt === undefined) return reason;
  const message = `${ifSalted ?? ''}, and the record has a salt in ${salt}: how the two are put together is not known, so that no kind verifies it (docs/reference/hashes.md)`;
  return { ...reason, message };
}
