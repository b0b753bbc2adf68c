/** A core whose database fails over to its standby during requests and imports. */
import { setImmediate as turn } from 'node:timers/promises';
import { afterEach, describe, expect, it } from 'vitest';
import { asking } from '../helpers/ask.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { knownHash, knownPassword } from '../helpers/people.ts';
import { addressOf, type Program, runCommand, runMain } from '../helpers/process.ts';
import { type Replicated, startAlone, startReplicated } from '../helpers/replicated.ts';
import { openSlowWay } from '../helpers/slow-way.ts';

const apiKey = 'failover-key-0123456789';
const cleanUp: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const each of cleanUp.splice(0).reverse()) await each();
});

async function replicated(): Promise<Replicated> {
  const pair = await startReplicated();
  cleanUp.push(() => pair.stop());
  return pair;
}

function startCore(uri: string): Program {
  const program = runMain({
    environment: { HOST: '127.0.0.1', API_KEYS: apiKey, POSTGRESQL_CONNECTION_URI: uri },
  });
  cleanUp.push(() => program.end());
  return program;
}

async function readyCore(uri: string): Promise<{ program: Program; url: string }> {
  const program = startCore(uri);
  await program.printed(/"msg":"ready"/);
  return { program, url: await addressOf(program) };
}

const ask = asking(apiKey);

const health = (url: string) => ask(url, '/health');

/** Repeated while it is refused with a 503, as by SDKs and people. */
async function askUntilTaken(url: string, route: string, body: object): Promise<unknown> {
  for (;;) {
    const { status } = await ask(url, route, body);
    if (status !== 'OVERLOADED') return status;
    await turn();
  }
}

/** Signs users up until it is stopped, or the test ends. @returns the acknowledged emails */
function signingUp(url: string): { stop(): Promise<string[]> } {
  const acknowledged: string[] = [];
  const over = new AbortController();
  const going = (async () => {
    for (let n = 0; !over.signal.aborted; n++) {
      const email = `new-${n}@failover.test`;
      const { status } = await ask(url, '/recipe/signup', { email, password: knownPassword });
      if (status === 'OK') acknowledged.push(email);
      await turn();
    }
  })();
  const stop = async (): Promise<string[]> => {
    over.abort();
    await going;
    return acknowledged;
  };
  cleanUp.push(stop);
  return { stop };
}

/** Of the newest job. */
const linesOf = async (url: string): Promise<number> =>
  ((await ask(url, '/bulk-import/jobs')).jobs as { lines: number }[] | undefined)?.[0]?.lines ?? 0;

const users = 60_000;
const line = (n: number): string =>
  `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email: `old-${n}@failover.test`, passwordHash: knownHash }] })}\n`;

async function placeWithExport(): Promise<Place> {
  const place = await makePlace();
  cleanUp.push(() => place.remove());
  await place.write('users.ndjson', Array.from({ length: users }, (_, n) => line(n)).join(''));
  return place;
}

describe('a failover to a synchronous standby', () => {
  it('loses nothing that was acknowledged, and the import continues', async () => {
    const pair = await replicated();
    await pair.makeSynchronous();
    const { url, program } = await readyCore(pair.uri);
    await expect.poll(async () => (await health(url)).failover).toBe('SYNCHRONOUS');
    const place = await placeWithExport();
    const signUps = signingUp(url);
    const importing = place.start(['import', 'users.ndjson', '--from', 'native', '--url', url, '--yes'], {
      environment: { CARRYOVER_API_KEY: apiKey },
    });
    const hasBegun = expect.poll(() => linesOf(url), { interval: 5 }).toBeGreaterThan(0);
    await Promise.race([hasBegun, importing.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
    await pair.primary.kill();
    expect((await ask(url, '/recipe/signin', { email: 'old-1@failover.test', password: 'x' })).status).toBe(
      'DATABASE_UNAVAILABLE',
    );
    await pair.promote();
    const promotedAt = performance.now();
    const signedInAgain = async () =>
      (await ask(url, '/recipe/signin', { email: 'old-1@failover.test', password: knownPassword })).status;
    await expect.poll(signedInAgain, { interval: 20 }).toBe('OK');
    process.stdout.write(`failover: sign-ins again ${Math.round(performance.now() - promotedAt)} ms later\n`);
    // Commits wait for a standby, and none is connected.
    await pair.standby.sql(`alter system set synchronous_standby_names = ''`);
    await pair.standby.sql('select pg_reload_conf()');
    const ended = await importing.ended;
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    const acknowledged = await signUps.stop();
    expect(acknowledged.length).toBeGreaterThan(0);
    for (const email of acknowledged)
      expect([email, (await ask(url, '/recipe/signin', { email, password: knownPassword })).status]).toEqual([
        email,
        'OK',
      ]);
    const { count } = await ask(url, '/users/count');
    expect(count).toBeGreaterThanOrEqual(users + acknowledged.length);
    expect(program.stdout()).toMatch(/the database can be used again/);
  });
});

describe('a database that becomes slow in the middle of an import', () => {
  it.each([50, 500])('by %i ms a round trip delays answers and loses none', async (ms) => {
    const server = await startAlone();
    cleanUp.push(() => server.remove());
    const way = await openSlowWay(server.port);
    cleanUp.push(() => way.close());
    const { url } = await readyCore(`postgresql://core@127.0.0.1:${way.port}/core?sslmode=disable`);
    const place = await placeWithExport();
    const importing = place.start(['import', 'users.ndjson', '--from', 'native', '--url', url, '--yes'], {
      environment: { CARRYOVER_API_KEY: apiKey },
    });
    const hasBegun = expect.poll(() => linesOf(url), { interval: 5 }).toBeGreaterThan(0);
    await Promise.race([hasBegun, importing.ended.then(({ stderr }) => Promise.reject(new Error(stderr)))]);
    way.delayMs = ms;
    const signUps = signingUp(url);
    const statuses = await Promise.all(
      Array.from({ length: 8 }, async () => [
        await askUntilTaken(url, '/recipe/signin', { email: 'old-1@failover.test', password: knownPassword }),
        await askUntilTaken(url, '/recipe/signin', { email: 'old-1@failover.test', password: 'wrong' }),
        (await health(url)).status,
      ]),
    );
    expect(statuses).toEqual(statuses.map(() => ['OK', 'WRONG_CREDENTIALS_ERROR', 'OK']));
    const acknowledged = await signUps.stop();
    way.delayMs = 0;
    const ended = await importing.ended;
    expect([ended.code, ended.stderr]).toEqual([0, expect.any(String)]);
    expect((await ask(url, '/users/count')).count).toBe(users + acknowledged.length);
  });
});

describe('a database that may lose acknowledged writes', () => {
  it('is reported at the start, by /health and by doctor database, with the cure', async () => {
    const pair = await replicated();
    const { url, program } = await readyCore(pair.uri);
    await program.printed(/"failover":"ASYNCHRONOUS".*set synchronous_standby_names/);
    expect((await health(url)).failover).toBe('ASYNCHRONOUS');
    const doctor = (...more: string[]) =>
      runCommand({
        environment: { POSTGRESQL_CONNECTION_URI: pair.uri },
        arguments: ['doctor', 'database', ...more],
      });
    const examined = doctor();
    expect(await examined.ended).toEqual([1, null]);
    expect(examined.stdout()).toMatch(
      new RegExp(
        `127.0.0.1:${pair.primary.port} +primary\n127.0.0.1:${pair.standby.port} +standby\n[\\s\\S]*a failover +A failover loses acknowledged`,
      ),
    );
    await pair.makeSynchronous();
    const synchronous = doctor('--json');
    expect(await synchronous.ended).toEqual([0, null]);
    expect(JSON.parse(synchronous.stdout())).toMatchObject({
      failover: { state: 'SYNCHRONOUS', standbys: 1 },
      tables: { pending: [] },
    });
  });
});

describe('an address that cannot be meant', () => {
  it('servers of two clusters are refused', async () => {
    const [one, other] = await Promise.all([replicated(), replicated()]);
    const program = startCore(
      `postgresql://core@127.0.0.1:${one.primary.port},127.0.0.1:${other.primary.port}/core`,
    );
    expect(await program.ended).toEqual([1, null]);
    expect(program.stdout() + program.stderr()).toMatch(/not copies of one database/);
  });

  it('a standby as the only server is named, with the cure', async () => {
    const pair = await replicated();
    const program = startCore(`postgresql://core@127.0.0.1:${pair.standby.port}/core`);
    await program.printed(/It is a standby.*give the primary's address/);
  });
});
