/** Rows that have the emails of several users: looked up for all of them at once. */

import type { Dialect, Statement } from '../engines/engine.ts';
import { folded, textOf } from './cells.ts';
import type { UserTable } from './table.ts';

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
    const { engine, schema, table: name, key, username, writes } = table;
    const place = { schema, name, key, email: writes.email, username };
    for (const each of await engine.rows(rowsWith(engine.dialect, place, look, left))) {
      const email = textOf(each.row[writes.email]);
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
    const { schema, table: name, userKey: key, writes } = addresses;
    const place = { schema, name, key, email: writes.email, username: undefined };
    for (const each of await engine.rows(rowsWith(engine.dialect, place, look, left)))
      this.#addresses.add(textOf(each.row[writes.email]), each.key);
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
  readonly email: string;
  /** It stands for the email of a row without one. */
  readonly username: string | undefined;
}

function rowsWith(
  { quote, parameter, keyed }: Dialect,
  { schema, name, key, email, username }: Place,
  look: Look,
  emails: readonly string[],
): Statement {
  const isExact = look === 'as written';
  const values = new Set(emails.flatMap((each) => (isExact ? [each, folded(each)] : [folded(each)])));
  const parameters: string[] = [];
  const isOne = (column: string): string => {
    const places = Array.from(values, (value) => parameter(parameters.push(value)));
    return `${isExact ? quote(column) : `lower(${quote(column)})`} in (${places.join(', ')})`;
  };
  // In the order of their positions: MySQL's parameters have no numbers.
  const own = isOne(email);
  const either = username === undefined ? own : `${own} or (${quote(email)} = '' and ${isOne(username)})`;
  const selected = [`${quote(key)} as ${quote('_key')}`, quote(email)];
  if (username !== undefined) selected.push(quote(username));
  const text = `select ${selected.join(', ')} from ${quote(schema)}.${quote(name)} where ${either}`;
  return { text: keyed(text), parameters };
}
