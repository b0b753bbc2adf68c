/** Whether a deployment bears a load, what is short first, and what would change it. Plain arithmetic over figures. */

import { format as number } from '../../page/text.ts';
import type { CoreUse } from './cores/watch.ts';
import type { Measured } from './measure.ts';

export interface Verdict {
  /** undefined: a search for the limit without a rate to compare it with. */
  readonly bears: boolean | undefined;
  readonly sentence: string;
  readonly short: Short;
  /** What would change it, a sentence each. */
  readonly cures: readonly string[];
}

export type Resource =
  'client' | 'threads' | 'hashing memory' | 'main thread' | 'database' | 'guesses' | 'unknown' | 'none';

export interface Short {
  readonly resource: Resource;
  /** The figures that show it. */
  readonly because: string;
}

export interface Judged {
  /** The rate that is wanted: of the run, or of the first morning of so many users; undefined if only the limit was asked for. */
  readonly wanted: number | undefined;
  /** The highest rate that was borne; undefined if none. */
  readonly knee: number | undefined;
  /** The stretch that was not borne; or else the heaviest that was. */
  readonly heaviest: Measured;
  readonly isBorne: boolean;
  readonly isSearch: boolean;
}

/** Times and shares from which a resource counts as short; threads do when all of them compute and a password for each waits. */
const lateMs = 60;
const slowBatchMs = 100;
const longBacklog = 200;
const fullMemory = 0.9;
/** Of what a core can do, planned for: as in `carryover plan`. */
const target = 0.7;

export function judge(judged: Judged): Verdict {
  const { heaviest, isBorne } = judged;
  const short = isBorne ? nothingShort(heaviest) : shortest(heaviest);
  return {
    bears: bearsIt(judged),
    sentence: sentenceOf(judged),
    short,
    cures: isBorne && bearsIt(judged) !== false ? [] : curesFor(short, judged),
  };
}

function bearsIt({ wanted, knee, isBorne, isSearch }: Judged): boolean | undefined {
  if (!isSearch) return isBorne;
  return wanted === undefined ? undefined : (knee ?? 0) >= wanted;
}

function sentenceOf(judged: Judged): string {
  const { wanted, knee, heaviest, isBorne, isSearch } = judged;
  const broken = heaviest.broken.join(', ');
  if (!isSearch)
    return isBorne
      ? `Bears it: ${number(heaviest.perSecond)}/s, p99 ${number(heaviest.latencyMs.p99)} ms`
      : `Does not bear it: ${broken}`;
  const end =
    knee === undefined
      ? `it ends before the lowest rate that was tried, ${number(heaviest.rate)}/s: ${broken}`
      : isBorne
        ? `${number(knee)}/s is borne, and no higher rate was tried`
        : `it ends at ${number(knee)}/s: at ${number(heaviest.rate)}/s ${broken}`;
  if (wanted === undefined) return `${end.charAt(0).toUpperCase()}${end.slice(1)}`;
  const word = bearsIt(judged) === true ? 'Bears' : 'Does not bear';
  return `${word} the first morning, whose busiest hour has ${number(wanted)}/s: ${end}`;
}

function nothingShort({ clientLimits }: Measured): Short {
  const [limit] = clientLimits;
  if (limit !== undefined) return { resource: 'client', because: limit };
  return { resource: 'none', because: 'nothing ran short' };
}

/** In this order: what comes first makes the figures after it meaningless, or explains them. */
function shortest(measured: Measured): Short {
  const { outcomes, clientLimits, cores } = measured;
  const [limit] = clientLimits;
  if (limit !== undefined) return { resource: 'client', because: limit };
  const guesses = Object.entries(outcomes).reduce(
    (sum, [name, n]) => sum + (name.startsWith('429') ? n : 0),
    0,
  );
  if (guesses * 100 > measured.arrived)
    return {
      resource: 'guesses',
      because: `${guesses} visits were refused with 429: too many wrong passwords`,
    };
  const found = cores.flatMap((core) => shortOf(core) ?? []);
  const rank: readonly Resource[] = ['hashing memory', 'threads', 'database', 'main thread'];
  const first = rank.flatMap((resource) => found.filter((each) => each.resource === resource))[0];
  if (first !== undefined) return first;
  const why =
    cores.length === 0 ? 'the metrics of the cores were not read' : 'no metric of the cores is at its limit';
  return { resource: 'unknown', because: why };
}

function shortOf(core: CoreUse): Short | undefined {
  const {
    name,
    threads,
    threadsBusy,
    threadsMost,
    waiting,
    hashingMb,
    hashingBudgetMb,
    batchMs,
    backlog,
    lagMs,
  } = core;
  const percent = Math.round(threadsBusy * 100);
  if (
    waiting > 0 &&
    hashingBudgetMb !== undefined &&
    hashingMb > fullMemory * hashingBudgetMb &&
    threadsMost < 1
  )
    return {
      resource: 'hashing memory',
      because: `${name}: passwords filled ${number(hashingMb)} of ${hashingBudgetMb} MiB, ${waiting} waited, and the threads were ${percent} % busy`,
    };
  if (threadsMost >= 1 && waiting >= threads)
    return {
      resource: 'threads',
      because: `${name}: its ${threads} threads for passwords were ${percent} % busy, and ${waiting} waited`,
    };
  if (batchMs > slowBatchMs || backlog > longBacklog)
    return {
      resource: 'database',
      because: `${name}: a batch took ${number(batchMs)} ms on average until its commit, and up to ${backlog} items waited for one`,
    };
  if (lagMs > lateMs)
    return {
      resource: 'main thread',
      because: `${name}: its main thread was ${number(lagMs)} ms late (p99)`,
    };
  return undefined;
}

/** How many cores would do, or that more would. */
function sizedFor({ heaviest, knee, wanted }: Judged): string {
  const now = heaviest.cores.length;
  const rate = wanted ?? heaviest.rate;
  const more = knee === undefined ? now : Math.ceil((now * rate) / (target * knee));
  if (more <= now) return 'More cores, on machines of their own';
  const like = now === 1 ? 'this' : `these ${now}`;
  return `${more} cores like ${like}, each on CPU of its own, would bear ${number(rate)}/s and keep ${Math.round((1 - target) * 100)} % in hand`;
}

function curesFor({ resource }: Short, judged: Judged): string[] {
  const { cores } = judged.heaviest;
  const threads = cores.reduce((sum, core) => sum + core.threads, 0);
  const cpu = cores.reduce((sum, core) => sum + core.cpu, 0);
  const sized = sizedFor(judged);
  switch (resource) {
    case 'client':
      return ['The load generator was the limit: give it a faster machine, or several with --share'];
    case 'guesses':
      return [
        'guesses_per_account and guesses_per_address refuse these visits, not the machine: the mix mistypes too often for them, or client_address_header has another name here',
      ];
    case 'hashing memory':
      return ['hashing_memory_budget_mb: raise it, if the machine has the memory', sized];
    case 'threads':
      return [
        `hashing_threads: raise it only where CPU is idle (${threads} threads, ${number(cpu)} CPU cores in use by the cores)`,
        sized,
        'Weaker or fewer costs of hashes: upgrade_password_hashes replaces imported ones by the policy at the first sign-in',
      ];
    case 'database':
      return [
        'A faster disk for commits, or more CPU for PostgreSQL; more cores would not help',
        'postgresql_connection_pool_size: raise it if PostgreSQL is idle meanwhile',
      ];
    case 'main thread':
      return [sized];
    case 'unknown':
      return cores.length === 0
        ? ["A key with the scope metrics shows what is short; else look at the cores' own /metrics"]
        : [
            'Look at what lies between: the balancer, TLS, the network, and the CPU of the machines as a whole',
          ];
    case 'none':
      return [sized];
  }
}
