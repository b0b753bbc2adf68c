/** Counts users here who could not return to the old system, and what its tables have no place for. Changes nothing. */
import { type BackRecord, personOf } from '../../exports/back/person.ts';
import { type LeftOut, withoutPlace } from '../../exports/sources/written/parts.ts';
import type { UserTable } from '../../exports/sources/written/table.ts';
import { linesOf } from '../input/lines.ts';
import { writeOut } from '../output/sink.ts';
import type { Surroundings } from '../surroundings.ts';
import { writtenUserOf } from './user-change.ts';

export interface WayBack {
  users: number;
  /** Users who could not sign in there. */
  without: number;
  /** These, by the reason. */
  readonly why: Partial<Record<NoWayBack, number>>;
  /** Users by what the tables have no place for. */
  readonly leftOut: Partial<Record<LeftOut, number>>;
}

type NoWayBack =
  /** The user has no email here, and a row there needs one. */
  | 'NO_EMAIL'
  /** The user signed up here before what changes was noted: the old system does not know them. */
  | 'NOT_THERE'
  /** There is no place for the only logins of the user. */
  | 'NO_LOGIN';

interface Check {
  readonly table: UserTable;
  readonly idPrefix: string;
  /** When what changes here began to be noted, ms since the epoch; undefined: not yet. */
  readonly notedSince: number | undefined;
  /** Of the list, NDJSON; undefined: the numbers alone. */
  readonly out: string | undefined;
  readonly surroundings: Surroundings;
}

/** @param users an export @throws CommandError */
export async function checkWayBack(
  users: AsyncIterable<Uint8Array>,
  { out, surroundings, ...check }: Check,
): Promise<WayBack> {
  const found: WayBack = { users: 0, without: 0, why: {}, leftOut: {} };
  const listed = listOf(users, check, found);
  if (out !== undefined) await writeOut(listed, out, surroundings);
  // Counted as they are read.
  else while ((await listed.next()).done !== true);
  return found;
}

async function* listOf(
  users: AsyncIterable<Uint8Array>,
  check: Omit<Check, 'out' | 'surroundings'>,
  found: WayBack,
): AsyncGenerator<Uint8Array> {
  for await (const line of linesOf(users)) {
    const text = Buffer.from(line).toString('utf8');
    if (text.trim() === '') continue;
    const record = JSON.parse(text) as BackRecord;
    found.users += 1;
    const { why, leftOut } = outcomeOf(record, check);
    if (why !== undefined) {
      found.without += 1;
      found.why[why] = (found.why[why] ?? 0) + 1;
    }
    for (const part of leftOut) found.leftOut[part] = (found.leftOut[part] ?? 0) + 1;
    if (why === undefined && leftOut.length === 0) continue;
    const { externalUserId: id, loginMethods } = record;
    const email = loginMethods.find((each) => each.email !== undefined)?.email;
    yield Buffer.from(`${JSON.stringify({ id, email, why, leftOut })}\n`);
  }
}

function outcomeOf(
  record: BackRecord,
  { table, idPrefix, notedSince = Infinity }: Omit<Check, 'out' | 'surroundings'>,
): { readonly why: NoWayBack | undefined; readonly leftOut: readonly LeftOut[] } {
  const change = { id: '', was: [], oldId: null, record, methods: [], isRemoval: false };
  const person = personOf(change, record, idPrefix);
  const user = writtenUserOf(person);
  const phone: readonly LeftOut[] = person.phone === undefined ? [] : ['PHONE'];
  if (user === undefined) return { why: 'NO_EMAIL', leftOut: phone };
  const leftOut = [...withoutPlace(table, user), ...phone];
  const lost = leftOut.filter((each) => each === 'LOGIN').length;
  if (!person.isThere && user.timeJoined < notedSince) return { why: 'NOT_THERE', leftOut };
  const hasPassword = person.password !== 'none' && !leftOut.includes('PASSWORD');
  const hasLogin = hasPassword || lost < person.social.length;
  return { why: hasLogin ? undefined : 'NO_LOGIN', leftOut };
}
