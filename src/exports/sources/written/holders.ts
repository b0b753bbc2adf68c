/** Rows that have the emails of several users: looked up for all of them at once. */

import type { Dialect, Statement } from '../engines/engine.ts';
import { folded, textOf } from './cells.ts';
import type { RealmCell } from './own-rows.ts';
import { emailIn, emailShown, type UserTable } from './table.ts';

/** As they are written an index finds them; without regard to case only one on `lower(…)` does. */
const looks = ['as written', 'in any case'] as const;
type Look = (typeof looks)[number];

/**
 * However many users are looked up, it takes two statements for each table at most: the second one, which may have to read the whole
 * table, only looks for the emails that the first one has not found. The rows may have changed since, so they are read again, and
 * locked, when the user is written.
 */
export class EmailHolders {
  readonly #rows = new Holders();
  readonly #addresses = new Holders();

  static async find(table: UserTable, emails: readonly string[]): Promise<EmailHolders> {
    const holders = new EmailHolders();
    for (const look of looks) {
      await holders.#findRows(table, look, emails);
      await holders.#findAddresses(table, look, emails);
    }
    return holders;
  }

  /** Keys of users with the email in their row. */
  keysOf(email: string): readonly string[] {
    return this.#rows.of(email);
  }

  /** Keys of users with the email in the table of addresses. */
  keysOfAddress(email: string): readonly string[] {
    return this.#addresses.of(email);
  }

  /** For a row that has been written since. */
  add(email: string, key: string): void {
    this.#rows.add(email, key);
  }

  async #findRows(table: UserTable, look: Look, emails: readonly string[]): Promise<void> {
    const left = this.#rows.without(emails);
    if (left.length === 0 || (look === 'in any case' && table.ignoresCase)) return;
    const { engine, schema, table: name, key, username, realm } = table;
    const place = { schema, name, key, email: emailIn(table), username, realm };
    for (const each of await engine.rows(rowsWith(engine.dialect, place, look, left))) {
      const email = textOf(each.row[emailShown]);
      this.#rows.add(email !== '' || username === undefined ? email : textOf(each.row[username]), each.key);
    }
  }

  async #findAddresses(
    { engine, addresses }: UserTable,
    look: Look,
    emails: readonly string[],
  ): Promise<void> {
    const left = this.#addresses.without(emails);
    if (left.length === 0 || addresses === undefined) return;
    const { schema, table: name, userKey: key, realm, writes } = addresses;
    const email = engine.dialect.quote(writes.email);
    const place = { schema, name, key, email, username: undefined, realm };
    for (const each of await engine.rows(rowsWith(engine.dialect, place, look, left)))
      this.#addresses.add(textOf(each.row[emailShown]), each.key);
  }
}

/** Keys by emails, whatever their case. */
class Holders {
  readonly #keys = new Map<string, Set<string>>();

  of(email: string): readonly string[] {
    return [...(this.#keys.get(folded(email)) ?? [])];
  }

  add(email: string, key: string): void {
    const keys = this.#keys.get(folded(email)) ?? new Set();
    this.#keys.set(folded(email), keys.add(key));
  }

  /** @returns the emails that have no holder */
  without(emails: readonly string[]): readonly string[] {
    return emails.filter((each) => !this.#keys.has(folded(each)));
  }
}

interface Place {
  readonly schema: string;
  readonly name: string;
  readonly key: string;
  /** As an expression. */
  readonly email: string;
  /** It stands for the email of a row without one. */
  readonly username: string | undefined;
  readonly realm: RealmCell | undefined;
}

function rowsWith(
  { quote, parameter, keyed }: Dialect,
  { schema, name, key, email, username, realm }: Place,
  look: Look,
  emails: readonly string[],
): Statement {
  const isExact = look === 'as written';
  const values = new Set(emails.flatMap((each) => (isExact ? [each, folded(each)] : [folded(each)])));
  const parameters: string[] = [];
  const isOne = (column: string): string => {
    const places = Array.from(values, (value) => parameter(parameters.push(value)));
    return `${isExact ? column : `lower(${column})`} in (${places.join(', ')})`;
  };
  // In the order of their positions: MySQL's parameters have no numbers.
  const own = isOne(email);
  const either = username === undefined ? own : `${own} or (${email} = '' and ${isOne(quote(username))})`;
  const selected = [`${quote(key)} as ${quote('_key')}`, `${email} as ${quote(emailShown)}`];
  if (username !== undefined) selected.push(quote(username));
  const within =
    realm === undefined ? '' : ` and ${quote(realm.column)} = ${parameter(parameters.push(realm.value))}`;
  const text = `select ${selected.join(', ')} from ${quote(schema)}.${quote(name)} where (${either})${within}`;
  return { text: keyed(text), parameters };
}
