/** Two cores on a cluster of Patroni, etcd and HAProxy with the files of examples/patroni: one core names all nodes, one HAProxy. */
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asking } from '../helpers/ask.ts';
import { makePlace, type Place, type Running } from '../helpers/carryover.ts';
import {
  hasPatroniCluster,
  type PatroniCluster,
  type PatroniNode,
  roles,
  startPatroni,
} from '../helpers/patroni.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { addressOf, type Program, runCommand, runMain } from '../helpers/process.ts';

const apiKey = 'patroni-key-0123456789';
const users = 60_000;
const line = (n: number): string =>
  `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email: `old-${n}@patroni.test`, passwordHash: knownHash }] })}\n`;

interface Core {
  readonly program: Program;
  readonly url: string;
}

const ask = asking(apiKey);

const signIn = async (url: string, email: string): Promise<unknown> =>
  (await ask(url, '/recipe/signin', { email, password: knownPassword })).status;

let serial = 0;

interface SignUps {
  stop(): Promise<unknown>;
}

/** Signs users up, one at a time, until it is stopped. @param acknowledged gets their emails */
function signingUp({ url }: Core, acknowledged: string[]): SignUps {
  const over = new AbortController();
  const going = (async () => {
    while (!over.signal.aborted) {
      const email = `new-${serial++}@patroni.test`;
      const { status } = await ask(url, '/recipe/signup', { email, password: knownPassword });
      if (status === 'OK') acknowledged.push(email);
      await turn();
    }
  })();
  return {
    stop: () => {
      over.abort();
      return going;
    },
  };
}

/** Of the newest job. */
const linesOf = async ({ url }: Core): Promise<number> =>
  ((await ask(url, '/bulk-import/jobs')).jobs as { lines: number }[] | undefined)?.[0]?.lines ?? 0;

/** Counts how many nodes take writes at once. */
function watchWritable(nodes: readonly PatroniNode[]): { stop(): Promise<number> } {
  const over = new AbortController();
  const isWritable = (node: PatroniNode): Promise<boolean> =>
    node.sql<{ is_standby: boolean }>('select pg_is_in_recovery() as is_standby').then(
      ([row]) => row?.is_standby === false,
      () => false,
    );
  const most = (async () => {
    let most = 0;
    while (!over.signal.aborted) {
      const each = await Promise.all(nodes.map(isWritable));
      most = Math.max(most, each.filter(Boolean).length);
      await delay(50);
    }
    return most;
  })();
  return {
    stop: () => {
      over.abort();
      return most;
    },
  };
}

/** Seconds until a sign-in and a sign-up are answered again. */
async function backAfter({ url }: Core, since: number): Promise<string> {
  const works = async (): Promise<unknown[]> => [
    await signIn(url, 'first@patroni.test'),
    (await ask(url, '/recipe/signup', { email: `back-${serial++}@patroni.test`, password: knownPassword }))
      .status,
  ];
  await expect.poll(works, { interval: 100 }).toEqual(['OK', 'OK']);
  return `${((performance.now() - since) / 1000).toFixed(1)} s`;
}

describe.runIf(hasPatroniCluster && countOf(longRuns.patroni) > 0)('a cluster of Patroni', () => {
  let cluster: PatroniCluster;
  let direct: Core;
  let balanced: Core;
  let place: Place;
  /** Begins before the first failover, and ends after the second. */
  let importing: Running;
  const cleanUp: (() => Promise<unknown>)[] = [];
  /** Emails whose sign-up was acknowledged in a test so far. */
  const acknowledged: string[] = [];

  /** The primary and the standby that commits wait for, once there is one of each. */
  async function settled(): Promise<{ primary: PatroniNode; sync: PatroniNode }> {
    for (let tries = 0; tries < 600; tries++) {
      const { primary, sync } = await roles(cluster.nodes);
      if (primary[0] && sync[0] && primary.length === 1) return { primary: primary[0], sync: sync[0] };
      await delay(100);
    }
    throw new Error(`no primary with a synchronous standby:\n${await cluster.patronictl('list')}`);
  }

  async function start(uri: string): Promise<Core> {
    const program = runMain({
      environment: {
        HOST: '127.0.0.1',
        API_KEYS: apiKey,
        ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
        POSTGRESQL_CONNECTION_URI: uri,
      },
    });
    cleanUp.push(() => program.end());
    await program.printed(/"msg":"ready"/);
    return { program, url: await addressOf(program) };
  }

  /** Resolves once each core has answered a sign-up. */
  async function signingUpAtBoth(): Promise<SignUps> {
    const own = [direct, balanced].map((core) => {
      const emails: string[] = [];
      const signUps = signingUp(core, emails);
      cleanUp.push(() => signUps.stop());
      return { emails, signUps };
    });
    await expect.poll(() => own.every(({ emails }) => emails.length > 0)).toBe(true);
    return {
      stop: async () => {
        for (const { signUps } of own) await signUps.stop();
        for (const { emails } of own) acknowledged.push(...emails);
      },
    };
  }

  /** Acknowledged emails that the primary has not. */
  async function missing(): Promise<string[]> {
    const { primary } = await settled();
    const rows = await primary.sql<{ email: string }>('select email from carryover.users', 'carryover');
    const stored = new Set(rows.map(({ email }) => email));
    return acknowledged.filter((email) => !stored.has(email));
  }

  /** Waits for both cores. */
  async function reportBack(fault: string, since: number): Promise<void> {
    const [one, other] = await Promise.all([backAfter(direct, since), backAfter(balanced, since)]);
    process.stdout.write(
      `${fault}: sign-ins again after ${one} by all nodes' addresses, ${other} by HAProxy\n`,
    );
  }

  beforeAll(async () => {
    cluster = await startPatroni();
    cleanUp.push(() => cluster.stop());
    const { primary } = await settled();
    await primary.sql(`create role carryover login password 'of-carryover'`);
    await primary.sql('create database carryover owner carryover');
    place = await makePlace();
    cleanUp.push(() => place.remove());
    await place.write('users.ndjson', Array.from({ length: users }, (_, n) => line(n)).join(''));
    direct = await start(cluster.uri);
    balanced = await start(cluster.balancedUri);
    expect(
      (await ask(direct.url, '/recipe/signup', { email: 'first@patroni.test', password: knownPassword }))
        .status,
    ).toBe('OK');
  });
  afterAll(async () => {
    for (const each of cleanUp.splice(0).reverse()) await each();
  });

  it('is synchronous for /health and doctor database, which names the nodes', async () => {
    expect((await ask(direct.url, '/health')).failover).toBe('SYNCHRONOUS');
    const { primary, sync } = await settled();
    const standbys = () => primary.sql(`select from pg_stat_replication where state = 'streaming'`);
    await expect.poll(standbys).toHaveLength(2);
    const doctor = runCommand({
      environment: { POSTGRESQL_CONNECTION_URI: cluster.uri },
      arguments: ['doctor', 'database', '--json'],
    });
    expect(await doctor.ended).toEqual([0, null]);
    const found = JSON.parse(doctor.stdout()) as {
      servers: { kind: string }[];
      failover: { synchronousStandbyNames: string };
    };
    expect(found.servers.map(({ kind }) => kind).toSorted()).toEqual(['primary', 'standby', 'standby']);
    expect(found).toMatchObject({ isSafe: true, failover: { state: 'SYNCHRONOUS', standbys: 2 } });
    expect(found.failover.synchronousStandbyNames).toContain(sync.name);
  });

  it('replaces a primary that lost its power, and loses nothing', async () => {
    const { primary } = await settled();
    const signUps = await signingUpAtBoth();
    importing = place.start(['import', 'users.ndjson', '--from', 'native', '--url', direct.url, '--yes'], {
      environment: { CARRYOVER_API_KEY: apiKey },
    });
    const hasBegun = expect.poll(() => linesOf(direct), { interval: 5 }).toBeGreaterThan(0);
    await Promise.race([hasBegun, importing.ended]);
    expect((await ask(direct.url, '/bulk-import/jobs')).jobs).toMatchObject([{ state: 'receiving' }]);
    await primary.kill();
    await reportBack('the primary killed', performance.now());
    primary.start();
    await signUps.stop();
    expect(await missing()).toEqual([]);
  });

  it('loses nothing in a switchover that an operator asks for, and the import ends', async () => {
    const { primary, sync } = await settled();
    const signUps = await signingUpAtBoth();
    const since = performance.now();
    const options = ['--leader', primary.name, '--candidate', sync.name, '--force'];
    expect(await cluster.patronictl('switchover', 'carryover', ...options)).toContain(
      'Successfully switched over',
    );
    await reportBack('a switchover', since);
    const ended = await importing.ended;
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    expect(await signIn(direct.url, `old-${users - 1}@patroni.test`)).toBe('OK');
    await signUps.stop();
    expect(await missing()).toEqual([]);
  });

  it('never has two primaries when one is cut off from etcd, and loses nothing', async () => {
    const { primary, sync } = await settled();
    const signUps = await signingUpAtBoth();
    const writable = watchWritable(cluster.nodes);
    cleanUp.push(() => writable.stop());
    primary.cutFromEtcd();
    const since = performance.now();
    // Until its lease ends it serves on.
    await expect.poll(() => sync.role(), { interval: 100 }).toBe('primary');
    await reportBack('the primary cut off from etcd', since);
    await expect(primary.sql('create table accepted ()')).rejects.toThrow();
    expect(await writable.stop()).toBe(1);
    primary.mend();
    await signUps.stop();
    expect(await missing()).toEqual([]);
  });

  it('has two when a Patroni hangs: the old one acknowledges nothing, and HAProxy leaves it', async () => {
    const { primary, sync } = await settled();
    await primary.sql('create table probe (n int)');
    const signUps = await signingUpAtBoth();
    primary.pause();
    const since = performance.now();
    await expect.poll(() => sync.role(), { interval: 100 }).toBe('primary');
    const again = await backAfter(balanced, since);
    process.stdout.write(`a Patroni hangs: sign-ins again after ${again} by HAProxy\n`);
    expect(await primary.sql('select pg_is_in_recovery() as is_standby')).toEqual([{ is_standby: false }]);
    const late = primary.sql('insert into probe values (1)').then(
      () => 'acknowledged',
      () => 'not acknowledged',
    );
    await expect
      .poll(() =>
        primary.sql(`select from pg_stat_activity where wait_event = 'SyncRep' and query ~ 'probe'`),
      )
      .toHaveLength(1);
    primary.resume();
    expect(await late).toBe('not acknowledged');
    await backAfter(direct, since);
    await signUps.stop();
    expect(await missing()).toEqual([]);
    expect(await sync.sql('select from probe')).toEqual([]);
  });

  it('ends with the same users on all nodes', async () => {
    const { primary } = await settled();
    const count = (node: PatroniNode) =>
      node
        .sql<{ all: string }>(
          `select md5(string_agg(user_id::text || email, ',' order by user_id)) as all from carryover.users`,
          'carryover',
        )
        .catch(String);
    const expected = await count(primary);
    for (const node of cluster.nodes) await expect.poll(() => count(node)).toEqual(expected);
  });
});
