/**
 * Apps move at random between three places and back, while people sign up and refresh sessions. The command, cores and databases
 * are killed, and cores are paused and cut off from a place. Afterwards each app is in one place, and nothing that was acknowledged is missing.
 *
 * CARRYOVER_MOVES: the number of moves; see long-runs.ts. CARRYOVER_MOVES_SEED: the walk; it is printed when the test fails.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { randomNumbers } from '../helpers/bulk-files.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';
import { MortalCore } from '../helpers/mortal-core.ts';
import { askCore, type Movable, placeNames, startMovable } from '../helpers/movable.ts';

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
  home: string;
  /** Where its last move came from, if it may still go back. */
  previous: string | undefined;
  readonly people: string[];
  /** The newest refresh token of a session, once it is acknowledged. */
  token: string;
}

const password = 'a password';
const session = { enableAntiCsrf: false, useDynamicSigningKey: true };
const notDone: ReadonlySet<unknown> = new Set(['DATABASE_UNAVAILABLE', 'OVERLOADED', 'SHUTTING_DOWN']);

let movable: Movable;
const cores: MortalCore[] = [];
const apps: App[] = [];
const violations: string[] = [];

beforeAll(async () => {
  const settings = {
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    PASSWORD_HASHING_ALG: 'BCRYPT',
    BCRYPT_LOG_ROUNDS: '4',
  };
  movable = await startMovable(settings, placeNames.length);
  for (let n = 0; n < 2; n++) cores.push(await MortalCore.start(movable.uris, movable.environmentWith));
  await Promise.all(cores.map((core) => core.ready));
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`CARRYOVER_MOVES_SEED=${seed}\n`);
});
afterAll(async () => {
  await Promise.all(cores.map((core) => core.end()));
  await movable.remove();
});

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
  return { id, home: 'first', previous: undefined, people: [], token: tokenOf(made) };
}

async function killCore(): Promise<void> {
  const core = pick(cores);
  await core.kill();
  await core.ready;
}

async function killServer(): Promise<void> {
  const server = pick(movable.servers);
  await server.kill();
  await server.start();
}

const disturbances: readonly (() => Promise<void> | void)[] = [
  () => undefined,
  killCore,
  killServer,
  () => pick(cores).pause(200 + random() * 1500),
  () => pick(cores).cutOff(200 + random() * 2000, Math.floor(random() * placeNames.length)),
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
  const { previous, home } = app;
  if (previous === undefined) {
    const to = pick(placeNames.filter((name) => name !== home));
    await insistOnMove(app, '--to', to);
    app.home = to;
    app.previous = home;
    return;
  }
  app.previous = undefined;
  if (random() < 0.5) return insistOnMove(app, '--confirm');
  await insistOnMove(app, '--back');
  app.home = previous;
}

test('each app is in one place, with everyone who was acknowledged', async () => {
  apps.push(...(await Promise.all(['one', 'two', 'three'].map(makeApp))));
  const over = new AbortController();
  const going = apps.map((app) => live(app, over.signal));
  for (let n = 0; n < moves; n++) await step(pick(apps));
  for (const app of apps) if (app.previous !== undefined) await step(app);
  over.abort();
  await Promise.all(going);
  for (const app of apps) {
    for (const email of app.people) {
      const { status } = await insist(`/appid-${app.id}/recipe/signin`, { email, password });
      if (status !== 'OK') violations.push(`${email} was acknowledged: ${status}`);
    }
    const people = await movable.peopleOf(app.id);
    const here = people[placeNames.findIndex((name) => name === app.home)] ?? 0;
    const inAll = people.reduce((sum, each) => sum + each, 0);
    if (inAll !== here || here < app.people.length)
      violations.push(`${app.id} is in '${app.home}': ${people.join(', ')} people in the places`);
  }
  expect(violations).toEqual([]);
  expect(await movable.leftovers()).toEqual([]);
  const people = apps.map((app) => app.people.length);
  process.stdout.write(`moves: ${moves}; sign-ups ${people.join(', ')}\n`);
});
