/** `--roles-from`: refused before anything is sent, if the file has no such field. */

import type { ConvertSource } from '../../../exports/convert/convert.ts';
import { findRoles } from '../../../exports/convert/roles/find-roles.ts';
import { rolesOption } from '../../../exports/convert/roles/roles.ts';
import { ExportFault } from '../../../exports/providers/provider.ts';
import { CommandError } from '../../command-error.ts';
import { plural, printable } from '../../output/format.ts';

const fieldsShown = 5;

/** @throws CommandError with the names of fields that may be meant */
export async function requireRolesField(source: ConvertSource, signal: AbortSignal): Promise<void> {
  const path = source.options[rolesOption];
  if (path === undefined) return;
  const { isFound, records, similar } = await findRoles(source, path, signal).catch((error: unknown) => {
    throw error instanceof ExportFault ? new CommandError(error.message) : error;
  });
  if (isFound) return;
  const names = similar.slice(0, fieldsShown).map(printable).join(', ');
  const instead =
    names === '' ? 'none of its fields is called like roles' : `fields that may be meant: ${names}`;
  throw new CommandError(
    `--roles-from ${printable(path)}: none of the first ${plural(records, 'record')} has this field; ${instead}`,
  );
}
