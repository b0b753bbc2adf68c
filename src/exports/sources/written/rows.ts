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
import { assigned, folded, isTrue, parameterOf, textOf } from './cells.ts';
import { EmailRow } from './email-row.ts';
import type { EmailHolders } from './holders.ts';
import { LoginPair } from './login-pair.ts';
import { Logins } from './logins.ts';
import { OwnRows } from './own-rows.ts';
import { Passwords } from './passwords.ts';
import { loginColumnOf, type UserTable } from './table.ts';

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
  /** Marked as removed. */
  readonly isRemoved: boolean;
}

/** `name`: what people sign in with, or the email in a system without; as it is written. */
type By = 'key' | 'name';

/** The statements for one row. */
export class Rows {
  readonly writes: WrittenUsers;
  readonly addresses: Addresses | undefined;
  readonly logins: Logins | undefined;
  readonly loginPair: LoginPair | undefined;
  readonly #emailRow: EmailRow | undefined;
  readonly #passwords: Passwords | undefined;
  readonly #table: UserTable;
  readonly #holders: EmailHolders;
  readonly #now: Date;

  /** @param holders of the emails of the user @param now ms since the epoch */
  constructor(table: UserTable, holders: EmailHolders, now: number) {
    this.#table = table;
    this.#holders = holders;
    this.writes = table.writes;
    this.addresses = table.addresses && new Addresses(table.engine, table.addresses);
    this.#now = new Date(now);
    this.logins = table.logins && new Logins(table.engine, table.logins, this.#now);
    this.loginPair = table.loginPair && new LoginPair(table.engine, table.loginPair);
    this.#emailRow = table.emailRow && new EmailRow(table.engine, table.emailRow, this.#now);
    this.#passwords = table.passwords && new Passwords(table.engine, table.passwords, this.#now);
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
    if (by === 'key' && !mayBeKey(value)) return undefined;
    const wanted = [email, password, verified?.column, removal?.column, username?.column]
      .flatMap((column) => (column === undefined ? [] : (named(column) ?? [])))
      .map(quote);
    const selected = [`${quote(key)} as ${quote('_key')}`, ...wanted];
    const { condition, parameters } = this.#where(by, value);
    const text = keyed(`select ${selected.join(', ')} from ${this.#name} where ${condition} for update`);
    const [found] = await engine.rows({ text, parameters });
    return found && this.#asRow(found.key, found.row);
  }

  #where(
    by: By,
    value: string,
  ): { readonly condition: string; readonly parameters: Statement['parameters'] } {
    const { engine, key, hasIntegerKey, username } = this.#table;
    const { quote, parameter } = engine.dialect;
    if (by === 'key')
      return {
        condition: `${quote(key)} = ${parameter(1)}`,
        parameters: [hasIntegerKey ? BigInt(value) : value],
      };
    return { condition: `${quote(username ?? this.writes.email)} = ${parameter(1)}`, parameters: [value] };
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
    const own = textOf(cell(this.writes.email));
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
    const { username: nameColumn, key: keyColumn } = this.#table;
    const username = nameColumn === undefined ? undefined : await this.#freeName(email);
    const key = this.#table.newKey?.(seed);
    const values = this.#there([
      ...(key === undefined ? [] : [[keyColumn, key] as const]),
      ...this.#newRow(user, hash),
      [nameColumn, username],
    ]);
    const { quote } = this.#table.engine.dialect;
    const [texts, parameters] = this.#values(values);
    const names = values.map(([column]) => quote(column)).join(', ');
    await this.#change(`insert into ${this.#name} (${names}) values (${texts.join(', ')})`, parameters);
    const made = await (key === undefined ? this.find('name', username ?? email) : this.find('key', key));
    if (made === undefined) throw new Error('a row that was made is not there');
    await this.#passwords?.set(made.key, hash);
    await this.addresses?.set(made.key, { email, isVerified, former: [] });
    await this.#emailRow?.add(made.key, user);
    for (const { rows, rowsOf } of this.#further())
      for (const cells of rowsOf(user)) await rows.insert(made.key, cells, made.key);
    this.#holders.add(email, made.key);
    return made;
  }

  #newRow(
    user: WrittenUser,
    hash: string,
  ): readonly (readonly [column: ColumnName | undefined, cell: Cell])[] {
    const { writes } = this;
    return [
      ...Object.entries(writes.newRow(user)),
      [writes.email, user.email],
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

  #further() {
    const { engine, further } = this.#table;
    return further.map((each) => ({ rows: new OwnRows(engine, each), rowsOf: each.rowsOf }));
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
    if (this.#there(set).length === 0) return;
    const { dialect } = this.#table.engine;
    const all = this.#there([...set, [this.writes.updatedAt, this.#now]]);
    const [texts, parameters] = this.#values(all);
    const assignments = all.map(([column, cell], at) => {
      const text = texts[at] ?? 'null';
      return `${dialect.quote(column)} = ${cell === undefined ? text : assigned(dialect, column, cell, text)}`;
    });
    await this.#change(`update ${this.#name} set ${assignments.join(', ')}`, parameters, key);
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
    await this.#emailRow?.set(key, { email, isVerified });
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
    await this.#emailRow?.remove(key);
    await this.logins?.removeAll(key);
    for (const { rows } of this.#further()) await rows.remove(key);
    await this.#change(`delete from ${this.#name}`, [], key);
  }

  loginColumn(login: WrittenLogin): string | undefined {
    return loginColumnOf(this.#table, login);
  }

  /** @returns empty for null */
  async read(key: string, column: string): Promise<string> {
    const { engine, key: keyColumn, hasIntegerKey } = this.#table;
    const { quote, parameter, keyed } = engine.dialect;
    const selected = `${quote(keyColumn)} as ${quote('_key')}, ${quote(column)}`;
    const where = `where ${quote(keyColumn)} = ${parameter(1)}`;
    const text = keyed(`select ${selected} from ${this.#name} ${where} for update`);
    const [found] = await engine.rows({ text, parameters: [hasIntegerKey ? BigInt(key) : key] });
    return textOf(found?.row[column]);
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
  #values(all: readonly (readonly [column: string, cell: Cell])[]): readonly [string[], string[]] {
    const parameters: string[] = [];
    const texts = all.map(([, cell]) => {
      if (cell === undefined) return 'null';
      parameters.push(parameterOf(cell));
      return this.#table.engine.dialect.parameter(parameters.length);
    });
    return [texts, parameters];
  }

  /** @param key of the only row that is changed; left out: none is there yet */
  #change(text: string, parameters: readonly string[], key?: string): Promise<void> {
    const { engine, hasIntegerKey, key: column } = this.#table;
    const { quote, parameter } = engine.dialect;
    if (key === undefined) return engine.change({ text, parameters });
    const all: Statement['parameters'] = [...parameters, hasIntegerKey ? BigInt(key) : key];
    const where = `where ${quote(column)} = ${parameter(all.length)}`;
    return engine.change({ text: `${text} ${where}`, parameters: all });
  }

  get #name(): string {
    const { engine, schema, table } = this.#table;
    return `${engine.dialect.quote(schema)}.${engine.dialect.quote(table)}`;
  }
}
