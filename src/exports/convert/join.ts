import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Addresses, IdsByOther, PartitionFile, RecordForm } from '../tasks.ts';
import { ExportFault, type ConversionReject } from '../providers/provider.ts';
import { addAccount, emptyAccount } from '../fields/account.ts';
import { compressionIn } from '../readers/input.ts';
import { beginnings, isSameForm } from './files.ts';
import { type ConvertedBatch, type ConvertPool, type FileBeginning, finished } from './ports.ts';
import { createPartitionWriter } from './partition-writer.ts';
import type { RulesInUse } from './dates.ts';
import { inOrder } from './in-order.ts';
import { mergedEntries } from './merge.ts';
import type { OpenSource, SourceTable } from './source.ts';

/** Bytes of all tables that one partition should have: each thread parses it as a whole in memory. */
const partitionBytes = 8 * 1024 * 1024;
/** The number of files that are open at once; with more data, partitions grow. */
const partitionsLimit = 256;
/** The assumed ratio of compressed files. */
const packedRatio = 8;
const batchBytes = 512 * 1024;
const batchRecords = 4096;

/**
 * Joins the users with their other tables in bounded memory: both sides are partitioned by a digest of the user's id into
 * temporary files, joined partition by partition in the threads, and merged back into the order of the users' file.
 */
export async function* join({ source, rules, pool, signal }: ConvertSteps): AsyncGenerator<ConvertedBatch> {
  const folder = await mkdtemp(path.join(tmpdir(), 'carryover-'));
  try {
    const partitions = await countPartitions(source);
    const steps: Steps = { source, rules, pool, signal, folder, partitions };
    const otherIds = new Map<string, string>();
    const namesOther = new Set(source.namingOtherIds);
    const users = await part(steps, source.users, { collects: namesOther.size > 0 ? otherIds : undefined });
    const related: Parted[] = [];
    for (const table of source.related) {
      const idsByOther = namesOther.has(table.name) && otherIds.size > 0 ? otherIds : undefined;
      related.push(await part(steps, table, { idsByOther }));
    }
    const joined = await joinAll(steps, users, related);
    yield* merged(steps, users, joined);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A source on its way through the threads. */
export interface ConvertSteps {
  readonly source: OpenSource;
  readonly rules: RulesInUse;
  readonly pool: ConvertPool;
  readonly signal: AbortSignal;
}

interface Steps extends ConvertSteps {
  readonly folder: string;
  readonly partitions: number;
}

/** By the sizes of the tables, so that the same files always get the same partitions. */
async function countPartitions({ users, related }: OpenSource): Promise<number> {
  const tables = [users, ...related];
  let bytes = tables.reduce((sum, table) => sum + (table.bytes ?? 0), 0);
  const files = new Set(tables.filter((table) => table.bytes === undefined).flatMap((table) => table.files));
  for (const file of files)
    bytes += (await stat(file)).size * ((await compressionIn(file)) === undefined ? 1 : packedRatio);
  return Math.min(Math.ceil(bytes / partitionBytes) || 1, partitionsLimit);
}

function fileOf({ folder }: Steps, name: string, partition: number): string {
  return path.join(folder, `${name}-${partition}`);
}

function numbers({ partitions }: Steps): readonly number[] {
  return Array.from({ length: partitions }, (_, partition) => partition);
}

/** A table in partitions. */
interface Parted {
  readonly name: string;
  readonly form: RecordForm;
  readonly records: number;
  readonly starts: readonly FileBeginning[];
}

/** Users with a second id, by which some tables refer to them: few, as most have one. */
interface OtherIds {
  /** Receives those of the users that are being partitioned. */
  readonly collects?: Map<string, string> | undefined;
  readonly idsByOther?: IdsByOther | undefined;
}

async function part(
  steps: Steps,
  { name, batches }: SourceTable,
  { collects, idsByOther }: OtherIds,
): Promise<Parted> {
  const { pool, signal, source, partitions } = steps;
  const writer = await createPartitionWriter(numbers(steps).map((each) => fileOf(steps, name, each)));
  let common: RecordForm | undefined;
  const starts: FileBeginning[] = [];
  let count = 0;
  try {
    const parted = inOrder(
      batches,
      async ({ bytes, ends, oversized, form, starts: own }) => {
        const records = { bytes, ends, oversized };
        const { provider } = source.rules;
        const task = { type: 'partition', provider, table: name, form, records, partitions } as const;
        const wanted = { wantsOtherIds: collects !== undefined, idsByOther };
        const found = finished(await pool.run({ ...task, ...wanted }));
        return { records, form, own, marks: found.partitions, otherIds: found.otherIds };
      },
      pool.threads + 2,
    );
    for await (const { records, form, own, marks, otherIds } of parted) {
      signal.throwIfAborted();
      common ??= form;
      requireForm(common, form);
      starts.push(...beginnings(own, count + 1));
      count += records.ends.length;
      for (const [other, id] of otherIds) collects?.set(other, id);
      await writer.write(records, marks);
    }
    await writer.close();
    return { name, form: common ?? { columns: undefined }, records: count, starts };
  } catch (error) {
    await writer.abandon();
    throw error;
  }
}

/** Records of several files share partitions if they have one form. */
function requireForm(first: RecordForm, form: RecordForm): void {
  if (isSameForm(first, form)) return;
  throw new ExportFault(
    `the files of users have different columns: ${namesIn(first)}; and ${namesIn(form)}: export them alike, or import each separately`,
  );
}

function namesIn({ columns = [] }: RecordForm): string {
  return columns.join(', ');
}

/** The totals of all partitions. */
type AllJoined = Pick<ConvertedBatch, 'unmatched' | 'notes' | 'addresses' | 'account'>;

async function joinAll(steps: Steps, users: Parted, others: readonly Parted[]): Promise<AllJoined> {
  const { pool, signal, rules } = steps;
  const unmatched: Record<string, number> = {};
  const notes: Record<string, number> = {};
  const addresses: Addresses[] = [];
  const account = emptyAccount();
  const fileIn = ({ name, form }: Parted, partition: number): PartitionFile => ({
    path: fileOf(steps, name, partition),
    form,
  });
  const joined = inOrder(
    each(numbers(steps)),
    async (partition) => {
      signal.throwIfAborted();
      const related = others.map((table) => [table.name, fileIn(table, partition)] as const);
      const task = {
        type: 'join',
        users: fileIn(users, partition),
        related: Object.fromEntries(related),
        output: fileOf(steps, 'joined', partition),
      } as const;
      return rules.converted(async (own) => finished(await pool.run({ ...task, rules: own })));
    },
    pool.threads,
  );
  for await (const found of joined) {
    addTo(unmatched, found.unmatched);
    addTo(notes, found.notes);
    addresses.push(found.addresses);
    addAccount(account, found.account, 0);
  }
  return { unmatched, notes, addresses, account };
}

function addTo(sums: Record<string, number>, more: Readonly<Record<string, number>>): void {
  for (const [name, rows] of Object.entries(more)) sums[name] = (sums[name] ?? 0) + rows;
}

// An async iterable as inOrder needs it, without an actual wait.
// eslint-disable-next-line @typescript-eslint/require-await
async function* each<Item>(items: readonly Item[]): AsyncGenerator<Item> {
  yield* items;
}

const newline = Buffer.from('\n');
const nothing: AllJoined = { unmatched: {}, notes: {}, addresses: [], account: emptyAccount() };

async function* merged(
  steps: Steps,
  { records: count, starts }: Parted,
  found: AllJoined,
): AsyncGenerator<ConvertedBatch> {
  const size = await sizeOf(steps.source.users.files);
  const outputs = numbers(steps).map((partition) => fileOf(steps, 'joined', partition));
  let parts: Uint8Array[] = [];
  let rejects: (ConversionReject & { record: number })[] = [];
  let [first, records, bytes, skipped] = [1, 0, 0, 0];
  const cut = (): ConvertedBatch => {
    const done = first + records - 1;
    const share = Math.floor((size * done) / Math.max(count, 1));
    const known = first === 1 ? starts : [];
    const batch = {
      text: Buffer.concat(parts),
      firstRecord: first,
      records,
      skipped,
      rejects,
      starts: known,
    };
    [first, records, bytes, skipped, parts, rejects] = [done + 1, 0, 0, 0, [], []];
    return { ...batch, bytesRead: share, ...(done === count ? found : nothing) };
  };
  for await (const { record, text, reject } of mergedEntries(outputs)) {
    if (reject.length > 0)
      rejects.push({ ...(JSON.parse(Buffer.from(reject).toString()) as ConversionReject), record });
    else if (text.length === 0) skipped += 1;
    parts.push(Buffer.from(text), newline);
    records += 1;
    bytes += text.length;
    if (bytes < batchBytes && records < batchRecords) continue;
    steps.signal.throwIfAborted();
    yield cut();
  }
  if (records > 0 || count === 0) yield cut();
}

async function sizeOf(files: readonly string[]): Promise<number> {
  let bytes = 0;
  for (const file of files) bytes += (await stat(file)).size;
  return bytes;
}
