import { Balance } from './balance.ts';
import { type ConvertedBatch, type ConvertPool, finished } from './ports.ts';
import type { Addresses } from '../tasks.ts';
import { addAccount, emptyAccount, type Account } from '../fields/account.ts';
import { beginnings } from './files.ts';
import { RulesInUse } from './dates.ts';
import { inOrder } from './in-order.ts';
import { join, type ConvertSteps } from './join.ts';
import { missingFromTables, openSource, type ConvertSource } from './source.ts';
import { type Incomplete, IncompleteInput } from '../readers/ending.ts';
import { each, isWithin, type Step } from '../readers/list-path.ts';
import type { Recognised } from '../recognise/recognised.ts';
import { scoreOf } from '../recognise/score.ts';
import { recogniseDump } from '../recognise/dump.ts';
import { providers } from '../providers/index.ts';
import { ExportFault } from '../providers/provider.ts';
import type { Provider } from '../providers/provider.ts';
import { briefBytes, readSamplesAndLists } from '../readers/sample.ts';
import type { FileSample } from '../readers/sample-of.ts';
import { isOfDump } from '../readers/sql/samples.ts';
import type { Reading } from '../readers/reading.ts';

export type { ConvertedBatch } from './ports.ts';
export type { ConvertPool } from './ports.ts';
export type { ConvertSource } from './source.ts';
export type { Recognised } from '../recognise/recognised.ts';

/**
 * An export as native lines, in the order of its records and with bounded memory. The same input gives the same bytes, whatever
 * the number of threads.
 * @throws ExportFault with the fault and the cure; Imbalance before a batch whose totals do not balance is returned; the reason
 *   of `signal` when it is aborted
 */
export async function* convert(
  source: ConvertSource,
  pool: ConvertPool,
  signal?: AbortSignal,
): AsyncGenerator<ConvertedBatch> {
  signal?.throwIfAborted();
  // Closes every file, also those that were opened and not read.
  const end = new AbortController();
  const either = AbortSignal.any([end.signal, ...(signal ? [signal] : [])]);
  try {
    const steps = await open(source, pool, either);
    const { source: opened } = steps;
    const balance = new Balance();
    for await (const batch of opened.related.length === 0 ? straight(steps) : join(steps)) {
      balance.add(batch);
      yield batch;
    }
    balance.end();
    const incomplete = missingFromTables(opened);
    if (incomplete.length > 0 && source.isPartial !== true) throw new IncompleteInput(incomplete);
    if (incomplete.length > 0) yield lastOf(incomplete);
  } catch (error) {
    // An aborted stream has a different error.
    signal?.throwIfAborted();
    throw error;
  } finally {
    end.abort();
  }
}

async function open(source: ConvertSource, pool: ConvertPool, signal: AbortSignal): Promise<ConvertSteps> {
  const opened = await openSource(source, signal);
  const rules = new RulesInUse({ source, rules: opened.rules, pool, signal });
  return { source: opened, rules, pool, signal };
}

/** After the records of an incomplete input. */
function lastOf(incomplete: readonly Incomplete[]): ConvertedBatch {
  const nothing = { text: new Uint8Array(), firstRecord: 0, records: 0, skipped: 0, rejects: [], starts: [] };
  const account = emptyAccount();
  return { ...nothing, bytesRead: 0, notes: {}, account, addresses: [], unmatched: {}, incomplete };
}

/**
 * Reads an input once, without converting it, to find out whether it is complete.
 * @throws ExportFault if it cannot be read
 */
export async function missingFromSource(
  source: ConvertSource,
  signal: AbortSignal,
): Promise<readonly Incomplete[]> {
  const end = new AbortController();
  try {
    const opened = await openSource(source, AbortSignal.any([end.signal, signal]));
    for (const { batches } of [opened.users, ...opened.related]) await drain(batches);
    return missingFromTables(opened);
  } finally {
    end.abort();
  }
}

async function drain(batches: AsyncIterable<unknown>): Promise<void> {
  const iterator = batches[Symbol.asyncIterator]();
  while ((await iterator.next()).done !== true);
}

async function* straight({ source, rules, pool, signal }: ConvertSteps): AsyncGenerator<ConvertedBatch> {
  const batches = inOrder(
    source.users.batches,
    async ({ bytes, ends, oversized, bytesRead, form, starts }) => {
      const records = { bytes, ends, oversized };
      const found = await rules.converted(async (own, left) => {
        const task = { type: 'convert', rules: own, form, records: left?.undecided ?? records } as const;
        return finished(await pool.run(task));
      });
      return { ...found, records: ends.length, bytesRead, starts };
    },
    pool.threads + 2,
  );
  let firstRecord = 1;
  for await (const {
    text,
    rejects,
    skipped,
    records,
    bytesRead,
    starts,
    notes,
    addresses,
    account,
  } of batches) {
    signal.throwIfAborted();
    yield {
      text,
      firstRecord,
      records,
      skipped,
      rejects: rejects.map(({ place, ...reject }) => ({ ...reject, record: firstRecord + place })),
      bytesRead,
      starts: beginnings(starts, firstRecord),
      notes,
      addresses: [numbered(addresses, firstRecord)],
      account: numberedAccount(account, firstRecord),
      unmatched: {},
    };
    firstRecord += records;
  }
}

/** The part of a source that is converted to find choices which the first records leave open. */
const beginningBytes = 4 * 1024 * 1024;

/**
 * Converts the first records of a source and discards the result, so that dates whose order cannot be determined are refused
 * before anything is sent. For a joined source nothing is sent before all of it was read.
 * @throws ExportFault as convert does
 */
export async function tryBeginning(
  source: ConvertSource,
  pool: ConvertPool,
  signal: AbortSignal,
): Promise<void> {
  const end = new AbortController();
  const either = AbortSignal.any([end.signal, signal]);
  try {
    const steps = await open(source, pool, either);
    if (steps.source.related.length > 0) return;
    for await (const { bytesRead } of straight(steps)) if (bytesRead >= beginningBytes) return;
  } finally {
    end.abort();
  }
}

function numberedAccount(account: Account, firstRecord: number): Account {
  const sum = emptyAccount();
  addAccount(sum, account, firstRecord);
  return sum;
}

function numbered({ records, ...rest }: Addresses, firstRecord: number): Addresses {
  return { ...rest, records: records.map((place) => firstRecord + place) };
}

/**
 * The provider of an export, by its beginning; undefined when it is unknown.
 * @throws ExportFault also for a recognised file without users
 */
export async function recogniseFile(file: string, reading?: Reading): Promise<Recognised | undefined> {
  const samples = await readSamplesAndLists(file, reading);
  const inDump = samples.filter(isOfDump);
  if (inDump.length > 0) return recogniseDump(inDump);
  const candidates = candidatesFor(samples);
  const [best] = candidates;
  if (best === undefined) {
    const advice = adviceFor(samples) ?? adviceForFurther(samples);
    if (advice !== undefined) throw new ExportFault(advice);
    return undefined;
  }
  const others = new Set(candidates.map(({ provider }) => provider));
  others.delete(best.provider);
  const asLikely = [...others].filter((provider) =>
    candidates.some((each) => each.provider === provider && each.score === best.score),
  );
  return { provider: best.provider, sample: best.sample, alternatives: [...others], asLikely };
}

/** The properties of one of several files. */
export interface LookedAt {
  /** The providers whose export it may be. */
  readonly scores: ReadonlyMap<Provider, number>;
  /** For a recognised file without users. */
  readonly advice: string | undefined;
  /** The realm of its users at the provider. */
  readonly realm?: string | undefined;
  /** For a file without users: the further table that it has. */
  readonly further?: FurtherTable | undefined;
}

/** A table that a provider joins to its users, in a separate file. */
export interface FurtherTable {
  readonly provider: Provider;
  readonly table: string;
}

/**
 * Examines the beginning of a file for providers whose export it may be.
 * @param expected the provider of the other files: if a few records look like it, no more are read
 * @throws ExportFault when it cannot be read
 */
export async function lookAt(file: string, reading?: Reading, expected?: Provider): Promise<LookedAt> {
  if (expected !== undefined) {
    const samples = await readSamplesAndLists(file, reading, briefBytes);
    const scores = scoresOf(samples);
    if (scores.has(expected)) return { scores, advice: undefined, realm: realmIn(samples) };
  }
  const samples = await readSamplesAndLists(file, reading);
  const scores = scoresOf(samples);
  if (scores.size > 0) return { scores, advice: undefined, realm: realmIn(samples) };
  return { scores, advice: adviceFor(samples), further: furtherTableIn(samples) };
}

function furtherTableIn(samples: readonly FileSample[]): FurtherTable | undefined {
  for (const provider of providers)
    for (const { name, isIn } of provider.tables)
      if (samples.some((sample) => isIn?.(sample) === true)) return { provider, table: name };
  return undefined;
}

function realmIn(samples: readonly FileSample[]): string | undefined {
  const [best] = candidatesFor(samples);
  return best?.provider.realm?.(best.sample);
}

function scoresOf(samples: readonly FileSample[]): ReadonlyMap<Provider, number> {
  const scores = new Map<Provider, number>();
  for (const { provider, score } of candidatesFor(samples))
    scores.set(provider, Math.max(score, scores.get(provider) ?? 0));
  return scores;
}

interface Candidate {
  readonly provider: Provider;
  readonly sample: FileSample;
  readonly score: number;
}

/** The surest first. */
function candidatesFor(samples: readonly FileSample[]): readonly Candidate[] {
  const scored = samples.flatMap((sample) =>
    providers.map((provider) => ({ provider, sample, score: scoreOf(provider, sample) })),
  );
  const known = scored.filter(({ score }) => score > 0);
  const ways = known.flatMap(({ sample }) => wayTo(sample) ?? []);
  // Lists inside a user are not lists of users: of its identities, of its phones.
  const outer = known.filter(({ sample: { list } }) => !ways.some((way) => isWithin(way, list?.steps ?? [])));
  return outer.sort((a, b) => b.score - a.score);
}

/** The path to the records of a sample; undefined if they may be under any key of the document. */
function wayTo({ list, root, format }: FileSample): readonly (readonly Step[])[] | undefined {
  if (list !== undefined) return [list.steps];
  if (format === 'csv') return undefined;
  return format === 'ndjson' ? [[]] : root === 'array' ? [[each]] : undefined;
}

function adviceForFurther(samples: readonly FileSample[]): string | undefined {
  const found = furtherTableIn(samples);
  return (
    found &&
    `it is the table ${found.table} of ${found.provider.title}, and holds no users: give it together with the file of its users`
  );
}

/** The advice of a provider that recognises the file, and knows that it has no users. */
function adviceFor(samples: readonly FileSample[]): string | undefined {
  for (const sample of samples)
    for (const { tables, adviseUnknown } of providers) {
      const advice = tables[0]?.advise?.(sample) ?? adviseUnknown?.(sample);
      if (advice !== undefined) return advice;
    }
  return undefined;
}
