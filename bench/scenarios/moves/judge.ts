import bcrypt from 'bcrypt';
import { hasPhp, refusedByPhp } from '../../../test/helpers/php.ts';
import type { Laravel } from './laravel.ts';
import type { Person } from './people.ts';

interface Row {
  readonly id: string;
  readonly email: string;
  readonly password: string;
  readonly google: string | null;
}

/** What verifies passwords as the old system does. */
export const judgedBy = hasPhp ? 'PHP' : 'bcrypt';

/**
 * Reads the table without any code of the command.
 * @param users the number of imported users
 * @throws Error unless it has each person once, as they are here, with a password that verifies, and no other user
 */
export async function judge({ sql }: Laravel, people: readonly Person[], users: number): Promise<void> {
  const rows = await sql<Row[]>`
    select id::text, email, password, google_id as google from users
    where deleted_at is null
      and (email = any(${people.map(({ email }) => email)}) or id = any(${people.flatMap(keyOf)}::bigint[]))`;
  const byKey = new Map(rows.map((row) => [row.id, row]));
  const byEmail = new Map(rows.map((row) => [row.email, row]));
  const found = people.map((person) => (person.isNew ? byEmail.get(person.email) : byKey.get(person.id)));
  const refused = new Set(
    await refusedOf(people.map(({ password }, n) => [found[n]?.password ?? '', password])),
  );
  const wrong = people.filter((person, n) =>
    person.isGone ? found[n] !== undefined : !isSame(person, found[n]) || refused.has(n),
  );
  if (wrong.length > 0)
    throw new Error(
      `not as here are ${wrong.length} of ${people.length}: ${JSON.stringify(wrong.slice(0, 3))}`,
    );
  const gone = people.filter(({ isGone, isNew }) => isGone && !isNew).length;
  const made = people.filter(({ isGone, isNew }) => !isGone && isNew).length;
  const [all] = await sql<{ count: number }[]>`select count(*)::int from users where deleted_at is null`;
  if (all?.count !== users + made - gone)
    throw new Error(`there are ${all?.count ?? 'no'} users and not ${users + made - gone}`);
}

function keyOf({ id, isNew }: Person): string[] {
  return isNew ? [] : [id];
}

function isSame({ email, google }: Person, row: Row | undefined): boolean {
  return row?.email === email && row.google === google;
}

/** @returns the numbers of the pairs whose password is wrong */
async function refusedOf(pairs: readonly (readonly [hash: string, password: string])[]): Promise<number[]> {
  if (hasPhp) return refusedByPhp(pairs);
  const answers = pairs.map(([hash, password]) => bcrypt.compare(password, hash.replace('$2y$', '$2b$')));
  return (await Promise.all(answers)).flatMap((isRight, n) => (isRight ? [] : [n]));
}
