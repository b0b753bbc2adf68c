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
 * An export as native lines, in the order of its records and with memory that does not grow with it. The same input
 * gives the same bytes, however many threads there are.
 * @throws ExportFault with what is wrong and the cure; Imbalance before a batch whose totals do not balance is given out; whatever
 *   `signal` says when it is aborted
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
    // A stream that was aborted says so in words of its own.
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

/** Follows the records of an input that is not complete. */
function lastOf(incomplete: readonly Incomplete[]): ConvertedBatch {
  const nothing = { text: new Uint8Array(), firstRecord: 0, records: 0, skipped: 0, rejects: [], starts: [] };
  const account = emptyAccount();
  return { ...nothing, bytesRead: 0, notes: {}, account, addresses: [], unmatched: {}, incomplete };
}

/**
 * Reads an input once, without converting it, to find out whether it is complete.
 * @throws ExportFault where it cannot be read
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

/** What is converted of a source to see what its first records leave open. */
const beginningBytes = 4 * 1024 * 1024;

/**
 * Converts the first records of a source and keeps nothing, so that dates whose order nothing shows are refused before anything is sent.
 * Of a source that is joined nothing is sent before all of it was read.
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
 * Whose export `file` is, by its beginning; undefined when it is unknown.
 * @throws ExportFault also for a file that is known and has no users
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

/** What one of several files looks like. */
export interface LookedAt {
  /** Of the providers whose export it may be. */
  readonly scores: ReadonlyMap<Provider, number>;
  /** Of a file that is a provider's and has no users. */
  readonly advice: string | undefined;
  /** Of which of a provider's realms its users are. */
  readonly realm?: string | undefined;
  /** Of a file without users: whose further table it is. */
  readonly further?: FurtherTable | undefined;
}

/** A table that a provider joins to its users, in a file of its own. */
export interface FurtherTable {
  readonly provider: Provider;
  readonly table: string;
}

/**
 * Whose export a file may be, by its beginning.
 * @param expected whose other files are: where a few records look like it, no more are read
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
  // Lists in a user are not of users: of its identities, of its phones.
  const outer = known.filter(({ sample: { list } }) => !ways.some((way) => isWithin(way, list?.steps ?? [])));
  return outer.sort((a, b) => b.score - a.score);
}

/** The way to the records of a sample; undefined where they may be under any key of the document. */
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

/** What a provider says that knows the file, and knows that it has no users. */
function adviceFor(samples: readonly FileSample[]): string | undefined {
  for (const sample of samples)
    for (const { tables, adviseUnknown } of providers) {
      const advice = tables[0]?.advise?.(sample) ?? adviseUnknown?.(sample);
      if (advice !== undefined) return advice;
    }
  return undefined;
}
