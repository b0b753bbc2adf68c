/**
 * The program is killed while clients refresh and use their sessions, repeatedly, at points that count requests. A client repeats
 * with the tokens it has: none may be signed out by that, or treated as a thief.
 *
 * CRASH_POINTS: the number; see long-runs.ts. CRASH_SEED: the points; it is printed when the test fails.
 */
import { setImmediate as turn } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { hash1, hash2 } from '../../src/features/sessions/refresh-token.ts';
import { uriOf } from '../helpers/bulk-client.ts';
import { randomNumbers } from '../helpers/bulk-files.ts';
import { testApiKey } from '../helpers/core.ts';
import { withSql } from '../helpers/database-door.ts';
import { createMigratedDatabase, type TestDatabase } from '../helpers/postgres.ts';
import { addressOf, type Program, runMain } from '../helpers/process.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';

const points = countOf(longRuns.sessionCrash);
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 1_000_000);
const random = randomNumbers(seed);
const clients = 8;
/** Between two kills: some happen at the first requests of a core. */
const mostRequests = 40;

let database: TestDatabase;
const programs = new Set<Program>();

beforeAll(async () => {
  database = await createMigratedDatabase();
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`CRASH_SEED=${seed}\n`);
});
afterAll(async () => {
  await Promise.all([...programs].map((program) => program.end('SIGKILL')));
  await database.drop();
});

function start(): Program {
  const program = runMain({
    environment: {
      API_KEYS: testApiKey,
      ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
      POSTGRESQL_CONNECTION_URI: uriOf(database.connection),
    },
  });
  programs.add(program);
  return program;
}

interface Answered {
  readonly status: string;
  readonly session: { readonly handle: string };
  readonly accessToken?: { readonly token: string };
  readonly refreshToken: { readonly token: string };
}

/** A core that is killed after a number of requests; the next one starts meanwhile. */
class Victim {
  kills = 0;
  #left = Infinity;
  #current = up();
  #next = up();

  get isOver(): boolean {
    return this.kills >= points;
  }

  /** From now on it is killed. */
  arm(): void {
    this.#left = Math.ceil(random() * mostRequests);
  }

  /** Repeats the unchanged request as long as the core is killed before it answers. */
  async ask(path: string, input: object): Promise<Answered> {
    for (;;) {
      const { program, url } = this.#current;
      const request = send(`${await url}${path}`, input);
      if (--this.#left === 0) void this.#kill();
      const answer = await request.catch((error: unknown) => {
        if (!program.child.killed) throw error;
      });
      if (answer !== undefined) {
        expect([answer.http, answer.text]).toEqual([200, answer.text]);
        return JSON.parse(answer.text) as Answered;
      }
    }
  }

  async #kill(): Promise<void> {
    const { program } = this.#current;
    // Some requests are answered, some are in the database, some were not read yet.
    const turns = Math.floor(random() * 60);
    for (let i = 0; i < turns; i++) await turn();
    this.#current = this.#next;
    this.kills++;
    const ended = program.end('SIGKILL');
    if (!this.isOver) {
      this.#next = up();
      this.arm();
    }
    await ended;
    programs.delete(program);
  }
}

function up() {
  const program = start();
  const url = program.printed(/"msg":"ready"/).then(() => addressOf(program));
  url.catch(() => undefined);
  return { program, url };
}

async function send(url: string, input: object) {
  const headers = { 'api-key': testApiKey };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(input) });
  return { http: response.status, text: await response.text() };
}

const create = (victim: Victim, userId: string) =>
  victim.ask('/recipe/session', {
    userId,
    enableAntiCsrf: false,
    userDataInJWT: { of: userId },
    userDataInDatabase: {},
  });
const refresh = (victim: Victim, refreshToken: string) =>
  victim.ask('/recipe/session/refresh', { refreshToken, enableAntiCsrf: false, useDynamicSigningKey: true });
const verify = (victim: Victim, accessToken: string) =>
  victim.ask('/recipe/session/verify', {
    accessToken,
    enableAntiCsrf: false,
    doAntiCsrfCheck: false,
    checkDatabase: false,
  });

/** Refreshes, and promotes the new tokens: by using the access token, or by refreshing again. */
async function refreshOn(victim: Victim, held: Answered, isUsed: boolean): Promise<Answered> {
  const child = await refresh(victim, held.refreshToken.token);
  expect(child).toMatchObject({ status: 'OK', session: held.session });
  if (isUsed) {
    const used = await verify(victim, child.accessToken?.token ?? '');
    expect(used).toMatchObject({ status: 'OK', session: held.session, accessToken: {} });
  }
  return child;
}

/** @returns the session as its client had it first and has it last */
async function live(victim: Victim, first: Answered) {
  let last = first;
  while (!victim.isOver) last = await refreshOn(victim, last, random() < 0.6);
  return { first, last: await refreshOn(victim, last, true) };
}

/** @returns handles of sessions that were answered */
async function signIn(victim: Victim): Promise<string[]> {
  const handles: string[] = [];
  while (!victim.isOver) handles.push((await create(victim, 'newcomer')).session.handle);
  return handles;
}

interface Row {
  readonly handle: string;
  readonly user_key: string;
  readonly refresh_hash: string;
}

test(
  `killed ${points} times, no session is lost, doubled or taken for stolen`,
  async () => {
    const victim = new Victim();
    const begun = await Promise.all(Array.from({ length: clients }, (_, n) => create(victim, `client-${n}`)));
    victim.arm();
    const [created, ...lives] = await Promise.all([
      signIn(victim),
      ...begun.map((session) => live(victim, session)),
    ]);
    const rows = await withSql(
      database.connection,
      (sql) =>
        sql<
          Row[]
        >`select handle, user_key, encode(refresh_hash, 'hex') as refresh_hash from carryover.sessions`,
    );
    const kept = rows.filter(({ user_key: user }) => user !== 'newcomer');
    expect(new Map(kept.map(({ handle, refresh_hash: hash }) => [handle, hash]))).toEqual(
      new Map(lives.map(({ last }) => [last.session.handle, hash2(hash1(last.refreshToken.token))])),
    );
    expect(kept).toHaveLength(clients);
    expect(new Set(rows.map(({ handle }) => handle))).toEqual(
      new Set([...rows.map(({ handle }) => handle), ...created]),
    );
    // A thief is still distinguished from a client that repeats.
    const stolen = await refresh(victim, lives[0]?.first.refreshToken.token ?? '');
    expect(stolen.status).toBe('TOKEN_THEFT_DETECTED');
  },
  300_000 + points * 10_000,
);
