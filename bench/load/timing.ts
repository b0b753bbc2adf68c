import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';
import { median } from '../statistics.ts';
import { type CoreProcess, runProcess } from './processes.ts';
import { randomNumbers } from '../random.ts';
import { makeMix, noLimits, password } from './sign-in/mix.ts';
import { withStand } from './stand.ts';
import { areaUnderCurve } from './timing-area.ts';
import type { Guess, TimingJob, TimingResult } from './timing-client.ts';
import { emailOf, type Group, groups, importGroups, knownGroups } from './timing-people.ts';

/**
 * Whether the time of a refusal tells that an email is known: wrong passwords for people whose hashes are of three kinds,
 * for emails that nobody has, and for people who have no password, and right ones for people who may not sign in, one request at a
 * time, in random order. The classifier
 * is the time itself: its area under the curve is the chance that a refusal for the one group took longer than one for
 * the mixture of all known, a half when nothing can be told.
 *
 * Who has which kind of hash is equal thirds, as are the known in the sample. Each kind has thousands of people, because
 * the decoy of an unknown email is a neighbour's hash: of few people, by chance, one kind gets more neighbours.
 */
export const timing: Scenario = {
  name: 'timing',
  about:
    'time of wrong passwords for unknown emails and for people without one, and of right ones for disabled users, against those of three kinds of hash',
  run: async (options) => {
    const mix = await makeMix();
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
/** What is thrown away: connections, prepared statements, code. */
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
  const job: TimingJob = { url, apiKey, guesses: shuffled(guesses, from).map(({ guess }) => guess) };
  const { ms } = await runProcess<TimingResult>('timing-client.ts', job);
  const times = emptyTimes();
  shuffled(guesses, from).forEach(({ group }, n) => times[group].push(ms[n] ?? NaN));
  return times;
}

function guessOf(group: Group, n: number): Guess {
  return { email: emailOf(group, n), ...(group === 'disabled' && { password }) };
}

/** Fisher and Yates: the same order for the same `seed`. */
function shuffled<Item>(items: readonly Item[], seed: number): Item[] {
  const order = [...items];
  const next = randomNumbers(seed + 20_261_121);
  for (let last = order.length - 1; last > 0; last--) {
    const at = next() % (last + 1);
    const [one, other] = [order[at], order[last]];
    if (one !== undefined && other !== undefined) [order[at], order[last]] = [other, one];
  }
  return order;
}

/** Nothing can be told at a half: what is promised is 0.48 to 0.52. */
const even = 0.5;

function measurement(group: Compared, times: Times, rounds: number): Measurement {
  const area = (part: (of: Group) => readonly number[]) =>
    areaUnderCurve(part(group), knownGroups.flatMap(part));
  const medianMs = Object.fromEntries(groups.map((each) => [each, median(times[each])]));
  const facts = {
    name: `timing-${group}`,
    unit: 'AUC against the mixture of known',
    reference: 'nothing can be told',
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
