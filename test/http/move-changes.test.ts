/** What changes here while a move leads is noted, for the process that writes it back to the old system. */
import { createHash } from 'node:crypto';
import { beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/database/database.ts';
import { journalTriggers } from '../../src/features/moves/store/app-triggers.ts';
import type { TestCore } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { type MoveClient, moveClient, source } from '../helpers/moves.ts';
import { knownHash, knownPassword, newEmail, signIn, userOf } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

let core: TestCore;
let app: string;
let move: MoveClient;
useCoreAndApps(
  (used) => {
    ({ core, app } = used);
  },
  { settings: { ALLOW_HASH_EXPORT: 'true' } },
);
beforeEach(() => {
  move = moveClient(core, app);
});

interface Changed {
  readonly id: string;
  readonly changes: readonly string[];
  readonly was: readonly { readonly externalId: string | null; readonly passwordMark: string | null }[];
  readonly oldId: string | null;
  readonly secondHashes: Readonly<Record<string, string>>;
  readonly conflict: string | null;
  readonly isRemoval: boolean;
  readonly record: {
    readonly externalUserId?: string;
    readonly loginMethods: readonly { readonly email: string; readonly passwordHash?: string }[];
  } | null;
}

async function changes(query: Record<string, string> = {}): Promise<Changed[]> {
  const { http, body } = await core.get(`${app}/move/changes`, query);
  expect([http, body.status]).toEqual([200, 'OK']);
  return body.changes as Changed[];
}

const waiting = async () => (await move.status()).waiting;

async function signUp(email = newEmail()): Promise<string> {
  return userOf(await core.post(`${app}/recipe/signup`, { email, password: knownPassword })).id;
}

/** By an import, as the old system has it. */
async function imported(externalUserId: string, email = newEmail(), passwordHash = knownHash): Promise<void> {
  const method = { recipeId: 'emailpassword', email, passwordHash, hashingAlgorithm: 'bcrypt' };
  const record = { externalUserId, loginMethods: [method] };
  const { body } = await core.post(`${app}/bulk-import/import`, record);
  expect(body).toMatchObject({ status: 'OK' });
}

async function claimed(): Promise<number> {
  const { body } = await core.post(`${app}/move/lease`, {
    role: 'write-back',
    holder: 'writer',
    ...source.sent,
  });
  return Number(body.fence);
}

const mark = (hash: string): string => createHash('sha256').update(hash).digest('hex').slice(0, 32);

async function triggers(): Promise<string[]> {
  const rows = await withSql(
    core.database.connection,
    (sql) => sql<{ name: string }[]>`
      select t.tgname as name from carryover.apps a
      join pg_trigger t on t.tgname like 'move_journal_' || a.app_no || '_%'
      where a.app_id = ${app.replace('/appid-', '')}`,
  );
  return rows.map(({ name }) => name);
}

describe('while a move leads', () => {
  it('notes who signs up, changes and leaves, each once and as it is now', async () => {
    await imported('7');
    await signUp();
    await move.toLeading(100);
    expect(await changes()).toEqual([]);

    const email = newEmail();
    const id = await signUp(email);
    const changed = newEmail();
    await core.put(`${app}/recipe/user`, { recipeUserId: '7', email: changed });
    await core.put(`${app}/recipe/user`, { recipeUserId: '7', password: 'another password' });
    const found = await changes();
    expect(found).toMatchObject([
      { id, was: [], record: { loginMethods: [{ email }] } },
      {
        was: [
          { externalId: '7', passwordMark: mark(knownHash) },
          { externalId: '7', passwordMark: mark(knownHash) },
        ],
        record: { externalUserId: '7', loginMethods: [{ email: changed }] },
      },
    ]);
    expect(await waiting()).toMatchObject({ users: 2, conflicts: 0 });

    await core.post(`${app}/user/remove`, { userId: '7', removeAllLinkedAccounts: true });
    const gone = (await changes()).at(-1);
    expect([gone?.record, gone?.was.at(-1)?.externalId]).toEqual([null, '7']);
  });

  it('knows of a removal with the first change of a user, however far apart they are', async () => {
    const email = newEmail();
    await imported('7', email);
    await move.toLeading(100);
    await core.put(`${app}/recipe/user`, { recipeUserId: '7', email: newEmail() });
    await core.post(`${app}/user/remove`, { userId: '7' });
    expect(await changes({ limit: '1' })).toMatchObject([
      { changes: [expect.any(String)], was: [{ externalId: '7', email }], record: null, isRemoval: true },
    ]);
  });

  it('notes a link for the user that the login method leaves, and for the one that it joins', async () => {
    await imported('7');
    await move.toLeading(100);
    const id = await signUp();
    const link = { recipeUserId: id, primaryUserId: '7' };
    await core.post(`${app}/recipe/accountlinking/user/primary`, { recipeUserId: '7' });
    await core.post(`${app}/recipe/accountlinking/user/link`, link);
    const found = await changes();
    expect(found.find((each) => each.id === id)).toMatchObject({
      record: null,
      isRemoval: false,
      methods: [],
    });
    const joined = found.find((each) => each.id !== id);
    expect(joined?.was.at(-1)).toEqual({
      ...{ id, isNew: true, externalId: null, email: null, isVerified: false, passwordMark: null },
    });
    expect(joined).toMatchObject({ methods: [{ externalId: '7' }, { id }], isRemoval: false });
    await core.post(`${app}/user/remove`, { userId: '7', removeAllLinkedAccounts: true });
    expect((await changes()).map(({ isRemoval }) => isRemoval)).toEqual(
      expect.arrayContaining([true, false]),
    );
  });

  it('does not note what imports, their undo and sign-ins write', async () => {
    await imported('7', 'seven@example.com');
    await move.toLeading(100);
    await imported('7', 'other@example.com');
    await imported('8');
    await core.post(`${app}/recipe/signin`, { email: 'other@example.com', password: 'wrong' });
    await withSql(
      core.database.connection,
      (sql) => sql`delete from carryover.users where external_id = '8'`,
    );
    expect(await changes()).toEqual([]);
  });

  it('notes nothing of another app, nor before and after the move', async () => {
    await move.toFollowing();
    await signUp();
    await move.toLeading(100);
    await core.post('/recipe/signup', { email: newEmail(), password: knownPassword });
    expect(await changes()).toEqual([]);
    expect(await triggers()).toHaveLength(5);
    await signUp();
    await move.post('/close');
    expect(await triggers()).toEqual([]);
    expect(await changes()).toEqual([]);
  });

  it('notes on after the way back, and leaves following only when all is written', async () => {
    await move.toLeading(50);
    const id = await signUp();
    await move.post('/back');
    await signUp();
    const fence = await claimed();
    await core.put(`${app}/move/lease`, { role: 'write-back', fence, lagMs: 0, lagRecords: 0 });
    expect(await move.post('/back')).toMatchObject({ objections: [{ code: 'NOT_WRITTEN_BACK' }] });
    const settled = (await changes()).map((each) => ({ id: each.id, changes: each.changes, oldId: '1' }));
    expect(settled.map((each) => each.id)).toContain(id);
    expect(await move.post('/changes/settled', { fence, settled })).toEqual({ status: 'OK' });
    expect(await move.post('/back')).toMatchObject({ status: 'OK', stage: 'rehearsing' });
    expect(await triggers()).toEqual([]);
  });

  it('keeps what changed after it was read, and remembers the row there', async () => {
    await move.toLeading(100);
    const id = await signUp();
    const fence = await claimed();
    const [read] = await changes();
    const email = newEmail();
    await core.put(`${app}/recipe/user`, { recipeUserId: id, email });
    const settled = [{ id, changes: read?.changes, oldId: '501' }];
    expect(await move.post('/changes/settled', { fence, settled })).toEqual({ status: 'OK' });
    expect(await changes()).toMatchObject([{ id, oldId: '501', record: { loginMethods: [{ email }] } }]);
  });

  it('keeps a password that is set between a write and its confirmation, also when what was written is imported', async () => {
    await move.toLeading(100);
    const email = newEmail();
    const id = await signUp(email);
    const fence = await claimed();
    const [read] = await changes();
    const [[passwordMark, passwordHash] = []] = Object.entries(read?.secondHashes ?? {});
    expect(passwordHash).toEqual(expect.any(String));
    const newest = 'set-since-then-1';
    await core.put(`${app}/recipe/user`, { recipeUserId: id, password: newest });
    const settled = [{ id, changes: read?.changes, oldId: '501', passwordMark }];
    expect(await move.post('/changes/settled', { fence, settled })).toEqual({ status: 'OK' });
    await imported('501', email, passwordHash);
    expect(await signIn(core, email, newest, app)).toBe('OK');
    expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
  });

  it('keeps the password of a user who signed up here when the row is imported before its write is confirmed', async () => {
    await move.toLeading(100);
    const email = newEmail();
    const id = await signUp(email);
    const [read] = await changes();
    const [passwordHash] = Object.values(read?.secondHashes ?? {});
    const newest = 'set-since-then-2';
    await core.put(`${app}/recipe/user`, { recipeUserId: id, password: newest });
    await imported('502', email, passwordHash);
    expect(await signIn(core, email, newest, app)).toBe('OK');
    expect(await signIn(core, email, knownPassword, app)).toBe('WRONG_CREDENTIALS_ERROR');
  });

  it('makes triggers again that a copy of the rows has lost, and removes others', async () => {
    await move.toLeading(100);
    const made = await triggers();
    const database = openDatabase({ target: core.database.connection, poolSize: 1 });
    const appNo = Number(/^move_journal_(\d+)_/.exec(made[0] ?? '')?.[1]);
    try {
      expect(await journalTriggers.areSettled(database, appNo)).toBe(true);
      expect(await journalTriggers.remove(database, appNo)).toBe(true);
      expect(await triggers()).toEqual([]);
      expect(await journalTriggers.areSettled(database, appNo)).toBe(false);
      expect(await journalTriggers.settle(database, appNo)).toBe(true);
      expect([...(await triggers())].sort()).toEqual([...made].sort());
      await signUp();
      expect(await waiting()).toMatchObject({ users: 1 });
      const name = `move_journal_${appNo}_9_insert`;
      await withSql(core.database.connection, (sql) =>
        sql.unsafe(
          `create trigger ${name} after insert on carryover.users for each row when (new.app_no = ${appNo}) execute function carryover.note_change_of_login_method(9)`,
        ),
      );
      expect(await journalTriggers.areSettled(database, appNo)).toBe(false);
      await journalTriggers.settle(database, appNo);
      expect(await triggers()).not.toContain(name);
    } finally {
      await database.close(1000);
    }
  });

  it('reads on by the number of a change, and from a time on, without confirming', async () => {
    await move.toLeading(100);
    const ids = [await signUp(), await signUp(), await signUp()];
    const first = await changes({ limit: '2' });
    const after = first.flatMap((each) => each.changes).at(-1) ?? '';
    const rest = await changes({ limit: '2', after });
    expect([...first, ...rest].map(({ id }) => id)).toEqual(ids);
    const { now } = (await core.get(`${app}/move/changes`)).body as { now: number };
    expect(await changes({ changedSince: String(now + 60_000) })).toEqual([]);
    expect(await changes({ changedSince: '0' })).toHaveLength(3);
    expect((await move.status()).notedSince).toBeLessThanOrEqual(now);
  });

  it('takes a confirmation only from the process that has the lease', async () => {
    await move.toLeading(100);
    const id = await signUp();
    const fence = await claimed();
    const [read] = await changes();
    const settled = [{ id, changes: read?.changes }];
    expect(await move.post('/changes/settled', { fence: fence + 1, settled })).toEqual({
      status: 'LEASE_LOST_ERROR',
    });
    expect(await changes()).toHaveLength(1);
  });

  it('puts conflicts aside until the user is written', async () => {
    await move.toLeading(100);
    const id = await signUp();
    const fence = await claimed();
    const [read] = await changes();
    const settled = [{ id, changes: read?.changes, conflict: 'CHANGED_THERE' }];
    await move.post('/changes/settled', { fence, settled });
    expect(await changes()).toEqual([]);
    expect(await waiting()).toMatchObject({ users: 0, conflicts: 1, since: null });
    expect(await changes({ conflicts: 'true' })).toMatchObject([{ id, conflict: 'CHANGED_THERE' }]);
    await core.put(`${app}/recipe/user`, { recipeUserId: id, email: newEmail() });
    const again = (await changes()).map((each) => ({ id: each.id, changes: each.changes }));
    await move.post('/changes/settled', { fence, settled: again });
    expect(await waiting()).toMatchObject({ users: 0, conflicts: 0 });
  });
});

it('without a move there are no changes', async () => {
  expect((await core.get(`${app}/move/changes`)).body).toEqual({ status: 'NO_MOVE_ERROR' });
});
