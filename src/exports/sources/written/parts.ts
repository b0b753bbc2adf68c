/** What belongs to a user in an old system besides the row: other addresses, and accounts at providers such as Google. */

import type { WrittenAddress, WrittenLogin, WrittenUser } from '../../providers/database.ts';
import type { Rows } from './rows.ts';
import { loginColumnOf, type UserTable } from './table.ts';

/** Why something of a user is not in the old system. */
export type LeftOut =
  /** It cannot verify the password: the user must set one. */
  | 'PASSWORD'
  /** Its row has room for one email. */
  | 'EMAIL'
  /** An account at a provider such as Google: it has no place for it, or another user has it. */
  | 'LOGIN'
  /** A phone number. */
  | 'PHONE'
  /** Metadata, roles, restrictions or second factors. */
  | 'DETAILS'
  /** The user has two rows there. */
  | 'LINKED';

/** @returns what the tables have no place for, whatever their rows are */
export function withoutPlace(
  table: UserTable,
  { logins = [], otherAddresses = [] }: Pick<WrittenUser, 'logins' | 'otherAddresses'>,
): readonly LeftOut[] {
  const isPlaced = (login: WrittenLogin) =>
    table.logins !== undefined || loginColumnOf(table, login) !== undefined;
  return [
    ...logins.filter((each) => !isPlaced(each)).map(() => 'LOGIN' as const),
    ...(table.addresses === undefined ? otherAddresses.map(() => 'EMAIL' as const) : []),
  ];
}

/** Adds what is not there. @returns what there is no place for */
export async function addParts(
  rows: Rows,
  key: string,
  { logins = [], otherAddresses = [] }: Pick<WrittenUser, 'logins' | 'otherAddresses'>,
): Promise<readonly LeftOut[]> {
  const leftOut: LeftOut[] = [];
  for (const each of logins) if (!(await addLogin(rows, key, each))) leftOut.push('LOGIN');
  for (const each of otherAddresses) if (!(await addAddress(rows, key, each))) leftOut.push('EMAIL');
  return leftOut;
}

async function addLogin(rows: Rows, key: string, login: WrittenLogin): Promise<boolean> {
  const column = rows.loginColumn(login);
  if (column === undefined) return rows.attempt(async () => (await rows.logins?.add(key, login)) === true);
  const there = await rows.read(key, column);
  if (there !== '') return there === login.userId;
  return rows.attempt(async () => {
    await rows.update(key, [[column, login.userId]]);
    return true;
  });
}

async function addAddress(rows: Rows, key: string, address: WrittenAddress): Promise<boolean> {
  const { addresses } = rows;
  if (addresses === undefined || (await rows.isShownByAnother(address.email, key))) return false;
  return rows.attempt(async () => {
    await addresses.add(key, address);
    return true;
  });
}

/** Of a user who has the account here no longer: it would open theirs. */
export async function removeLogin(rows: Rows, key: string, login: WrittenLogin): Promise<void> {
  const column = rows.loginColumn(login);
  if (column === undefined) await rows.logins?.remove(key, login);
  else if ((await rows.read(key, column)) === login.userId) await rows.update(key, [[column, undefined]]);
}
