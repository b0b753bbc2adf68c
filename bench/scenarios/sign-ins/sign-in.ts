import { once } from 'node:events';
import { timingSafeEqual } from 'node:crypto';
import type { MessagePort } from 'node:worker_threads';
import { verifySync } from '@node-rs/argon2';
import bcrypt from 'bcrypt';
import {
  type HashMix,
  type Kind,
  kindOf,
  kinds,
  madeUpMix,
  mixInWords,
  password,
} from '../../../src/load/made-up.ts';
import type { Phase } from '../../../src/load/arrivals.ts';
import type { LoadResult } from '../../load/client/job.ts';
import { addCpu, cpuPlot, type CpuSplit, watchCpu } from '../../load/cpu.ts';
import { percentilesPlot } from '../../load/latencies.ts';
import { encryptSigner, importMix, settingsFor, signInAtCapacity, threads } from '../../load/mix.ts';
import type { Addressed } from '../../load/deployed.ts';
import { startThread } from '../../load/processes.ts';
import { runLoad } from '../../load/run-load.ts';
import { withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * Sign-ins over loopback HTTP: the most that the core can do, relative to the hashing libraries alone in the same number of
 * threads and on the same mix; then at a fixed rate below that, for the latency. Hashes are not upgraded. Client, core and
 * PostgreSQL share the machine.
 */
export const signIn: Scenario = {
  name: 'sign-in',
  about: `sign-ins against the hashing libraries alone; ${mixInWords}`,
  run: async (options) => {
    const mix = madeUpMix;
    return withStand(settingsFor(mix, false), ({ cluster, core }) =>
      compare({ core, watch: () => watchCpu(core.pid, cluster.pid) }, mix, options),
    );
  },
  onDeployed: ({ withApp }, options) =>
    withApp({ provider_password_hashing_signer_key: madeUpMix.signerKey }, (core) =>
      compare({ core }, madeUpMix, options),
    ),
};

const people = 1000;
/** Of the core's capacity: people are not meant to wait in a queue that never empties. */
const openShare = 0.5;

interface Round {
  readonly raw: number;
  /** ms of one verification by the libraries, all threads at work. */
  readonly rawMs: Readonly<Record<string, number>>;
  readonly closed: LoadResult;
  readonly cpu: CpuSplit | undefined;
}

interface Place {
  readonly core: Addressed;
  /** Only of processes on this machine. */
  readonly watch?: () => ReturnType<typeof watchCpu>;
}

async function compare(stand: Place, mix: HashMix, options: BenchOptions): Promise<Measurement[]> {
  const { quick, say } = options;
  const seconds = quick ? 1 : 5;
  await importMix(stand.core, people, mix);
  const mayFail = stand.watch === undefined;
  await signInAtCapacity(stand.core, { people, expectedRate: 20, seconds: seconds / 2, say, mayFail });
  const [most] = await untilKnown(
    options,
    { least: 7, most: 14, inWords },
    () => runRound(stand, mix, seconds, say),
    (rounds) => [capacity(rounds)] as const,
  );
  const rate = Math.max(1, openShare * most.value);
  const open = await runLoad(stand.core, {
    traffic: { kind: 'sign-in', from: 0, people, password },
    loop: { kind: 'open', phases: slicesOf(rate, quick) },
    say,
    mayFail,
  });
  const { p50, p99 } = open.latencyMs;
  say(`${rate.toFixed(1)} arrivals/s: p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`);
  return [most, latency(open, rate, most.referenceValue)];
}

async function runRound(
  { core, watch }: Place,
  mix: HashMix,
  seconds: number,
  say: BenchOptions['say'],
): Promise<Round> {
  const raw = await verifyRaw(mix, threads, seconds);
  const cpu = watch?.();
  // A core elsewhere refuses when its settings ask for that: its refusals are not successes, and count so.
  const mayFail = watch === undefined;
  const load = { people, expectedRate: raw.perSecond, seconds, say, mayFail };
  const closed = await signInAtCapacity(core, load);
  return { raw: raw.perSecond, rawMs: raw.msOf, closed, cpu: cpu?.(closed.cpuSeconds) };
}

function inWords({ raw, closed }: Round): string {
  return `libraries ${raw.toFixed(1)}/s, sign-ins ${closed.perSecond.toFixed(1)}/s`;
}

function capacity(rounds: readonly Round[]): Measurement {
  const signIns = rounds.reduce((sum, { closed }) => sum + (closed.outcomes.OK ?? 0), 0);
  const split = rounds.flatMap(({ cpu }) => cpu ?? []);
  return measured(
    {
      name: 'sign-in',
      unit: 'sign-ins/s',
      reference: 'hashing libraries alone',
      atLeast: 0.85,
      details: { mix: mixInWords, threads, msOfAVerification: rounds.at(-1)?.rawMs },
      plots: split.length === 0 ? [] : [cpuPlot('sign-in', addCpu(split), signIns)],
    },
    rounds.map(({ closed, raw }) => [closed.perSecond, raw]),
  );
}

/** Each has a separate median, whose spread shows the precision of the total; the picture has all of them. */
function slicesOf(rate: number, quick: boolean): Phase[] {
  const [count, seconds] = quick ? [1, 2] : [6, 10];
  return Array.from({ length: count }, () => ({ rate, seconds }));
}

function latency(open: LoadResult, rate: number, rawPerSecond: number): Measurement {
  const { latencyMs, behindMs, cpuShare, phases } = open;
  return measured(
    {
      name: 'sign-in-latency',
      unit: `ms, p50 at ${openShare} of capacity`,
      reference: 'one verification by the libraries, on average',
      details: { arrivalsPerSecond: rate, latencyMs, behindMs, clientShareOfOneCore: cpuShare },
      plots: [percentilesPlot({ [`sign-in at ${openShare} of capacity`]: open })],
    },
    phases.map((slice) => [slice.latencyMs.p50, (threads * 1000) / rawPerSecond]),
  );
}

interface LibraryTask {
  readonly mix: HashMix;
  readonly seconds: number;
  /** The start position in the mix. */
  readonly offset: number;
  /** Left out: the whole mix. */
  readonly only?: Kind | undefined;
}

interface LibraryWork {
  readonly perSecond: number;
  /** By kind: ms of one verification, on average. */
  readonly msOf: Readonly<Record<Kind, number>>;
}

/**
 * The reference of sign-ins: threads that only call the hashing libraries, on the same mix.
 * @returns verifications a second of all of them, and ms of one by kind
 */
export async function verifyRaw(
  mix: HashMix,
  threadCount: number,
  seconds: number,
  only?: Kind,
): Promise<LibraryWork> {
  const works = await Promise.all(
    Array.from({ length: threadCount }, async (_, n): Promise<LibraryWork> => {
      const thread = startThread(import.meta.url, verifyInThread, { mix, seconds, offset: n * 3, only });
      const [work] = (await once(thread, 'message')) as [LibraryWork];
      return work;
    }),
  );
  return {
    perSecond: works.reduce((sum, work) => sum + work.perSecond, 0),
    msOf: byKind((kind) => works.reduce((sum, { msOf }) => sum + msOf[kind], 0) / works.length),
  };
}

function byKind(of: (kind: Kind) => number): Readonly<Record<Kind, number>> {
  return { bcrypt: of('bcrypt'), argon2id: of('argon2id'), 'scrypt variant': of('scrypt variant') };
}

const turn = 10;

/** One thread of the reference. Whole turns of the mix, so that the counts have its shares, and at least one. */
export function verifyInThread({ mix, seconds, offset, only }: LibraryTask, port: MessagePort): void {
  const verify = verifiersOf(mix);
  const spent = new Map(kinds.map((kind) => [kind, { count: 0, ms: 0 }]));
  const startedAt = performance.now();
  let verified = 0;
  do {
    const kind = only ?? kindOf(offset + verified);
    verified++;
    const begunAt = performance.now();
    if (!verify[kind]()) throw new Error(`the reference refused the right password of ${kind}`);
    const sum = spent.get(kind);
    if (sum) {
      sum.count++;
      sum.ms += performance.now() - begunAt;
    }
  } while (verified % turn !== 0 || performance.now() - startedAt < seconds * 1000);
  const perSecond = (verified * 1000) / (performance.now() - startedAt);
  const msOf = byKind((kind) => (spent.get(kind)?.ms ?? NaN) / (spent.get(kind)?.count ?? NaN));
  port.postMessage({ perSecond, msOf } satisfies LibraryWork);
}

function verifiersOf({ hashes, signerKey }: HashMix): Readonly<Record<Kind, () => boolean>> {
  const key = Buffer.from(signerKey, 'base64');
  const [, , stored = '', salt = ''] = hashes['scrypt variant'].passwordHash.split('$');
  return {
    bcrypt: () => bcrypt.compareSync(password, hashes.bcrypt.passwordHash),
    argon2id: () => verifySync(hashes.argon2id.passwordHash, password),
    'scrypt variant': () => {
      const encrypted = encryptSigner(password, Buffer.from(salt, 'base64'), key);
      return timingSafeEqual(encrypted, Buffer.from(stored, 'base64'));
    },
  };
}
