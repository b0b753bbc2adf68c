/** Second hashes of passwords, as the old system makes them: ../second-hash.ts. */
import type { Database, Query } from '../../../database/database.ts';
import { plainArray } from '../../../domain/pg-array.ts';

/**
 * Users who joined last have the hashes of today's settings. By the primary key: no app is read whole. A hash that an import stated is
 * the old system's own; others may have been made here.
 */
const newest = `
  select n.hash, n.imported as "isImported"
  from (
    select u.user_id, u.password_hash as hash,
      coalesce(substring(u.base from 12 for 6) = substring(hash_mark(u.password_hash) for 6), false) as imported
    from (
      select u.user_id, u.password_hash, u.base from users u
      where u.app_no = $1::int and u.user_id <= 'ffffffff-ffff-ffff-ffff-ffffffffffff'
      order by u.user_id desc limit 10000
    ) u
    where u.password_hash is not null
  ) n
  order by n.imported desc, n.user_id desc limit 1000`;

/** Not of a move that has ended meanwhile. */
const add = `
  insert into move_passwords (app_no, move_no, mark, hash)
  select m.app_no, m.move_no, hash_mark($3::text), $4::text
  from (
    select m.app_no, m.move_no from moves m
    where m.app_no = $1::int and m.move_no = $2::int and m.second_hash is not null for share
  ) m
  on conflict do nothing`;

const find = `
  select m.mark, p.hash from unnest($3::text[]) m (mark)
  cross join lateral (
    select p.hash from move_passwords p
    where p.app_no = $1::int and p.move_no = $2::int and p.mark = decode(m.mark, 'hex')
    offset 0
  ) p`;

/** Writes of a password that a reader of the old system may not have seen yet: two or three at most. */
const marksKept = 8;

/**
 * The old system has the password of the hash here with the mark $4. An import of its second hash changes nothing from now on, whatever
 * the user has here by then. If the user still has it, it is noted like a hash that an upgrade replaced, so a hash that the old system
 * makes later is newer; an upgrade has a time, which is null here. Returns the second hashes of the user's earlier passwords, and of
 * those with the marks of $5.
 */
const note = `
  with own as materialized (
    select u.user_id, hash_mark(u.password_hash) as mark from users u
    where u.app_no = $1::int and u.user_id = $3::uuid and u.password_hash is not null
    union all
    select u.user_id, hash_mark(u.password_hash) from users u
    where u.app_no = $1 and u.primary_user_id = $3 and u.primary_user_id <> u.user_id and u.password_hash is not null
  ),
  there as materialized (
    select w.mark, p.hash, coalesce(hash_mark(p.hash), w.mark) as written
    from (select decode($4::text, 'hex') as mark) w
    left join lateral (
      select p.hash from move_passwords p
      where p.app_no = $1 and p.move_no = $2::int and p.mark = w.mark
      offset 0
    ) p on true
    where w.mark is not null
  ),
  kept as (
    insert into move_passwords (app_no, move_no, mark, hash, user_id)
    select $1, $2, t.mark, t.hash, $3 from there t where t.hash is not null
    on conflict (app_no, move_no, mark) do update set user_id = excluded.user_id
  ),
  marked as (
    insert into sign_ins as s (app_no, user_id, upgraded_from, upgraded_to, written_marks)
    select $1, o.user_id, case when o.mark = t.mark then t.written end, case when o.mark = t.mark then t.mark end,
      array[encode(t.written, 'hex')]
    from own o cross join there t
    on conflict (app_no, user_id) do update set
      upgraded_at = case when excluded.upgraded_to is null then s.upgraded_at end,
      upgraded_from = coalesce(excluded.upgraded_from, s.upgraded_from),
      upgraded_to = coalesce(excluded.upgraded_to, s.upgraded_to),
      written_marks = (excluded.written_marks || array_remove(s.written_marks, excluded.written_marks[1]))[:${marksKept}]
  )
  select encode(g.mark, 'hex') as mark from (
    select e.mark from (select e.* from move_passwords e where e.user_id = $3 offset 0) e
    where e.app_no = $1 and e.move_no = $2
    union
    select p.mark from unnest($5::text[]) m (mark)
    cross join lateral (
      select p.mark from move_passwords p
      where p.app_no = $1 and p.move_no = $2 and p.mark = decode(m.mark, 'hex')
      offset 0
    ) p
    except
    select o.mark from own o
  ) g`;

const remove = `
  delete from move_passwords where app_no = $1::int and move_no = $2::int and mark = decode($3::text, 'hex')`;

export interface WrittenPassword {
  /** Of the user's head. */
  readonly userId: string;
  /** Of the hash here whose password the old system has by now; undefined: its password was not written. */
  readonly mark: string | undefined;
  /** Of hashes before the changes that are written. */
  readonly former: readonly string[];
}

export async function noteWritten(
  query: Query,
  [appNo, moveNo]: readonly [appNo: number, moveNo: number],
  { userId, mark, former }: WrittenPassword,
): Promise<void> {
  const parameters = [appNo, moveNo, userId, mark ?? null, plainArray(former, String)];
  const replaced = await query<{ mark: string }>(note, parameters);
  for (const each of replaced) await query(remove, [appNo, moveNo, each.mark]);
}

/** With the end of the move no second hash is left, and none is made. */
export async function dropPasswords(query: Query, appNo: number, moveNo: number): Promise<void> {
  const of = 'where app_no = $1::int and move_no = $2::int';
  await query(`update moves set keeps_hashes = false, second_hash = null ${of}`, [appNo, moveNo]);
  await query(`delete from move_passwords ${of}`, [appNo, moveNo]);
}

export interface NewestHashes {
  readonly hashes: readonly string[];
  /** By the old system: none was made here. */
  readonly areImported: boolean;
}

export function passwordStore({ read, write }: Pick<Database, 'read' | 'write'>) {
  return {
    /** Hashes of users who joined last: those that imports have stated, or else any. */
    newest: async (appNo: number): Promise<NewestHashes> => {
      const rows = await read<{ hash: string; isImported: boolean }>(newest, [appNo]);
      const areImported = rows[0]?.isImported === true;
      const known = areImported ? rows.filter(({ isImported }) => isImported) : rows;
      return { hashes: known.map(({ hash }) => hash), areImported };
    },

    add: async (
      appNo: number,
      moveNo: number,
      { hash, second }: { readonly hash: string; readonly second: string },
    ): Promise<void> => {
      await write(add, [appNo, moveNo, hash, second]);
    },

    /** @param marks of hashes here @returns second hashes by these */
    find: async (
      appNo: number,
      moveNo: number,
      marks: readonly string[],
    ): Promise<ReadonlyMap<string, string>> => {
      if (marks.length === 0) return new Map();
      const rows = await read<{ mark: string; hash: string }>(find, [
        appNo,
        moveNo,
        plainArray(marks, String),
      ]);
      return new Map(rows.map(({ mark, hash }) => [mark, hash]));
    },
  };
}

export type PasswordStore = ReturnType<typeof passwordStore>;
