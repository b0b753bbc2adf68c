/** What belongs to a user in an old system besides the row: other addresses, and accounts at providers such as Google. */

import type { WrittenAddress, WrittenLogin, WrittenUser } from '../../providers/database.ts';
import { isOwn } from './login-pair.ts';
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

type Parts = Pick<WrittenUser, 'passwordHash' | 'logins' | 'otherAddresses'>;

/** @returns what the tables have no place for, whatever their rows are */
export function withoutPlace(table: UserTable, user: Parts): readonly LeftOut[] {
  const { passwordHash, logins = [], otherAddresses = [] } = user;
  const isPlaced = (login: WrittenLogin) =>
    (table.logins ?? table.loginDocuments) !== undefined || loginColumnOf(table, login) !== undefined;
  const unplaced = logins.filter((each) => !isPlaced(each));
  const inPair = table.loginPair !== undefined && !isOwn(table.loginPair, user) ? 1 : 0;
  return [
    ...(passwordHash !== undefined && !table.hasPasswords ? (['PASSWORD'] as const) : []),
    ...unplaced.slice(inPair).map(() => 'LOGIN' as const),
    ...(table.addresses?.writes.isPrimary === undefined ? otherAddresses.map(() => 'EMAIL' as const) : []),
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
  const { logins, loginPair } = rows;
  if (column === undefined && logins !== undefined) return rows.attempt(() => logins.add(key, login));
  const cells = await (column === undefined
    ? loginPair?.added(key, login)
    : inColumn(rows, key, column, login));
  if (cells === undefined) return false;
  return rows.attempt(async () => {
    await rows.update(key, Object.entries(cells));
    return true;
  });
}

/** As LoginPair.added. */
async function inColumn(rows: Rows, key: string, column: string, { userId }: WrittenLogin) {
  const there = await rows.read(key, column);
  if (there !== '') return there === userId ? {} : undefined;
  return { [column]: userId };
}

async function addAddress(rows: Rows, key: string, address: WrittenAddress): Promise<boolean> {
  const { addresses } = rows;
  if (addresses === undefined || (await rows.isShownByAnother(address.email, key))) return false;
  return rows.attempt(() => addresses.add(key, address));
}

/** Of a user who has the account here no longer: it would open theirs. */
export async function removeLogin(rows: Rows, key: string, login: WrittenLogin): Promise<void> {
  const column = rows.loginColumn(login);
  const { logins, loginPair } = rows;
  if (column !== undefined) {
    if ((await rows.read(key, column)) === login.userId) await rows.update(key, [[column, undefined]]);
    return;
  }
  await logins?.remove(key, login);
  if ((await loginPair?.has(key, login)) === true)
    await rows.update(
      key,
      (loginPair?.columns ?? []).map((each) => [each, undefined] as const),
    );
}
