/**
 * A follower reads the log of a PostgreSQL whose users change all the time, some in transactions that stay open. First it is left alone
 * and its lag is printed, then it and its core are killed. All users are read once, at the beginning: what a comparison finds to
 * be equal afterwards came by the log.
 *
 * CARRYOVER_FOLLOW: the number of kills; see long-runs.ts. With the number of `npm run faults` 2,000 users change in a second, and 500 under
 * the kills: a follower that lives for a second gets nowhere with more, and each wait for it would be as long as all that came before.
 * CARRYOVER_FOLLOW_SEED: which is killed when; it is printed when the test fails.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { asking } from '../helpers/ask.ts';
import { randomNumbers } from '../helpers/bulk-files.ts';
import { makePlace, type Place, type Running } from '../helpers/carryover.ts';
import { testApiKey } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { userTable } from '../helpers/followed.ts';
import { type Logged, makeLogged } from '../helpers/logged.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';
import { MortalCore } from '../helpers/mortal-core.ts';
import { knownHash } from '../helpers/people.ts';
import { type Alone, startAlone } from '../helpers/replicated.ts';
import { withTestKey as key } from '../helpers/use-core.ts';

const kills = countOf(longRuns.follow);
const isLong = kills >= longRuns.follow.long;
const { aloneRate, killedRate, undisturbedS, population } = isLong
  ? { aloneRate: 2000, killedRate: 500, undisturbedS: 60, population: 100_000 }
  : { aloneRate: 100, killedRate: 100, undisturbedS: 5, population: 2000 };
const seed = Number(process.env.CARRYOVER_FOLLOW_SEED ?? Date.now() % 1_000_000);
const random = randomNumbers(seed);
const ask = asking(testApiKey);

/** Each change is a transaction. */
const tables = `
  ${userTable()}
  create sequence new_user start ${population + 1};
  insert into users (id, email, password) select n, 'u' || n || '@example.com', '${knownHash}' from generate_series(3, ${population}) n;
  create procedure churn(changes int, mark text) language plpgsql as $$
  declare
    changed int;
  begin
    for change in 1..changes loop
      -- Not in the statement, which would then draw once for each row.
      changed := 1 + floor(random() * ${population});
      if random() < 0.05 then
        insert into users (id, email, password) select n, 'n' || n || '@example.com', '${knownHash}' from nextval('new_user') n;
      else
        update users set email = 'u' || id || '-' || mark || '-' || change || '@example.com'
        where id = changed;
      end if;
      commit;
    end loop;
  end $$;`;

let source: Alone;
let target: Alone;
let core: MortalCore;
let old: Logged;
let place: Place;

beforeAll(async () => {
  [source, target, place] = await Promise.all([startAlone(), startAlone(), makePlace()]);
  old = await makeLogged(source, 'laravel', tables);
  core = await MortalCore.start([target.uri], ([uri = '']) => ({
    API_KEYS: testApiKey,
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    POSTGRESQL_CONNECTION_URI: uri,
  }));
  await core.ready;
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`CARRYOVER_FOLLOW_SEED=${seed}\n`);
});
afterAll(async () => {
  await core.end();
  await Promise.all([source.remove(), target.remove(), place.remove()]);
});

/** The follower, which is started again when it has ended, as by systemd. */
class Follower {
  #running = this.#start();
  #isOver = false;
  /** What all of them said. */
  said = '';

  #start(): Running {
    const options = ['--interval', '1s', '--full-every', '240h', '--log', 'require', '--yes'];
    const running = place.start(
      ['follow', old.address, '--from', 'laravel', '--url', core.url, ...options],
      key,
    );
    void running.ended.then(({ stderr }) => {
      this.said += stderr;
      if (!this.#isOver) this.#running = this.#start();
    });
    return running;
  }

  hasSaid(pattern: RegExp): Promise<void> {
    return this.#running.said(pattern);
  }

  async kill(): Promise<void> {
    const killed = this.#running;
    killed.kill();
    await killed.ended;
    // As if the time had passed after which another follower may begin.
    await target.sql('update carryover.move_leases set leased_until = 0', 'core');
  }

  async end(): Promise<void> {
    this.#isOver = true;
    this.#running.interrupt();
    await this.#running.ended;
  }
}

/** Changes users at a rate until it is stopped. */
class Churn {
  perSecond = aloneRate;
  /** The changes that were made. */
  made = 0;

  async run(stopped: AbortSignal): Promise<void> {
    const tickMs = 100;
    await withSql(connection(), async (sql) => {
      await sql.unsafe(`set synchronous_commit = off`);
      let ticks = 0;
      for (const began = Date.now(); !stopped.aborted; ticks++) {
        const changes = (this.perSecond * tickMs) / 1000;
        await sql.unsafe(`call churn(${changes}, 'c${ticks}')`);
        this.made += changes;
        await delay(Math.max(0, began + (ticks + 1) * tickMs - Date.now()));
      }
    });
  }
}

/** Transactions that commit after later ones. */
async function linger(stopped: AbortSignal): Promise<void> {
  for (let number = 0; !stopped.aborted; number++) {
    const id = 1 + Math.floor(random() * population);
    await old.during(`update users set email = 'late${number}@example.com' where id = ${id}`, () =>
      delay(Math.floor(random() * 3000)),
    );
  }
}

function connection() {
  return { host: '127.0.0.1', port: source.port, user: 'postgres', password: '', database: old.database };
}

let markers = 0;
/** Signs a user up there. */
async function mark(): Promise<{ readonly email: string; readonly committedAt: number }> {
  const email = `marker-${markers++}@example.com`;
  await old.sql(
    `insert into users (id, email, password) values (nextval('new_user'), '${email}', '${knownHash}')`,
  );
  return { email, committedAt: Date.now() };
}

/** @returns the time from there to here, ms */
async function arrival({ email, committedAt }: Awaited<ReturnType<typeof mark>>): Promise<number> {
  await expect.poll(() => isHere(email), { timeout: 300_000, interval: 20 }).toBe(true);
  return Date.now() - committedAt;
}

/** A core that is being started again does not answer. */
async function isHere(email: string): Promise<boolean> {
  const path = `/public/users/by-accountinfo?email=${email}`;
  const answer = await ask(core.url, path).catch(() => ({ users: [] }));
  return Array.isArray(answer.users) && answer.users.length > 0;
}

/** Marks at random moments between two looks. They arrive in their order, so that one request at a time finds each. */
async function lagsFor(seconds: number): Promise<readonly number[]> {
  const end = Date.now() + seconds * 1000;
  const marked: ReturnType<typeof mark>[] = [];
  const marking = (async () => {
    while (Date.now() < end) {
      marked.push(mark());
      await delay(100 + random() * 200);
    }
  })();
  const lags: number[] = [];
  while (Date.now() < end || marked.length > 0) {
    const next = marked.shift();
    if (next === undefined) await delay(20);
    else lags.push(await arrival(await next));
  }
  await marking;
  return lags;
}

const percentile = (values: readonly number[], part: number): number =>
  values.toSorted((a, b) => a - b)[Math.ceil(values.length * part) - 1] ?? NaN;

test(
  `a follower and its core, killed ${kills} times, lose and repeat no change`,
  async () => {
    const flags = ['--url', core.url];
    const started = await place.run(
      ['move', 'start', old.address, '--from', 'laravel', '--yes', ...flags],
      key,
    );
    expect(started).toMatchObject({ code: 0 });
    for (const step of ['plan', 'next'])
      expect(
        await ask(core.url, `/move/${step}`, step === 'plan' ? { users: population } : {}),
      ).toMatchObject({
        status: 'OK',
      });
    const follower = new Follower();
    await follower.hasSaid(/All users were read/);
    const stop = new AbortController();
    const churn = new Churn();
    const changes = [churn.run(stop.signal), linger(stop.signal)];
    const startedAt = Date.now();
    const lags = await lagsFor(undisturbedS);
    const rate = Math.round((churn.made * 1000) / (Date.now() - startedAt));
    process.stdout.write(
      `${rate} changes a second, ${lags.length} samples of the lag: median ${percentile(lags, 0.5)} ms, p99 ${percentile(lags, 0.99)} ms\n`,
    );
    churn.perSecond = killedRate;
    for (let killed = 0; killed < kills; killed++) {
      await delay(random() * 2000);
      if (random() < 0.5) await follower.kill();
      else await core.kill();
      await core.ready;
      // Now and then both go on for a while.
      if (random() < 0.3) await arrival(await mark());
    }
    stop.abort();
    await Promise.all(changes);
    await arrival(await mark());
    await follower.end();
    expect(follower.said.match(/All users were read/g)).toHaveLength(1);
    const compared = await place.run(['compare', old.address, '--from', 'laravel', ...flags], key);
    expect([compared.code, compared.stdout + compared.stderr]).toEqual([0, expect.any(String)]);
    const [there] = await old.sql<{ users: number }>('select count(*)::int as users from users');
    expect(await ask(core.url, '/users/count')).toMatchObject({ count: there?.users });
    process.stdout.write(`${churn.made} changes, ${kills} kills\n`);
  },
  600_000 + kills * 30_000,
);
