import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import type { Worker } from 'node:worker_threads';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Plot, type Scenario } from '../../scenario.ts';
import { bareThread, type BareTask, password } from './bare-functions.ts';
import { workOf } from '../../../src/hashes/assess.ts';
import { storedForm } from '../../../src/hashes/recognise.ts';
import { requireHash } from '../../../test/helpers/require-hash.ts';
import { kindNames as allKinds } from '../../../src/hashes/registry.ts';
import type { HashKindName, ParsedHash } from '../../../src/hashes/registry.ts';
import { createPasswordPool, type PasswordPool } from '../../../src/threads/password-pool.ts';
import { defaultLimits } from '../../../test/helpers/hash-limits.ts';
import { usualHashes, usualPepper, usualSignerKey } from '../../../test/helpers/usual-hashes.ts';

/**
 * The cost of hashing with the password pool over the bare functions: verifications of each kind by the pool with a thread for
 * each CPU core and always some waiting, relative to the same number of threads that call the function in a loop, in turns.
 * Digests take microseconds: for them the transfer to a thread is measured, so there is no bar.
 */
export const hashes: Scenario = {
  name: 'hashes',
  about: 'verifications of each kind by the password pool, against the bare library on as many threads',
  run: async (options) => {
    const threads = availableParallelism();
    const workers = Array.from({ length: threads }, () => bareThread());
    const pool = createPasswordPool({
      threads,
      memoryBudgetBytes: 2 ** 30,
      queueLimit: 1024,
      policy: { algorithm: 'ARGON2', memoryKb: 19_456, iterations: 2, parallelism: 1 },
    });
    try {
      return await compareAll({ pool, workers }, options);
    } finally {
      await pool.close();
      await Promise.all(workers.map((worker) => worker.terminate()));
    }
  },
};

/** Costs of the hashes in usual-hashes.ts, in words, if the kind's name does not show them. */
const labels: Readonly<Partial<Record<HashKindName, string>>> = {
  bcrypt: 'bcrypt 10',
  bcrypt_2x: 'bcrypt $2x$ 10 (own code)',
  bcrypt_sha256: 'bcrypt_sha256 12 (Django)',
  bcrypt_wordpress: 'bcrypt 10 (WordPress)',
  bcrypt_peppered: 'bcrypt 11 with pepper',
  argon2: 'Argon2id 19 MiB, 2 passes',
  provider_scrypt: 'scrypt variant m=14, r=8',
  scrypt: 'scrypt 2^14, r=8',
  better_auth: 'scrypt 2^14, r=16 (better-auth)',
  pbkdf2: 'PBKDF2-SHA256 600,000',
  pbkdf2_kratos: 'PBKDF2-SHA3-384 100,000',
  aspnet: 'PBKDF2-SHA512 100,000 (ASP.NET)',
  phpass: 'phpass 2^13',
  sha512_crypt: 'sha512-crypt 5,000',
  sha256_crypt: 'sha256-crypt 5,000',
  md5_crypt: 'md5-crypt',
  ldap: 'LDAP {SSHA}',
  md5: 'MD5',
  sha1: 'SHA-1, salted',
  sha256: 'SHA-256, 5,000 times',
  sha384: 'SHA-384',
  sha512: 'SHA-512, 5,000 times',
  hmac: 'HMAC-SHA256',
};

function labelOf(kind: HashKindName): string {
  return labels[kind] ?? kind;
}

interface Sides {
  readonly pool: PasswordPool;
  readonly workers: readonly Worker[];
}

/** From here on a verification takes so long that the transfer to a thread must not matter. */
const promisedFromMs = 5;
const promise = 0.95;
/** Waiting and running in the pool, for each thread. */
const outstandingPerThread = 4;

/** One of each family. */
const quickKinds = ['bcrypt', 'argon2', 'provider_scrypt', 'pbkdf2', 'sha512_crypt', 'md5'] as const;

/** Approximately, for either side. Not shorter: the pool's last few run while other CPU cores are idle. */
const roundMs = { full: 800, quick: 100 } as const;

async function compareAll(sides: Sides, options: BenchOptions): Promise<Measurement[]> {
  const { quick, say } = options;
  const kindNames = quick ? quickKinds : allKinds;
  const results: Measurement[] = [];
  for (const kind of kindNames) {
    const result = await compareKind(sides, kind, options);
    results.push(result);
    const [here, raw] = [result.value, result.referenceValue].map(format);
    const ofEstimate = 1000 / result.referenceValue / workOf(parsedOf(kind));
    say(
      `${labelOf(kind).padEnd(32)} ${here}/s here, ${raw}/s raw, on each core: ${result.ratio.toFixed(2)} of raw, ` +
        `which takes ${ofEstimate.toFixed(2)} of what is estimated`,
    );
  }
  const plot = costs(kindNames, results);
  return results.map((result, n) => (n === 0 ? { ...result, plots: [plot] } : result));
}

async function compareKind(
  { pool, workers }: Sides,
  kind: HashKindName,
  options: BenchOptions,
): Promise<Measurement> {
  const ms = options.quick ? roundMs.quick : roundMs.full;
  const stored = storedForm(usualHashes[kind], parsedOf(kind));
  const threads = workers.length;
  const raw = await warmedUp((verifications) => runRaw(workers, { kind, verifications }), ms);
  const pooled = await warmedUp(
    (verifications) => runPool(pool, stored, { count: verifications * threads, threads }),
    ms,
  );
  let before = await raw();
  const takeRound = async (): Promise<Pair> => {
    const here = await pooled();
    const after = await raw();
    // Compared with the runs before and after it: a shared machine becomes faster or slower meanwhile.
    const pair = [here, harmonicMean(before, after)] as const;
    before = after;
    return pair;
  };
  const measure = (pairs: readonly Pair[]) => [comparison(kind, pairs, threads)] as const;
  const [result] = await untilKnown(options, { least: 6, most: 27 }, takeRound, measure);
  return result;
}

function parsedOf(kind: HashKindName): ParsedHash {
  return requireHash(usualHashes[kind], kind, defaultLimits);
}

/** Verifications a second on each CPU core: here, and by the bare function. */
type Pair = readonly [here: number, raw: number];

/**
 * Its code and libraries are warm afterwards, and the number of verifications that fill a round is known.
 * @param run does N on each CPU core. @returns ms
 * @returns runs a round of it. Verifications a second on each CPU core
 */
async function warmedUp(
  run: (verifications: number) => Promise<number>,
  takingMs: number,
): Promise<() => Promise<number>> {
  let each = 1;
  for (let ms = 0; ms < takingMs / 4; each *= 2) ms = await run(each);
  const verifications = Math.max(2, Math.ceil((each * takingMs) / (await run(each))));
  return async () => (verifications * 1000) / (await run(verifications));
}

function harmonicMean(a: number, b: number): number {
  return 2 / (1 / a + 1 / b);
}

function comparison(kind: HashKindName, pairs: readonly Pair[], threads: number): Measurement {
  const facts = {
    name: `hashes-${kind}`,
    unit: 'verifications/s on each core',
    reference: 'the bare function',
    details: { label: labelOf(kind), threads, estimatedMs: workOf(parsedOf(kind)) },
  };
  const result = measured(facts, pairs);
  return 1000 / result.referenceValue < promisedFromMs ? result : { ...result, atLeast: promise };
}

/** @returns ms until all threads are done */
async function runRaw(workers: readonly Worker[], task: BareTask): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(
    workers.map((worker) => {
      worker.postMessage(task);
      return once(worker, 'message');
    }),
  );
  return performance.now() - startedAt;
}

/** @returns ms until `count` verifications are done */
async function runPool(
  pool: PasswordPool,
  hash: string,
  { count, threads }: { readonly count: number; readonly threads: number },
): Promise<number> {
  const context = { limits: defaultLimits, signerKey: usualSignerKey, pepper: usualPepper };
  let left = count;
  const verifySome = async (): Promise<void> => {
    while (left > 0) {
      left--;
      await pool.verify(password, hash, context);
    }
  };
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: threads * outstandingPerThread }, verifySome));
  return performance.now() - startedAt;
}

/** @param results of `kindNames`, in their order */
function costs(kindNames: readonly HashKindName[], results: readonly Measurement[]): Plot {
  const series = (name: string, rate: (result: Measurement) => number) => ({
    name,
    points: results.map((result, n) => [labelOf(kindNames[n] ?? 'bcrypt'), 1000 / rate(result)] as const),
  });
  return {
    id: 'hash-cost',
    series: [
      series('in the core’s threads', ({ value }) => value),
      series('by the bare function', ({ referenceValue }) => referenceValue),
    ],
  };
}

function format(rate: number): string {
  return Math.round(rate).toLocaleString('en').padStart(8);
}
