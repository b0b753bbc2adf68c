/**
 * Clients of three cores on one database, while cores are killed, paused, slowed and cut off from the database, and the database is
 * killed and its connections are ended, at random. Acknowledged changes are compared with a model.
 *
 * CARRYOVER_MANY_CORES: the number of faults; see long-runs.ts. CARRYOVER_MANY_CORES_SEED: the faults; it is printed when the
 * test fails.
 */
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { randomNumbers } from '../helpers/bulk-files.ts';
import { countOf, longRuns } from '../helpers/long-runs.ts';
import { MortalCore } from '../helpers/mortal-core.ts';
import { type Alone, startAlone } from '../helpers/replicated.ts';

const faults = countOf(longRuns.manyCores);
const seed = Number(process.env.CARRYOVER_MANY_CORES_SEED ?? Date.now() % 1_000_000);
const random = randomNumbers(seed);
const pick = <Each>(all: readonly Each[]): Each => {
  const each = all[Math.floor(random() * all.length)];
  if (each === undefined) throw new Error('nothing to pick from');
  return each;
};

const apiKey = 'many-histories-key-0123456789';
const clients = 30;

let database: Alone;
const cores: MortalCore[] = [];

type Method = 'GET' | 'POST';

interface Answer {
  /** The answer's status word; UNKNOWN if the outcome is open; AWAY if nothing was done. */
  readonly status: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Statuses of requests that were not carried out. */
const notDone: ReadonlySet<unknown> = new Set(['DATABASE_UNAVAILABLE', 'OVERLOADED', 'SHUTTING_DOWN']);

async function ask(path: string, body: object, method: Method = 'POST'): Promise<Answer> {
  try {
    const response = await fetch(`${pick(cores).url}${path}`, {
      method,
      headers: { 'api-key': apiKey, 'carryover-client-address': '192.0.2.1' },
      ...(method === 'POST' && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    const answer = (await response.json()) as Record<string, unknown>;
    if (notDone.has(answer.status)) return { status: 'AWAY', body: answer };
    const isOpen = answer.status === 'OUTCOME_UNKNOWN' || response.status >= 500;
    return { status: isOpen ? 'UNKNOWN' : String(answer.status), body: answer };
  } catch {
    return { status: 'UNKNOWN', body: {} };
  }
}

/** Repeats requests that were not carried out. */
async function insist(path: string, body: object, method?: Method): Promise<Answer> {
  for (;;) {
    const answer = await ask(path, body, method);
    if (answer.status !== 'AWAY') return answer;
    await delay(20);
  }
}

/** As `insist`, for requests that may be carried out twice. */
async function certain(path: string, body: object, method?: Method): Promise<Answer> {
  for (;;) {
    const answer = await insist(path, body, method);
    if (answer.status !== 'UNKNOWN') return answer;
    await delay(20);
  }
}

const violations: string[] = [];
const done = { signUps: 0, redemptions: 0, refreshes: 0, guesses: 0, links: 0 };
const acknowledged = new Map<string, { readonly id: string; readonly password: string }>();
let names = 0;

function userIdOf({ body }: Answer): string {
  return String((body.user as { id?: unknown } | undefined)?.id);
}

/** Several clients sign up with one email at once: one of them gets it. */
async function contest(): Promise<void> {
  const email = `person-${names++}@many.test`;
  const rivals = [1, 2, 3].map((n) => `password-${n}`);
  const answers = await Promise.all(
    rivals.map(async (password) => ({
      password,
      answer: await insist('/recipe/signup', { email, password }),
    })),
  );
  const winners = answers.filter(({ answer }) => answer.status === 'OK');
  const open = answers.filter(({ answer }) => answer.status === 'UNKNOWN');
  if (winners.length > 1) violations.push(`${email} was signed up ${winners.length} times`);
  if (winners.length + open.length === 0) violations.push(`no one could sign up as ${email}`);
  const [winner] = winners;
  if (winner) acknowledged.set(email, { id: userIdOf(winner.answer), password: winner.password });
  done.signUps += winners.length;
}

/** A token for verifying an email is redeemed by several clients at once: once. */
async function redeem(): Promise<void> {
  const email = `verify-${names++}@many.test`;
  const userId = `user-${names}`;
  const made = await certain('/recipe/user/email/verify/token', { userId, email });
  const token = String(made.body.token);
  const answers = await Promise.all(
    [1, 2, 3].map(() => insist('/recipe/user/email/verify', { method: 'token', token })),
  );
  const redeemed = answers.filter(({ status }) => status === 'OK').length;
  const open = answers.filter(({ status }) => status === 'UNKNOWN').length;
  if (redeemed > 1) violations.push(`a token was redeemed ${redeemed} times`);
  if (redeemed + open === 0) violations.push('a token that is good was refused');
  const late = await certain('/recipe/user/email/verify', { method: 'token', token });
  if (redeemed > 0 && late.status === 'OK') violations.push('a redeemed token was redeemed again');
  done.redemptions += redeemed;
}

const tokenOf = ({ body }: Answer): string =>
  String((body.refreshToken as { token?: unknown } | undefined)?.token);

/** A session is refreshed twice, and then with its first token again: that is theft. */
async function refresh(): Promise<void> {
  const rest = { enableAntiCsrf: false, useDynamicSigningKey: true };
  const session = { ...rest, userId: `user-${names++}`, userDataInJWT: {}, userDataInDatabase: {} };
  const made = await certain('/recipe/session', session);
  let token = tokenOf(made);
  const first = token;
  for (let n = 0; n < 3; n++) {
    // A client without an answer sends the same token again: that is not theft until its successor was used.
    const answer = await certain('/recipe/session/refresh', { ...rest, refreshToken: token });
    if (answer.status !== 'OK') {
      violations.push(`a refresh token that is good was refused: ${answer.status}`);
      return;
    }
    token = tokenOf(answer);
    done.refreshes++;
  }
  const stolen = await certain('/recipe/session/refresh', { ...rest, refreshToken: first });
  if (stolen.status === 'OK') violations.push('a spent refresh token was good again');
  const after = await certain('/recipe/session/refresh', { ...rest, refreshToken: token });
  // Whether theft ends the session is the app's decision; the core reports it.
  if (!['OK', 'UNAUTHORISED'].includes(after.status)) violations.push(`after theft: ${after.status}`);
}

/** Wrong guesses at one account since the database was last killed, which forgets them. */
const guesses = { account: 'guessed-0@many.test', since: performance.now(), wrong: 0 };
const perAccount = 10;
const refillMs = 30_000;

async function guess(): Promise<void> {
  const epoch = guesses.account;
  const { status } = await ask('/recipe/signin', { email: epoch, password: 'wrong' });
  if (status !== 'WRONG_CREDENTIALS_ERROR' || guesses.account !== epoch) return;
  guesses.wrong++;
  done.guesses++;
  const refilled = Math.ceil((performance.now() - guesses.since) / refillMs);
  if (guesses.wrong > perAccount + 3 + refilled)
    violations.push(`${guesses.wrong} wrong guesses at one account`);
}

function forgetGuesses(): void {
  guesses.account = `guessed-${names++}@many.test`;
  guesses.since = performance.now();
  guesses.wrong = 0;
}

async function newUser(): Promise<string> {
  for (;;) {
    const body = { email: `linked-${names++}@many.test`, password: 'password-1' };
    const made = await insist('/recipe/signup', body);
    if (made.status === 'OK') return userIdOf(made);
  }
}

const linking = '/recipe/accountlinking/user';

/** Ids of the login methods of the user that this one belongs to. */
async function membersOf(userId: string): Promise<readonly string[]> {
  const { body } = await certain(`/user/id?userId=${userId}`, {}, 'GET');
  const user = body.user as { loginMethods?: readonly { recipeUserId: string }[] } | undefined;
  return (user?.loginMethods ?? []).map(({ recipeUserId }) => recipeUserId);
}

/** Clients link one user to two others at once: it belongs to one of them, until it is unlinked. */
async function link(): Promise<void> {
  const [one, other, member] = await Promise.all([newUser(), newUser(), newUser()]);
  for (const recipeUserId of [one, other]) await certain(`${linking}/primary`, { recipeUserId });
  const answers = await Promise.all(
    [one, other, one].map(async (primaryUserId) => {
      const { status } = await insist(`${linking}/link`, { recipeUserId: member, primaryUserId });
      return { primaryUserId, status };
    }),
  );
  const linked = new Set(answers.filter(({ status }) => status === 'OK').map((each) => each.primaryUserId));
  const isOpen = answers.some(({ status }) => status === 'UNKNOWN');
  if (linked.size > 1) violations.push('a user was linked to two others');
  if (linked.size === 0 && !isOpen) violations.push('a user could not be linked');
  const owners = await ownersOf(member, [one, other]);
  for (const owner of linked)
    if (owners.length !== 1 || !owners.includes(owner))
      violations.push(`a link was acknowledged: the user belongs to ${owners.length} others`);
  await certain(`${linking}/unlink`, { recipeUserId: member });
  const after = [...(await ownersOf(member, [one, other])), ...(await membersOf(member))];
  if (after.join() !== member) violations.push('an unlinked user is linked, or gone');
  done.links += linked.size;
}

async function ownersOf(member: string, users: readonly string[]): Promise<string[]> {
  const members = await Promise.all(users.map(membersOf));
  return users.filter((_, at) => members[at]?.includes(member));
}

const operations = [contest, redeem, refresh, link, guess, guess];

const faultsAtRandom: readonly (() => Promise<void>)[] = [
  async () => {
    const core = pick(cores);
    await core.kill();
    await core.ready;
  },
  () => pick(cores).pause(200 + random() * 1500),
  () => pick(cores).cutOff(200 + random() * 3000),
  () => pick(cores).slow(pick([50, 500]), 500 + random() * 2000),
  async () => {
    await database.sql(
      `select pg_terminate_backend(pid) from pg_stat_activity where usename = 'core' and random() < 0.5`,
    );
  },
  async () => {
    await database.kill();
    // Before it starts: from then on clients guess, and the table is empty.
    forgetGuesses();
    await database.start();
  },
];

beforeAll(async () => {
  database = await startAlone();
  const environment = {
    API_KEYS: apiKey,
    ENCRYPTION_KEYS: Buffer.alloc(32, 7).toString('base64'),
    LOG_LEVEL: 'info',
    // Passwords are not tested here: many requests are.
    BCRYPT_LOG_ROUNDS: '4',
    PASSWORD_HASHING_ALG: 'BCRYPT',
  };
  for (let n = 0; n < 3; n++)
    cores.push(
      await MortalCore.start([database.uri], ([uri = '']) => ({
        ...environment,
        POSTGRESQL_CONNECTION_URI: uri,
      })),
    );
  await Promise.all(cores.map((core) => core.ready));
});
afterEach(({ task }) => {
  if (task.result?.state === 'fail') process.stderr.write(`CARRYOVER_MANY_CORES_SEED=${seed}\n`);
});
afterAll(async () => {
  await Promise.all(cores.map((core) => core.end()));
  await database.remove();
});

test('nothing that was acknowledged is lost, and nothing is done twice', async () => {
  const over = new AbortController();
  const going = Array.from({ length: clients }, async () => {
    while (!over.signal.aborted) await pick(operations)();
  });
  for (let n = 0; n < faults; n++) {
    await delay(100 + random() * 400);
    await pick(faultsAtRandom)();
  }
  over.abort();
  await Promise.all(going);
  for (const [email, { id, password }] of acknowledged) {
    const answer = await certain('/recipe/signin', { email, password });
    if (answer.status !== 'OK' || userIdOf(answer) !== id)
      violations.push(`${email} was acknowledged as ${id}: ${answer.status} ${userIdOf(answer)}`);
  }
  expect(violations).toEqual([]);
  expect(Object.values(done).every((count) => count > 0)).toBe(true);
  process.stdout.write(`many cores: ${faults} faults; ${JSON.stringify(done)}\n`);
});
