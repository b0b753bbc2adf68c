/** The addresses of a user in a table of their own, one a row, as django-allauth has them. */

import type { WrittenAddress, WrittenAddresses } from '../../providers/database.ts';
import type { Statement, WritingEngine } from '../engines/engine.ts';
import { folded, isTrue, parameterOf, textOf } from './cells.ts';
import { OwnRows, type OwnTable } from './own-rows.ts';

export interface AddressTable extends OwnTable {
  readonly writes: WrittenAddresses;
}

export interface AddressRow {
  readonly email: string;
  readonly isVerified: boolean;
  readonly isPrimary: boolean;
}

interface NewAddress {
  readonly email: string;
  readonly isVerified: boolean;
  /** The user's emails before, which are no longer theirs. */
  readonly former: readonly string[];
}

/** The statements for the addresses of one user. */
export class Addresses {
  readonly #engine: WritingEngine;
  readonly #table: AddressTable;
  readonly #rows: OwnRows;

  constructor(engine: WritingEngine, table: AddressTable) {
    this.#engine = engine;
    this.#table = table;
    this.#rows = new OwnRows(engine, table);
  }

  /** Locked until the transaction ends. */
  async of(key: string): Promise<readonly AddressRow[]> {
    const { writes, userKey } = this.#table;
    const { email, isVerified, isPrimary } = writes;
    const owner = `${this.#quote(userKey)} as ${this.#quote('_key')}`;
    const columns = [email, isVerified, isPrimary].map((each) => this.#quote(each)).join(', ');
    const condition = `${this.#quote(userKey)} = ${this.#parameter(1)}`;
    const text = `select ${owner}, ${columns} from ${this.#name} where ${condition} for update`;
    const parameters = [this.#key(key)];
    const found = await this.#engine.rows({ text: this.#engine.dialect.keyed(text), parameters });
    return found.map(({ row }) => ({
      email: textOf(row[email]),
      isVerified: isTrue(row[isVerified]),
      isPrimary: isTrue(row[isPrimary]),
    }));
  }

  /** Makes it the primary one; the former ones are removed, so that they open the account no longer. */
  async set(key: string, { email, isVerified, former }: NewAddress): Promise<void> {
    const { writes } = this.#table;
    const [user, address] = [this.#quote(this.#table.userKey), this.#quote(writes.email)];
    const [verified, primary] = [this.#quote(writes.isVerified), this.#quote(writes.isPrimary)];
    const own = this.#key(key);
    const at = (place: number) => this.#parameter(place);
    const of = (place: number) => `${user} = ${at(place)} and lower(${address}) = ${at(place + 1)}`;
    for (const each of new Set(former.map(folded)))
      if (each !== folded(email)) await this.#change(`delete from ${this.#name} where ${of(1)}`, [own, each]);
    await this.#change(
      `update ${this.#name} set ${primary} = ${at(1)} where ${user} = ${at(2)} and lower(${address}) <> ${at(3)}`,
      [parameterOf(false), own, folded(email)],
    );
    const isThere = (await this.of(key)).some((each) => folded(each.email) === folded(email));
    const [isTrueNow, isPrimaryNow] = [parameterOf(isVerified), parameterOf(true)];
    if (isThere)
      await this.#change(
        `update ${this.#name} set ${verified} = ${at(1)}, ${primary} = ${at(2)} where ${of(3)}`,
        [isTrueNow, isPrimaryNow, own, folded(email)],
      );
    else await this.#insert(key, email, isVerified, true);
  }

  /** One that is not the primary one; nothing if it is there. @throws RowRefused */
  async add(key: string, { email, isVerified }: WrittenAddress): Promise<void> {
    if ((await this.of(key)).some((each) => folded(each.email) === folded(email))) return;
    await this.#insert(key, email, isVerified, false);
  }

  #insert(key: string, email: string, isVerified: boolean, isPrimary: boolean): Promise<void> {
    const { writes } = this.#table;
    const cells = { [writes.email]: email, [writes.isVerified]: isVerified, [writes.isPrimary]: isPrimary };
    return this.#rows.insert(key, cells, key);
  }

  /** All of a user who is removed. */
  remove(key: string): Promise<void> {
    return this.#rows.remove(key);
  }

  #change(text: string, parameters: Statement['parameters']): Promise<void> {
    return this.#engine.change({ text, parameters });
  }

  #key(key: string): string | bigint {
    return this.#table.hasIntegerKey ? BigInt(key) : key;
  }

  #quote(name: string): string {
    return this.#engine.dialect.quote(name);
  }

  #parameter(place: number): string {
    return this.#engine.dialect.parameter(place);
  }

  get #name(): string {
    return `${this.#quote(this.#table.schema)}.${this.#quote(this.#table.table)}`;
  }
}
