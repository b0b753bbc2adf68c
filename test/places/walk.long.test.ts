/**
 * Apps move at random between two places and back, while people sign up and refresh sessions, and the command, cores and databases
 * are killed. Afterwards each app is in one place, and nothing that was acknowledged is missing.
 *
 * CARRYOVER_MOVES: the number of moves; see long-runs.ts. CARRYOVER_MOVES_SEED: the walk; it is printed when the test fails.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { randomNumbers } from '../helpers/bulk-files.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';
import { askCore, type Movable, startMovable } from '../helpers/movable.ts';
import type { Program } from '../helpers/process.ts';

const moves = countOf(longRuns.moves);
const seed = Number(process.env.CARRYOVER_MOVES_SEED ?? Date.now() % 1_000_000);
const random = randomNumbers(seed);
const pick = <Each>(all: readonly Each[]): Each => {
  const each = all[Math.floor(random() * all.length)];
  if (each === undefined) throw new Error('nothing to pick from');
  return each;
};

interface App {
  readonly id: string;
  home: 'first' | 'second';
  /** Whether its last move may still go back. */
  isOpen: boolean;
  readonly people: string[];
  /** The newest refresh token of a session, once it is acknowledged. */
  token: string;
}

const password = 'a password';
const session = { enableAntiCsrf: false, useDynamicSigningKey: true };
const notDone: ReadonlySet<unknown> = new Set(['DATABASE_UNAVAILABLE', 'OVERLOADED', 'SHUTTING_DOWN']);

let movable: Movable;
let cores: { readonly program: Program; readonly url: string }[] = [];
const apps: App[] = [];
const violations: string[] = [];

beforeAll(async () => {
  movable = await startMovable({
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    PASSWORD_HASHING_ALG: 'BCRYPT',
    BCRYPT_LOG_ROUNDS: '4',
  });
  cores = [await movable.startCore(), await movable.startCore()];
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`CARRYOVER_MOVES_SEED=${seed}\n`);
});
afterAll(() => movable.remove());

interface Answer {
  readonly status: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Repeats what was not carried out. @returns UNKNOWN if the outcome is open */
async function insist(path: string, body: object): Promise<Answer> {
  for (;;) {
    try {
      const answer = await askCore(pick(cores).url, path, body);
      if (!notDone.has(answer.status)) {
        const isOpen = answer.status === 'OUTCOME_UNKNOWN';
        return { status: isOpen ? 'UNKNOWN' : String(answer.status), body: answer };
      }
    } catch {
      return { status: 'UNKNOWN', body: {} };
    }
    await delay(20);
  }
}

async function signUp(app: App, n: number): Promise<void> {
  const email = `person-${n}@${app.id}.test`;
  const { status } = await insist(`/appid-${app.id}/recipe/signup`, { email, password });
  if (status === 'OK') app.people.push(email);
  else if (status !== 'UNKNOWN') violations.push(`sign-up in ${app.id}: ${status}`);
}

const tokenOf = ({ body }: Answer): string =>
  String((body.refreshToken as { token?: unknown } | undefined)?.token);

/** A client without an answer sends its token again: that is no theft until the successor was used. */
async function refresh(app: App): Promise<void> {
  const answer = await insist(`/appid-${app.id}/recipe/session/refresh`, {
    ...session,
    refreshToken: app.token,
  });
  if (answer.status === 'OK') app.token = tokenOf(answer);
  else if (answer.status !== 'UNKNOWN') violations.push(`refresh in ${app.id}: ${answer.status}`);
}

async function live(app: App, over: AbortSignal): Promise<void> {
  for (let n = 0; !over.aborted; n++) {
    await signUp(app, n);
    await refresh(app);
    await delay(5);
  }
}

async function makeApp(id: string): Promise<App> {
  await askCore(pick(cores).url, '/recipe/multitenancy/app/v2', { appId: id }, 'PUT');
  const body = { ...session, userId: 'someone', userDataInJWT: {}, userDataInDatabase: {} };
  const made = await insist(`/appid-${id}/recipe/session`, body);
  return { id, home: 'first', isOpen: false, people: [], token: tokenOf(made) };
}

async function killCore(): Promise<void> {
  const at = Math.floor(random() * cores.length);
  cores[at]?.program.child.kill('SIGKILL');
  cores[at] = await movable.startCore();
}

async function killServer(): Promise<void> {
  const server = pick([movable.first, movable.second]);
  await server.kill();
  await server.start();
}

const disturbances: readonly (() => Promise<void> | void)[] = [
  () => undefined,
  () => undefined,
  killCore,
  killServer,
];

/** Runs the command until it succeeds: it is killed at random, and cores and servers with it. */
async function insistOnMove(app: App, ...step: readonly string[]): Promise<void> {
  for (let attempt = 0; ; attempt++) {
    const moving = movable.move(app.id, ...step);
    if (attempt < 3 && random() < 0.5) {
      await Promise.race([moving.ended, delay(200 + random() * 2500)]);
      moving.child.kill('SIGKILL');
    } else if (attempt < 3) {
      await Promise.race([moving.ended, delay(random() * 2000)]);
      await pick(disturbances)();
    }
    const [code] = await moving.ended;
    // The command was killed after its work.
    if (code === 0 || /No move of the app|has been moved to/.test(moving.stderr())) return;
    if (attempt > 30) throw new Error(moving.stderr());
  }
}

async function step(app: App): Promise<void> {
  const other = app.home === 'first' ? 'second' : 'first';
  if (!app.isOpen) {
    await insistOnMove(app, '--to', other);
    app.home = other;
    app.isOpen = true;
    return;
  }
  app.isOpen = false;
  if (random() < 0.5) return insistOnMove(app, '--confirm');
  await insistOnMove(app, '--back');
  app.home = other;
}

test('each app is in one place, with everyone who was acknowledged', async () => {
  apps.push(...(await Promise.all(['one', 'two', 'three'].map(makeApp))));
  const over = new AbortController();
  const going = apps.map((app) => live(app, over.signal));
  for (let n = 0; n < moves; n++) await step(pick(apps));
  for (const app of apps) if (app.isOpen) await step(app);
  over.abort();
  await Promise.all(going);
  for (const app of apps) {
    for (const email of app.people) {
      const { status } = await insist(`/appid-${app.id}/recipe/signin`, { email, password });
      if (status !== 'OK') violations.push(`${email} was acknowledged: ${status}`);
    }
    const [first, second] = await movable.peopleOf(app.id);
    const [here, there] = app.home === 'first' ? [first, second] : [second, first];
    if (there !== 0 || here < app.people.length)
      violations.push(`${app.id} is in '${app.home}': ${first} people in first, ${second} in second`);
  }
  expect(violations).toEqual([]);
  expect(await movable.leftovers()).toEqual([]);
  const people = apps.map((app) => app.people.length);
  process.stdout.write(`moves: ${moves}; sign-ups ${people.join(', ')}\n`);
});
