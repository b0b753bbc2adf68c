import { Agent, request } from 'node:http';
import { type HashMix, type Kind, madeUpMix, password } from '../../../src/load/made-up.ts';
import { answerOf } from '../../../src/load/answer.ts';
import { noLimits } from '../../load/mix.ts';
import { importRecords } from '../../load/people.ts';
import { type CoreProcess, runProcess } from '../../load/processes.ts';
import { withStand } from '../../load/stand.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import { randomNumbers } from '../../../src/load/random.ts';
import { areaUnderCurve, median } from '../../statistics.ts';

/**
 * Whether the time of a refusal shows that an email is known: wrong passwords for users whose hashes are of three kinds, for
 * unknown emails, and for users without a password, and right ones for users who may not sign in, one request at a time, in
 * random order. The classifier is the time itself: its area under the curve is the chance that a refusal for the one group took
 * longer than one for the mixture of all known, 0.5 when nothing can be distinguished.
 *
 * The kinds of hash are equal thirds, and so they are among the known in the sample. Each kind has thousands of users, because
 * the decoy of an unknown email is a neighbour's hash: with few users, by chance, one kind has more neighbours.
 */
export const timing: Scenario = {
  name: 'timing',
  about:
    'time of wrong passwords for unknown emails and for people without one, and of right ones for disabled users, against those of three kinds of hash',
  run: async (options) => {
    const mix = madeUpMix;
    const settings = { ...noLimits, PROVIDER_PASSWORD_HASHING_SIGNER_KEY: mix.signerKey };
    return withStand(settings, async ({ core }) => {
      await importGroups(core, mix);
      return compare(core, options);
    });
  },
};

/** Against the known. */
const compared = ['unknown', 'social', 'disabled'] as const;
type Compared = (typeof compared)[number];

interface Amounts {
  /** Of each group, in all rounds together. */
  readonly samples: number;
  readonly rounds: number;
}

const full: Amounts = { samples: 3000, rounds: 5 };
const quick: Amounts = { samples: 20, rounds: 1 };
/** Discarded: connections, prepared statements, code. */
const warmUp = 20;

async function compare(core: CoreProcess, options: BenchOptions): Promise<Measurement[]> {
  const { samples, rounds } = options.quick ? quick : full;
  const times = emptyTimes();
  await sample(core, { from: 0, count: warmUp });
  for (let n = 0; n < rounds; n++) {
    const count = samples / rounds;
    const found = await sample(core, { from: n * count, count });
    for (const group of groups) times[group].push(...found[group]);
    const medians = groups.map((group) => `${group} ${median(found[group]).toFixed(1)}`);
    options.say(`round ${n + 1}: medians in ms: ${medians.join(', ')}`);
  }
  return compared.map((group) => measurement(group, times, rounds));
}

type Times = Record<Group, number[]>;

function emptyTimes(): Times {
  return Object.fromEntries(groups.map((group) => [group, [] as number[]])) as Times;
}

/** Wrong passwords for `count` emails of each group. @returns ms of each, by group */
async function sample(
  { url, apiKey }: CoreProcess,
  { from, count }: { readonly from: number; readonly count: number },
): Promise<Times> {
  const guesses = groups.flatMap((group) =>
    Array.from({ length: count }, (_, n) => ({ group, guess: guessOf(group, from + n) })),
  );
  const ms = await runProcess(import.meta.url, guessAll, {
    url,
    apiKey,
    guesses: shuffled(guesses, from).map(({ guess }) => guess),
  });
  const times = emptyTimes();
  shuffled(guesses, from).forEach(({ group }, n) => times[group].push(ms[n] ?? NaN));
  return times;
}

function guessOf(group: Group, n: number): Guess {
  return { email: emailOf(group, n), ...(group === 'disabled' && { password }) };
}

/** Fisher and Yates: the same order for the same `seed`. */
export function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const order = [...items];
  const next = randomNumbers(seed + 20_261_121);
  for (let last = order.length - 1; last > 0; last--) {
    const at = next() % (last + 1);
    const [one, other] = [order[at], order[last]];
    if (one !== undefined && other !== undefined) [order[at], order[last]] = [other, one];
  }
  return order;
}

/** 0.5 means that nothing can be distinguished: the bar is 0.48 to 0.52. */
const even = 0.5;

function measurement(group: Compared, times: Times, rounds: number): Measurement {
  const area = (part: (of: Group) => readonly number[]) =>
    areaUnderCurve(part(group), knownGroups.flatMap(part));
  const medianMs = Object.fromEntries(groups.map((each) => [each, median(times[each])]));
  const facts = {
    name: `timing-${group}`,
    unit: 'AUC against the mixture of known',
    reference: 'indistinguishable',
    atLeast: 0.96,
    atMost: 1.04,
    details: { samplesOfEach: times[group].length, medianMs },
  };
  const whole = measured(facts, [[area((of) => times[of]), even]]);
  // The ratio is of all samples together; its spread is that of the rounds.
  const size = times[group].length / rounds;
  const ofRounds = Array.from(
    { length: rounds },
    (_, n) => area((of) => times[of].slice(n * size, (n + 1) * size)) / even,
  );
  return { ...whole, spread: [Math.min(...ofRounds), Math.max(...ofRounds)] };
}

/** The groups: users by the kind of their hash, users of a third party, users who may not sign in, and unknown emails. */
const groups = ['unknown', 'social', 'disabled', 'bcrypt', 'argon2id', 'scrypt variant'] as const;
type Group = (typeof groups)[number];
const knownGroups: readonly Kind[] = ['bcrypt', 'argon2id', 'scrypt variant'];

/**
 * For each group with users. With this number the shares of the kinds among neighbours, from which decoys are drawn, are within a
 * third of a point (0.3 %) of a third; with 300 they are off by more than one and a half.
 */
const peopleOfEach = 3000;

/** After the last user it begins again; unknown emails never repeat. */
function emailOf(group: Group, n: number): string {
  if (group === 'unknown') return `nobody-${n}@no.where`;
  return `${group.replace(' ', '-')}-${n % peopleOfEach}@signs.in`;
}

/** Imports all users, as one file of native records. @throws Error unless each of them is new */
async function importGroups(core: CoreProcess, mix: HashMix): Promise<void> {
  const records = Array.from({ length: peopleOfEach }, (_, n) => [
    { loginMethods: [socialMethod(n)] },
    { loginMethods: [disabledMethod(n, mix)], isDisabled: true },
    ...knownGroups.map((kind) => ({ loginMethods: [passwordMethod(kind, n, mix)] })),
  ]);
  await importRecords(core, records.flat());
}

function socialMethod(n: number): object {
  const email = emailOf('social', n);
  return { recipeId: 'thirdparty', email, thirdPartyId: 'google', thirdPartyUserId: `google-${n}` };
}

/** Their kinds are equal thirds, as those of all known are. */
function disabledMethod(n: number, { hashes }: HashMix): object {
  const kind = knownGroups[n % knownGroups.length] ?? 'bcrypt';
  return { recipeId: 'emailpassword', email: emailOf('disabled', n), ...hashes[kind] };
}

/** Users share the hash of their kind: the cost of verifying it is the same. */
function passwordMethod(kind: Kind, n: number, { hashes }: HashMix): object {
  return { recipeId: 'emailpassword', email: emailOf(kind, n), ...hashes[kind] };
}

interface GuessTask {
  readonly url: string;
  readonly apiKey: string;
  readonly guesses: readonly Guess[];
}

interface Guess {
  readonly email: string;
  /** The right one of a user who may not sign in; left out: a wrong one. */
  readonly password?: string;
}

/**
 * Sends a password for each email, in sequence over one connection, from a separate process.
 * @returns ms from sending the request to the last byte of its answer, by guess
 */
export async function guessAll({ url, apiKey, guesses }: GuessTask): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ms: number[] = [];
  for (const [n, { email, password = `wrong-${n}` }] of guesses.entries()) {
    const body = JSON.stringify({ email, password });
    const startedAt = performance.now();
    const headers = { 'api-key': apiKey, 'content-length': Buffer.byteLength(body) };
    const sent = request(`${url}/recipe/signin`, { method: 'POST', agent, headers });
    sent.end(body);
    const { body: answer } = await answerOf(sent);
    ms.push(performance.now() - startedAt);
    if (answer !== '{"status":"WRONG_CREDENTIALS_ERROR"}') throw new Error(`another answer: ${answer}`);
  }
  agent.destroy();
  return ms;
}
