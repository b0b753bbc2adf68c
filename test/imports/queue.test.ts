/** The queue of single users over a real database; only the engine is a stand-in. */
import { v7 as uuidv7 } from 'uuid';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { RejectCode } from '../../src/imports/model.ts';
import type { RecordEngine } from '../../src/imports/queue/ports.ts';
import { QueueRunner } from '../../src/imports/queue/runner.ts';
import { type BulkQueue, bulkQueue } from '../../src/imports/queue/queue.ts';
import { Refusal } from '../../src/domain/errors.ts';
import type { Tenant } from '../../src/domain/model.ts';
import { queueStore } from '../../src/store/imports/queue/queue.ts';
import { openTestStore, type TestStore } from '../helpers/store.ts';
import { rules } from '../helpers/bulk-records.ts';
import type { ReadUsers } from '../../src/imports/tasks.ts';
import { readUsers } from '../../workers/bodies.ts';

type ImportRecords = RecordEngine['importRecords'];

let store: TestStore;
let tenant: Tenant;
let clock: number;
let runners: QueueRunner[];
let logged: { readonly details: object; readonly message: string }[];

beforeAll(async () => {
  store = await openTestStore();
});
beforeEach(async () => {
  await store.sql('truncate import_queue');
  tenant = await store.newApp();
  clock = Date.UTC(2026, 5, 1);
  runners = [];
  logged = [];
});
afterEach(async () => {
  await Promise.all(runners.map((runner) => runner.stop()));
});
afterAll(() => store.dispose());

const newId = (msecs: number) => uuidv7({ msecs });
const now = () => clock++;

const importAll: ImportRecords = (_, texts) => Promise.resolve(texts.map(() => undefined));
const reject = (line: number, code: RejectCode = 'INVALID_FIELD', field = 'loginMethods.0.email') => ({
  line,
  code,
  field,
  message: 'must be an email address',
});
/** Rejects users named `wrong`. */
const validateRecords: RecordEngine['validateRecords'] = (_, texts) =>
  Promise.resolve(texts.flatMap((text, place) => (text.includes('wrong') ? [reject(place + 1)] : [])));

function usersIn(bytes: Uint8Array<ArrayBuffer>, mostUsers: number): ReadUsers {
  const users = readUsers({ type: 'users', bytes, rules, mostUsers });
  if ('refusal' in users) throw new Error(users.refusal.message);
  return users;
}

function queueOf(
  parts: { nudge?: () => void; maxEntries?: number; importRecords?: ImportRecords } = {},
): BulkQueue {
  const { nudge = () => undefined, importRecords = importAll, ...rest } = parts;
  return bulkQueue({
    store: queueStore(store.database),
    engine: {
      validateRecords,
      importRecords,
      withoutPlainTexts: (texts) => Promise.resolve(texts),
      hashesOf: () => Promise.resolve(new Map()),
      readUsers: (_, bytes, mostUsers) => Promise.resolve(usersIn(bytes, mostUsers)),
    },
    findImported: (where, record) => store.users.findUser(where.appNo, record.externalUserId ?? ''),
    now,
    newId,
    nudge,
    ...rest,
  });
}

/** A core that processes the queue; an hour between checks, so that only nudges and starts matter. */
function runnerOf(
  importRecords: ImportRecords,
  core: Pick<TestStore, 'database' | 'tenants'> = store,
): QueueRunner {
  const runner = new QueueRunner({
    store: queueStore(core.database),
    engine: { importRecords },
    findTenant: (appId, tenantId) => core.tenants.find(appId, tenantId),
    now,
    newId,
    intervalMs: 3_600_000,
    leaseMs: 60_000,
    log: {
      error: (details, message) => {
        logged.push({ details, message });
      },
    },
  });
  runners.push(runner);
  return runner;
}

const user = (name: string) => ({
  externalUserId: name,
  loginMethods: [{ recipeId: 'emailpassword', email: `${name}@b.test`, passwordHash: `$hash of ${name}` }],
});
const users = (count: number, prefix = 'user') =>
  Array.from({ length: count }, (_, i) => user(`${prefix}${i}`));
const nameIn = (text: string) => (JSON.parse(text) as { externalUserId: string }).externalUserId;
const names = (listed: readonly object[]) =>
  listed.map((each) => (each as { externalUserId?: string }).externalUserId);

const counts = async (queue = queueOf()) => ({
  NEW: await queue.count(tenant, 'NEW'),
  PROCESSING: await queue.count(tenant, 'PROCESSING'),
  FAILED: await queue.count(tenant, 'FAILED'),
});
/** Polls the database, where the awaited events happen. */
async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await store.sql('select');
}
const isEmpty = async () => (await queueOf().count(tenant, undefined)) === 0;

describe('users who are added', () => {
  it('wait as NEW, and the runner is notified', async () => {
    let nudges = 0;
    const queue = queueOf({ nudge: () => nudges++ });
    expect(await queue.add(tenant, users(3))).toEqual([]);
    expect(await counts()).toEqual({ NEW: 3, PROCESSING: 0, FAILED: 0 });
    expect(nudges).toBe(1);
    expect(await queueOf().count(await store.newApp(), undefined)).toBe(0);
  });

  it('are all refused for one that is wrong, which is named by its place', async () => {
    const invalid = await queueOf().add(tenant, [...users(2), user('wrong'), user('wrong too')]);
    const errors = ['loginMethods.0.email: must be an email address'];
    expect(invalid).toEqual([
      { index: 2, errors },
      { index: 3, errors },
    ]);
    expect(await isEmpty()).toBe(true);
  });

  it('may be empty, and have 10,000 at most', async () => {
    expect(await queueOf().add(tenant, [])).toEqual([]);
    await expect(queueOf().add(tenant, users(10_001))).rejects.toMatchObject({ code: 'INVALID_FIELD' });
    expect(await queueOf().add(tenant, users(10_000))).toEqual([]);
    expect(await queueOf().count(tenant, 'NEW')).toBe(10_000);
  });

  it('are refused as a whole when the queue is full, failed ones included', async () => {
    const queue = queueOf({ maxEntries: 5 });
    await queue.add(tenant, users(3));
    await store.sql('update import_queue set status = 3');
    await expect(queue.add(tenant, users(3))).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(await queue.add(tenant, users(2))).toEqual([]);
    expect(await queue.count(tenant, undefined)).toBe(5);
    expect(await queue.add(await store.newApp(), users(5))).toEqual([]);
  });

  it('are refused when their app has gone', async () => {
    await store.tenants.removeApp(tenant.appId);
    await expect(queueOf().add(tenant, users(1))).rejects.toMatchObject({ code: 'APP_OR_TENANT_NOT_FOUND' });
  });
});

describe('the list', () => {
  it('shows the newest first, page by page, each once', async () => {
    const queue = queueOf();
    await queue.add(tenant, users(5, 'a'));
    await queue.add(tenant, users(4, 'b'));
    const all = [...users(5, 'a'), ...users(4, 'b')].map((each) => each.externalUserId).reverse();
    const seen: (string | undefined)[] = [];
    let paginationToken: string | undefined;
    do {
      const page = await queue.list(tenant, { limit: 2, paginationToken });
      expect(page.users.length).toBeLessThanOrEqual(2);
      seen.push(...names(page.users));
      paginationToken = page.nextPaginationToken;
    } while (paginationToken !== undefined);
    expect(seen).toEqual(all);
    expect(await queue.list(tenant, {})).toMatchObject({ users: { length: 9 } });
    expect((await queue.list(tenant, { limit: 9 })).nextPaginationToken).toBeUndefined();
    await expect(queue.list(tenant, { paginationToken: 'none' })).rejects.toMatchObject({
      code: 'INVALID_QUERY_PARAMETER',
    });
  });

  it('can be of one status', async () => {
    const queue = queueOf();
    await queue.add(tenant, users(4));
    await store.sql(`update import_queue set status = 3, error_message = 'why' where record like '%user2%'`);
    expect((await queue.list(tenant, { status: 'FAILED' })).users).toMatchObject([
      { externalUserId: 'user2', status: 'FAILED', errorMessage: 'why' },
    ]);
    expect(names((await queue.list(tenant, { status: 'NEW' })).users)).toEqual(['user3', 'user1', 'user0']);
    expect((await queue.list(tenant, { status: 'PROCESSING' })).users).toEqual([]);
  });

  it('holds what the caller sent, and no secret', async () => {
    const method = { recipeId: 'emailpassword', email: 'a@b.test', isVerified: true, tenantIds: ['public'] };
    const full = {
      externalUserId: 'ext',
      userMetadata: { plan: 'a' },
      userRoles: [{ role: 'admin' }],
      totpDevices: [{ secretKey: 'SECRET2', period: 30, deviceName: 'phone' }],
      loginMethods: [
        { ...method, passwordHash: 'SECRET2', hashingAlgorithm: 'bcrypt', somethingNew: 'SECRET3' },
        { ...method, plainTextPassword: 'SECRET4' },
      ],
      more: 'SECRET5',
    };
    await queueOf().add(tenant, [full]);
    const { users: listed } = await queueOf().list(tenant, {});
    expect(JSON.stringify(listed)).not.toContain('SECRET');
    const [entry] = listed;
    expect(listed).toEqual([
      {
        externalUserId: 'ext',
        userMetadata: { plan: 'a' },
        userRoles: [{ role: 'admin' }],
        totpDevices: [{ period: 30, deviceName: 'phone' }],
        loginMethods: [{ ...method, hashingAlgorithm: 'bcrypt' }, method],
        id: entry?.id,
        status: 'NEW',
        createdAt: entry?.createdAt,
        updatedAt: entry?.createdAt,
      },
    ]);
  });

  it('ends a page early rather than become too large', async () => {
    const queue = queueOf();
    const large = users(5).map((each) => ({ ...each, userMetadata: { text: 'x'.repeat(3 * 1024 * 1024) } }));
    await queue.add(tenant, large);
    const first = await queue.list(tenant, {});
    expect(names(first.users)).toEqual(['user4', 'user3']);
    const second = await queue.list(tenant, { paginationToken: first.nextPaginationToken });
    expect(names(second.users)).toEqual(['user2', 'user1']);
  });
});

describe('entries that are removed', () => {
  it('are distinguished from unknown ones', async () => {
    const queue = queueOf();
    await queue.add(tenant, users(3));
    const ids = (await queue.list(tenant, {})).users.map(({ id }) => id);
    const [a = '', b = ''] = ids;
    const unknown = newId(0);
    expect(await queue.remove(await store.newApp(), [a])).toEqual({ deletedIds: [], invalidIds: [a] });
    expect(await queue.remove(tenant, [a, unknown, 'none', b])).toEqual({
      deletedIds: [a, b],
      invalidIds: [unknown, 'none'],
    });
    expect(await queue.remove(tenant, [])).toEqual({ deletedIds: [], invalidIds: [] });
    expect(names((await queue.list(tenant, {})).users)).toEqual(['user0']);
    await expect(
      queue.remove(
        tenant,
        Array.from({ length: 501 }, () => a),
      ),
    ).rejects.toMatchObject({
      code: 'INVALID_FIELD',
    });
  });
});

describe('the runner', () => {
  it('imports what is there when it starts and what is added later, in order, and nothing is left', async () => {
    const imported: string[] = [];
    const runner = runnerOf((where, texts) => {
      expect(where).toMatchObject({ appId: tenant.appId, tenantId: 'public' });
      imported.push(...texts.map(nameIn));
      return importAll(where, texts);
    });
    const queue = queueOf({
      nudge: () => {
        runner.nudge();
      },
    });
    await queue.add(tenant, users(1200, 'a'));
    runner.start();
    await until(isEmpty);
    await queue.add(tenant, users(2, 'b'));
    await until(isEmpty);
    expect(imported).toEqual([...users(1200, 'a'), ...users(2, 'b')].map((each) => each.externalUserId));
  });

  it('keeps what was rejected, with the reason and without its plain-text password', async () => {
    const [first] = users(1);
    const secret = { recipeId: 'emailpassword', email: 'x@b.test', plainTextPassword: 'SECRET' };
    await queueOf().add(tenant, [first, { loginMethods: [secret] }, user('last')]);
    runnerOf((_, texts) =>
      Promise.resolve(texts.map((text, place) => (text.includes('x@b') ? reject(place + 1) : undefined))),
    ).start();
    await until(async () => (await counts()).FAILED === 1);
    expect(await counts()).toEqual({ NEW: 0, PROCESSING: 0, FAILED: 1 });
    const [entry] = (await queueOf().list(tenant, { status: 'FAILED' })).users;
    expect(entry).toMatchObject({
      errorMessage: 'INVALID_FIELD: loginMethods.0.email: must be an email address',
      loginMethods: [{ email: 'x@b.test' }],
    });
    expect(entry?.updatedAt).toBeGreaterThan(entry?.createdAt ?? Infinity);
    expect(await store.sql('select record from import_queue')).toEqual([
      { record: '{"loginMethods":[{"recipeId":"emailpassword","email":"x@b.test"}]}' },
    ]);
  });

  it('shows what it is at as PROCESSING, and finishes it when it is stopped', async () => {
    await queueOf().add(tenant, users(600));
    const [begun, finish] = [Promise.withResolvers<null>(), Promise.withResolvers<null>()];
    const runner = runnerOf(async (where, texts) => {
      begun.resolve(null);
      await finish.promise;
      return importAll(where, texts);
    });
    runner.start();
    await begun.promise;
    expect(await counts()).toEqual({ NEW: 100, PROCESSING: 500, FAILED: 0 });
    const stopped = runner.stop();
    finish.resolve(null);
    await stopped;
    expect(await counts()).toEqual({ NEW: 100, PROCESSING: 0, FAILED: 0 });
    runner.nudge();
    runner.start();
    expect(await counts()).toEqual({ NEW: 100, PROCESSING: 0, FAILED: 0 });
  });

  it('shares the queue with those of other cores: each entry is imported once', async () => {
    const imported: string[] = [];
    const record: ImportRecords = (where, texts) => {
      imported.push(...texts.map(nameIn));
      return importAll(where, texts);
    };
    await queueOf().add(tenant, users(5000));
    for (const core of [store, store.anotherCore(), store.anotherCore()]) runnerOf(record, core).start();
    await until(isEmpty);
    expect(imported.sort()).toEqual(
      users(5000)
        .map((each) => each.externalUserId)
        .sort(),
    );
  });

  it('takes over from a core that died, once its lease has run out', async () => {
    await queueOf().add(tenant, users(3));
    const dead = queueStore(store.database);
    const lease = { id: newId(clock), now: clock, until: clock + 1000 };
    expect(await dead.claim(lease, { entries: 500, bytes: 1000 })).toHaveLength(3);
    const runner = runnerOf(importAll);
    runner.start();
    await runner.stop();
    expect(await counts()).toMatchObject({ PROCESSING: 3 });
    clock = lease.until;
    runnerOf(importAll).start();
    await until(isEmpty);
  });

  it('leaves entries alone that another core took over from it', async () => {
    await queueOf().add(tenant, users(1));
    const [slow, heir] = [queueStore(store.database), queueStore(store.anotherCore().database)];
    const first = { id: newId(clock), now: clock, until: clock + 1000 };
    const [entry] = await slow.claim(first, { entries: 5, bytes: 1000 });
    if (!entry) throw new Error('nothing was claimed');
    const second = { id: newId(clock), now: first.until, until: first.until + 1000 };
    expect(await heir.claim(second, { entries: 5, bytes: 1000 })).toMatchObject([{ id: entry.id }]);
    await slow.renew({ ...first, until: first.until + 90_000 }, [entry]);
    await slow.settle(first, [{ appNo: entry.appNo, id: entry.id, outcome: 'imported' }]);
    expect(await counts()).toMatchObject({ PROCESSING: 1 });
    expect(await slow.claim({ ...first, now: second.until - 1 }, { entries: 5, bytes: 1000 })).toEqual([]);
    await heir.renew({ ...second, until: second.until + 1000 }, [entry]);
    expect(await slow.claim({ ...first, now: second.until }, { entries: 5, bytes: 1000 })).toEqual([]);
    await heir.settle(second, [{ appNo: entry.appNo, id: entry.id, outcome: 'imported' }]);
    expect(await isEmpty()).toBe(true);
  });

  describe('takes an app alone:', () => {
    const most = { entries: 2, bytes: 1000 };
    const leaseOf = (until: number) => ({ id: newId(clock), now: clock, until });

    it('another core gets nothing of it until the batch is settled, and what other apps have', async () => {
      const other = await store.newApp();
      const [a, b] = [queueStore(store.database), queueStore(store.anotherCore().database)];
      await queueOf().add(tenant, users(3));
      const first = leaseOf(clock + 1000);
      const entries = await a.claim(first, most);
      expect(entries.map(({ record }) => nameIn(record))).toEqual(['user0', 'user1']);
      expect(await b.claim(leaseOf(clock + 1000), most)).toEqual([]);
      await queueOf().add(other, [user('elsewhere')]);
      const second = leaseOf(clock + 1000);
      expect(await b.claim(second, most)).toMatchObject([{ appNo: other.appNo }]);
      await a.settle(
        first,
        entries.map(({ appNo, id }) => ({ appNo, id, outcome: 'imported' })),
      );
      const rest = await b.claim(leaseOf(clock + 1000), most);
      expect(rest.map(({ record }) => nameIn(record))).toEqual(['user2']);
    });

    it('no entry has it that was removed in the meantime', async () => {
      const [a, b] = [queueStore(store.database), queueStore(store.anotherCore().database)];
      await queueOf().add(tenant, users(1));
      const first = leaseOf(clock + 60_000);
      expect(await a.claim(first, most)).toHaveLength(1);
      await store.sql('delete from import_queue');
      await a.settle(first, []);
      await queueOf().add(tenant, [user('next')]);
      expect(await b.claim(leaseOf(clock + 1000), most)).toHaveLength(1);
    });

    it('in the order of arrival, whatever the clocks of the cores say', async () => {
      clock += 90_000;
      await queueOf().add(tenant, [user('first')]);
      clock -= 180_000;
      await queueOf().add(tenant, [user('second')]);
      clock += 90_000;
      const entries = await queueStore(store.database).claim(leaseOf(clock + 1000), most);
      expect(entries.map(({ record }) => nameIn(record))).toEqual(['first', 'second']);
    });
  });

  it('takes no more bytes at once than a chunk has, and a record of any size alone', async () => {
    const sizes = [10, 10, 5000, 10, 10];
    await queueOf().add(
      tenant,
      sizes.map((size, i) => ({ ...user(`user${i}`), userMetadata: { text: 'x'.repeat(size) } })),
    );
    const batches: number[] = [];
    for (let batch = -1; batch !== 0;) {
      const lease = { id: newId(clock), now: clock, until: clock + 1000 };
      const queue = queueStore(store.database);
      const entries = await queue.claim(lease, { entries: 10, bytes: 600 });
      await queue.settle(
        lease,
        entries.map(({ appNo, id }) => ({ appNo, id, outcome: 'imported' })),
      );
      batch = entries.length;
      batches.push(batch);
    }
    expect(batches).toEqual([2, 1, 2, 0]);
  });

  it.each(['OVERLOADED', 'DATABASE_UNAVAILABLE', 'OUTCOME_UNKNOWN'] as const)(
    'gives entries back that meet %s, waits, and tries them again',
    async (code) => {
      await queueOf().add(tenant, users(3));
      const answers = [() => Promise.reject(new Refusal(code)), importAll];
      let calls = 0;
      const runner = runnerOf((where, texts) => (answers[calls++] ?? importAll)(where, texts));
      runner.start();
      await until(async () => calls === 1 && (await counts()).NEW === 3);
      // It may not be idle yet; then the nudge makes it look again.
      await until(async () => {
        runner.nudge();
        return isEmpty();
      });
      expect([calls, logged]).toEqual([2, []]);
    },
  );

  it('finds the one record that the engine cannot bear, and imports its neighbours', async () => {
    await queueOf().add(tenant, users(9));
    const bug = new Error('a bug');
    runnerOf((where, texts) =>
      texts.some((text) => nameIn(text) === 'user6') ? Promise.reject(bug) : importAll(where, texts),
    ).start();
    await until(async () => (await counts()).FAILED === 1 && (await counts()).PROCESSING === 0);
    const { users: left } = await queueOf().list(tenant, {});
    expect(left).toMatchObject([{ externalUserId: 'user6', status: 'FAILED' }]);
    expect(left[0]?.errorMessage).toContain('INTERNAL_ERROR');
    expect(logged).toMatchObject([{ details: { err: bug, entryId: left[0]?.id } }]);
  });

  it('imports several records of one user one after the other', async () => {
    // Of one request the first alone is imported; these are sent in separate requests.
    for (const name of ['same', 'other', 'same', 'same']) await queueOf().add(tenant, [user(name)]);
    const calls: string[][] = [];
    runnerOf((_, texts) => {
      calls.push(texts.map(nameIn));
      return Promise.resolve(
        texts.map((text, place) =>
          texts.findIndex((each) => nameIn(each) === nameIn(text)) < place
            ? reject(place + 1, 'DUPLICATE_IN_JOB')
            : undefined,
        ),
      );
    }).start();
    await until(isEmpty);
    expect(calls).toEqual([['same', 'other', 'same', 'same'], ['same', 'same'], ['same']]);
  });

  it('keeps apps apart, and drops what a removed app left', async () => {
    const [other, gone] = [await store.newApp(), await store.newApp()];
    for (const each of [gone, tenant, other]) await queueOf().add(each, [user(each.appId)]);
    await store.sql('delete from tenants where app_no = $1', [gone.appNo]);
    await store.sql('delete from apps where app_no = $1', [gone.appNo]);
    const imported: string[] = [];
    runnerOf((where, texts) => {
      imported.push(...texts.map((text) => `${where.appId} ${nameIn(text)}`));
      return importAll(where, texts);
    }).start();
    await until(async () => (await store.sql('select from import_queue')).length === 0);
    expect(imported.sort()).toEqual([tenant, other].map(({ appId }) => `${appId} ${appId}`).sort());
  });
});

describe('one user at once', () => {
  it('is imported without the queue and answered as it is then', async () => {
    const queue = queueOf({
      importRecords: async (where, texts) => {
        const { externalUserId } = JSON.parse(texts[0] ?? '') as { externalUserId: string };
        await store.sql(
          `insert into users (app_no, recipe, email_verified, user_id, time_joined, external_id)
           values ($1, 1, false, $2, 5, $3)`,
          [where.appNo, newId(5), externalUserId],
        );
        return [undefined];
      },
    });
    expect(await queue.importOne(tenant, user('ext'))).toMatchObject({ user: { id: 'ext', timeJoined: 5 } });
    expect(await isEmpty()).toBe(true);
  });

  it('is stored with the reason of its rejection', async () => {
    const queue = queueOf({ importRecords: () => Promise.resolve([reject(1)]) });
    expect(await queue.importOne(tenant, user('ext'))).toEqual({ reject: reject(1) });
  });
});
