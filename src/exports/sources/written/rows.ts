/** Rows of the table of users of an old system, read and changed. */

import { createHash } from 'node:crypto';
import type {
  Cell,
  ColumnName,
  WrittenAddress,
  WrittenHashes,
  WrittenLogin,
  WrittenUser,
  WrittenUsers,
} from '../../providers/database.ts';
import type { SourceRow } from '../../providers/provider.ts';
import type { Statement } from '../engines/engine.ts';
import { RowRefused } from '../fault.ts';
import { Addresses } from './addresses.ts';
import { folded, isTrue, parameterOf, textOf } from './cells.ts';
import { EmailAccount } from './email-account.ts';
import { EmailRows } from './email-rows.ts';
import { FurtherRows } from './further.ts';
import type { EmailHolders } from './holders.ts';
import { LoginDocuments } from './login-documents.ts';
import { LoginPair } from './login-pair.ts';
import { Logins } from './logins.ts';
import { OwnRows } from './own-rows.ts';
import { Passwords } from './passwords.ts';
import { emailIn, emailShown, loginColumnOf, type UserTable } from './table.ts';

export type Assignment = readonly [column: ColumnName, cell: Cell];

export interface FoundRow {
  readonly key: string;
  /** As imports take it, from whichever column has it. */
  readonly email: string;
  /** Those that another user must not have, in small letters: a name stands for the email of a row without one. */
  readonly emails: readonly string[];
  readonly username: string;
  readonly password: string;
  readonly isVerified: boolean;
  /** Whether the email can be written into the row: a document may have none. */
  readonly hasPlace: boolean;
  /** Marked as removed. */
  readonly isRemoved: boolean;
}

/** `name`: what people sign in with, or the email in a system without; as it is written. */
type By = 'key' | 'name';

/** The statements for one row. */
export class Rows {
  readonly writes: WrittenUsers;
  readonly addresses: Addresses | undefined;
  readonly logins: Logins | LoginDocuments | undefined;
  readonly loginPair: LoginPair | undefined;
  readonly #emailAccount: EmailAccount | undefined;
  /** Of the table of users itself. */
  readonly #own: OwnRows;
  readonly #passwords: Passwords | undefined;
  readonly #emailRows: readonly EmailRows[];
  readonly #further: readonly FurtherRows[];
  readonly #table: UserTable;
  readonly #holders: EmailHolders;
  readonly #now: Date;

  /** @param holders of the emails of the user @param now ms since the epoch */
  constructor(table: UserTable, holders: EmailHolders, now: number) {
    this.#table = table;
    this.#holders = holders;
    this.writes = table.writes;
    this.#now = new Date(now);
    this.#own = new OwnRows(table.engine, { ...table, userKey: table.key, newKey: undefined });
    this.addresses = table.addresses && new Addresses(table.engine, table.addresses, this.#now);
    this.#emailRows = table.emailRows.map((each) => new EmailRows(table.engine, each, this.#now));
    this.logins =
      (table.logins && new Logins(table.engine, table.logins, this.#now)) ??
      (table.loginDocuments && new LoginDocuments(table.engine, table.loginDocuments, this.#now));
    this.loginPair = table.loginPair && new LoginPair(table.engine, table.loginPair);
    this.#emailAccount = table.emailAccount && new EmailAccount(table.engine, table.emailAccount, this.#now);
    this.#passwords = table.passwords && new Passwords(table.engine, table.passwords, this.#now);
    this.#further = table.further.map((each) => new FurtherRows(table.engine, each));
  }

  /** Whether there is a place for passwords. */
  get hasPasswords(): boolean {
    return this.#table.hasPasswords;
  }

  /** None can be verified where there is no place for it. */
  get hashes(): WrittenHashes {
    const { hashes } = this.writes;
    return this.hasPasswords ? hashes : { ...hashes, there: () => undefined };
  }

  /** Locked until the transaction ends. */
  async find(by: By, value: string): Promise<FoundRow | undefined> {
    const { engine, key, named, mayBeKey } = this.#table;
    const { quote, keyed } = engine.dialect;
    const { email, password, verified, removal, username } = this.writes;
    const shown = named(email) === undefined ? [] : [`${emailIn(this.#table)} as ${quote(emailShown)}`];
    if (by === 'key' && !mayBeKey(value)) return undefined;
    const wanted = [password, verified?.column, removal?.column, username?.column]
      .flatMap((column) => (column === undefined ? [] : (named(column) ?? [])))
      .map(quote);
    const selected = [`${quote(key)} as ${quote('_key')}`, ...shown, ...wanted];
    const { condition, parameters } = this.#where(by, value);
    const text = keyed(`select ${selected.join(', ')} from ${this.#name} where ${condition} for update`);
    const [found] = await engine.rows({ text, parameters });
    return found && this.#asRow(found.key, found.row);
  }

  #where(
    by: By,
    value: string,
  ): { readonly condition: string; readonly parameters: Statement['parameters'] } {
    const { engine, key, hasIntegerKey, username, realm } = this.#table;
    const { quote, parameter } = engine.dialect;
    const column = by === 'key' ? key : (username ?? this.writes.email);
    const condition = `${quote(column)} = ${parameter(1)}`;
    const sought = by === 'key' && hasIntegerKey ? BigInt(value) : value;
    if (realm === undefined) return { condition, parameters: [sought] };
    const within = `${quote(realm.column)} = ${parameter(2)}`;
    return { condition: `${condition} and ${within}`, parameters: [sought, realm.value] };
  }

  /** Those that have the email still, of the rows that had it when the emails of all users were looked up. */
  async withEmail(email: string): Promise<readonly FoundRow[]> {
    const found: FoundRow[] = [];
    for (const key of this.#holders.keysOf(email)) {
      const row = await this.find('key', key);
      if (row?.emails.includes(folded(email)) === true) found.push(row);
    }
    return found;
  }

  /** Whether another user has shown that the address is theirs. @param key undefined: of a user who has no row */
  async isShownByAnother(email: string, key: string | undefined): Promise<boolean> {
    for (const other of this.#holders.keysOfAddress(email)) {
      if (other === key) continue;
      const addresses = (await this.addresses?.of(other)) ?? [];
      if (addresses.some((each) => each.isVerified && folded(each.email) === folded(email))) return true;
    }
    return false;
  }

  async #asRow(key: string, row: SourceRow): Promise<FoundRow> {
    const cell = (column: ColumnName = '') => row[this.#table.named(column) ?? ''];
    const username = textOf(cell(this.#table.username));
    const addresses = (await this.addresses?.of(key)) ?? [];
    const listed = addresses.find(({ isPrimary }) => isPrimary) ?? addresses[0];
    const own = textOf(row[emailShown]);
    const email = own !== '' ? own : (listed?.email ?? (username.includes('@') ? username : ''));
    return {
      key,
      email,
      emails: [email, ...(own === '' ? [username] : [])].map(folded),
      username,
      password:
        this.#passwords === undefined ? textOf(cell(this.writes.password)) : await this.#passwords.of(key),
      isVerified:
        addresses.some((each) => each.isVerified && folded(each.email) === folded(email)) ||
        this.#isProved(cell(this.writes.verified?.column)),
      hasPlace: own !== '' || this.writes.emailKey === undefined,
      isRemoved: this.#isMarkedRemoved(cell(this.writes.removal?.column)),
    };
  }

  #isProved(proof: unknown): boolean {
    return this.writes.verified?.mark === 'flag' ? isTrue(proof) : textOf(proof) !== '';
  }

  #isMarkedRemoved(mark: unknown): boolean {
    return this.writes.removal?.mark === 'time' ? textOf(mark) !== '' : mark !== undefined && !isTrue(mark);
  }

  /**
   * A new row, with what belongs to it.
   * @param hash as it is there @param seed of its key, if the app makes keys
   */
  async insert(user: WrittenUser, hash: string, seed: string): Promise<FoundRow> {
    const { email, isVerified } = user;
    const { username: nameColumn, key: keyColumn, realm } = this.#table;
    const username = nameColumn === undefined ? undefined : await this.#freeName(email);
    const key = this.#table.newKey?.(seed);
    const values = this.#there([
      ...(key === undefined ? [] : [[keyColumn, key] as const]),
      ...(realm === undefined ? [] : [[realm.column, realm.value] as const]),
      ...this.#newRow(user, hash),
      [nameColumn, username],
    ]);
    const { quote } = this.#table.engine.dialect;
    const [texts, parameters] = this.#values(values);
    const names = values.map(([column]) => quote(column)).join(', ');
    await this.#table.engine.change({
      text: `insert into ${this.#name} (${names}) values (${texts.join(', ')})`,
      parameters,
    });
    const made = await (key === undefined ? this.find('name', username ?? email) : this.find('key', key));
    if (made === undefined) throw new Error('a row that was made is not there');
    await this.#passwords?.set(made.key, hash);
    await this.addresses?.set(made.key, { email, isVerified, former: [] });
    await this.#emailAccount?.add(made.key, user);
    await this.setEmailRows(made.key, email, { former: [], isNew: true });
    for (const each of this.#further) await each.addNew(made.key, user);
    this.#holders.add(email, made.key);
    return made;
  }

  #newRow(
    user: WrittenUser,
    hash: string,
  ): readonly (readonly [column: ColumnName | undefined, cell: Cell])[] {
    const { writes } = this;
    return [
      ...this.#table.likeMost,
      ...Object.entries(writes.newRow(user)),
      ...this.emailCells(user.email),
      ...this.#ownPassword(hash),
      ...Object.entries(this.loginPair?.newRow(user) ?? {}),
      [writes.verified?.column, this.#proof(user.isVerified)],
      [writes.updatedAt, this.#now],
    ];
  }

  /** @returns undefined if tables give the keys of new rows */
  newKey(seed: string): string | undefined {
    return this.#table.newKey?.(seed);
  }

  /** Of each column that has it. */
  emailCells(email: string): readonly Assignment[] {
    const { email: column, emailKey, emailCopies = [] } = this.writes;
    const own = emailKey === undefined ? email : { json: { [emailKey]: email } };
    return [[column, own], ...emailCopies.map((each) => [each, email] as const)];
  }

  /** After a change of email or password. @throws RowRefused */
  async setEmailRows(
    key: string,
    email: string,
    { former, isNew }: { readonly former: readonly string[]; readonly isNew: boolean },
  ): Promise<void> {
    if (this.#emailRows.length === 0) return;
    const password = await this.#passwords?.rowOf(key);
    for (const each of this.#emailRows) await each.set(key, email, { former, password, isNew });
  }

  #proof(isVerified: boolean): Cell {
    if (this.writes.verified?.mark === 'flag') return isVerified;
    return isVerified ? this.#now : undefined;
  }

  /** The email, or if it is too long or another one's name, its beginning and a digest of it. */
  async #freeName(email: string): Promise<string> {
    const { characters = email.length } = this.writes.username ?? {};
    if (email.length <= characters && (await this.find('name', email)) === undefined) return email;
    const mark = createHash('sha256').update(email).digest('hex').slice(0, 8);
    return `${email.slice(0, characters - mark.length - 1)}-${mark}`;
  }

  /** Nothing for columns that are not there. @param hash a new one, as it is there */
  async update(key: string, given: readonly Assignment[], hash?: string): Promise<void> {
    if (hash !== undefined) await this.#passwords?.set(key, hash);
    const set = hash === undefined ? given : [...given, ...this.#ownPassword(hash)];
    const there = this.#there(set);
    if (there.length === 0) return;
    const cells = [...there, ...this.#there([[this.writes.updatedAt, this.#now]])];
    await this.#own.update(key, Object.fromEntries(cells), {});
  }

  /** Of the table of users. @param hash empty: the user has none */
  #ownPassword(hash: string): readonly Assignment[] {
    if (this.#passwords !== undefined) return [];
    return [[this.writes.password, hash === '' ? undefined : hash]];
  }

  /** @param former emails that the user had before */
  async verify(key: string, { email, isVerified }: WrittenAddress, former: readonly string[]): Promise<void> {
    const { verified } = this.writes;
    if (verified !== undefined) await this.update(key, [[verified.column, this.#proof(isVerified)]]);
    await this.addresses?.set(key, { email, isVerified, former });
    await this.#emailAccount?.set(key, { email, isVerified });
    this.#holders.add(email, key);
  }

  async remove(key: string): Promise<void> {
    const { removal } = this.writes;
    const isMarked = removal?.deletes !== true && this.#table.named(removal?.column ?? []) !== undefined;
    if (removal === undefined || !isMarked) return this.delete(key);
    return this.update(key, [[removal.column, removal.mark === 'time' ? this.#now : false]]);
  }

  /** With what belongs to it. @throws RowRefused if rows of other tables refer to it */
  async delete(key: string): Promise<void> {
    await this.addresses?.remove(key);
    await this.#passwords?.set(key, '');
    await this.#emailAccount?.remove(key);
    await this.logins?.removeAll(key);
    for (const each of this.#further) await each.remove(key);
    await this.#own.remove(key);
  }

  loginColumn(login: WrittenLogin): string | undefined {
    return loginColumnOf(this.#table, login);
  }

  /** @returns empty for null */
  async read(key: string, column: string): Promise<string> {
    return textOf((await this.#own.find(key, [column], {}))?.[column]);
  }

  /** What a rule of a table refuses leaves the rest of the transaction as it is. @returns whether it was taken */
  async attempt(change: () => Promise<boolean>): Promise<boolean> {
    await this.#run('savepoint attempt');
    try {
      const isDone = await change();
      await this.#run('release savepoint attempt');
      return isDone;
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      await this.#run('rollback to savepoint attempt');
      return false;
    }
  }

  #run(text: string): Promise<void> {
    return this.#table.engine.change({ text, parameters: [] });
  }

  #there(
    values: readonly (readonly [column: ColumnName | undefined, cell: Cell])[],
  ): readonly (readonly [column: string, cell: Cell])[] {
    return values.flatMap(([column, cell]) => {
      const name = column === undefined ? undefined : this.#table.named(column);
      return name === undefined ? [] : [[name, cell] as const];
    });
  }

  /** In the order of their positions: MySQL's parameters have no numbers. */
  #values(
    all: readonly (readonly [column: string, cell: Cell])[],
  ): readonly [string[], Statement['parameters']] {
    const parameters: (string | number)[] = [];
    const { parameter } = this.#table.engine.dialect;
    const texts = all.map(([, cell]) =>
      cell === undefined ? 'null' : parameter(parameters.push(parameterOf(cell))),
    );
    return [texts, parameters];
  }

  get #name(): string {
    const { engine, schema, table } = this.#table;
    return `${engine.dialect.quote(schema)}.${engine.dialect.quote(table)}`;
  }
}
