/** The account of a user at a provider such as Google, in two columns of the user's row, as OmniAuth's guide has it. */

import type { WrittenLogin, WrittenUser } from '../../providers/database.ts';
import type { WritingEngine } from '../engines/engine.ts';
import { textOf } from './cells.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface PairTable extends OwnTable {
  readonly columns: { readonly provider: string; readonly userId: string };
  /** Names of providers as the rows have them, by ours. */
  readonly spellings: ReadonlyMap<string, string>;
  /** The provider in rows of users with a password; undefined: they have none. */
  readonly own: string | undefined;
}

/** Whether a user who has nothing there yet signs in with the password: then there is no room for an account. */
export function isOwn({ own }: PairTable, { passwordHash, logins = [] }: PairUser): boolean {
  return own !== undefined && (passwordHash !== undefined || logins.length === 0);
}

type PairUser = Pick<WrittenUser, 'passwordHash' | 'logins'>;
type Cells = Readonly<Record<string, string>>;

export class LoginPair {
  readonly #rows: OwnRows;
  readonly #table: PairTable;

  constructor(engine: WritingEngine, table: PairTable) {
    this.#rows = new OwnRows(engine, table);
    this.#table = table;
  }

  /** Columns of the row of a new user. */
  newRow(user: WrittenUser): Cells {
    const { columns, own } = this.#table;
    return own !== undefined && isOwn(this.#table, user)
      ? { [columns.provider]: own, [columns.userId]: user.email }
      : {};
  }

  /** What changes with the email. @param key of the user */
  async newEmail(key: string, email: string): Promise<Cells> {
    const { columns, own } = this.#table;
    if (own === undefined || (await this.#of(key)).provider !== own) return {};
    return { [columns.userId]: email };
  }

  /** @returns what the row needs to have the account: nothing if it has it; undefined: there is no room, or another user has it */
  async added(key: string, login: WrittenLogin): Promise<Cells | undefined> {
    if (await this.has(key, login)) return {};
    const cells = this.#cellsOf(login);
    const isFree = (await this.#of(key)).userId === '';
    return isFree && (await this.#rows.holderOf(cells)) === undefined ? cells : undefined;
  }

  async has(key: string, login: WrittenLogin): Promise<boolean> {
    const { provider, userId } = await this.#of(key);
    return provider === this.#providerOf(login) && userId === login.userId;
  }

  get columns(): readonly string[] {
    return Object.values(this.#table.columns);
  }

  /** Empty for null. */
  async #of(key: string): Promise<Readonly<Record<'provider' | 'userId', string>>> {
    const { provider, userId } = this.#table.columns;
    const row = await this.#rows.find(key, [provider, userId], {});
    return { provider: textOf(row?.[provider]), userId: textOf(row?.[userId]) };
  }

  #providerOf({ provider }: WrittenLogin): string {
    return this.#table.spellings.get(provider) ?? provider;
  }

  #cellsOf(login: WrittenLogin): Cells {
    const { columns } = this.#table;
    return { [columns.provider]: this.#providerOf(login), [columns.userId]: login.userId };
  }
}
