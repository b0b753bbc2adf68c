/** The work of a thread for a conversion. */

import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import type {
  ConvertRecordsTask,
  ConvertResult,
  ConvertTask,
  ConvertedRecords,
  DatesTask,
  Joined,
  JoinTask,
  Partitioned,
  PartitionFile,
  PartitionTask,
  PlacedReject,
  Undecided,
} from '../tasks.ts';
import { digest } from '../../domain/digests.ts';
import { requireProvider } from '../providers/index.ts';
import { ExportFault } from '../providers/provider.ts';
import type { Provider, SourceRow, Table } from '../providers/provider.ts';
import { blankMark, droppedMark, entriesOf, entryHead } from './entries.ts';
import { AddressList } from '../emails/addresses.ts';
import { readRecord, readRecords, tooLong } from './records.ts';
import { nothingRelated, RecordConverter, usedElsewhere } from './convert-record.ts';
import { DateColumns, type DatesShown } from '../fields/date-columns.ts';

/** Runs one task to its end; blocks. */
export function runConvertTask(task: ConvertTask): ConvertResult<ConvertTask> {
  try {
    if (task.type === 'convert') return convertRecords(task);
    if (task.type === 'dates') return datesIn(task);
    return task.type === 'partition' ? partition(task) : join(task);
  } catch (error) {
    // Instances of a class lose it between threads; a bug keeps its stack.
    if (error instanceof ExportFault) return { unusable: error.message };
    throw error;
  }
}

/** A Buffer may share its memory with others. */
const encoder = new TextEncoder();

function convertRecords({ rules, form, records }: ConvertRecordsTask): ConvertedRecords | Undecided {
  const provider = requireProvider(rules.provider);
  const lines: string[] = [];
  const rejects: PlacedReject[] = [];
  const notes: Record<string, number> = {};
  const addresses = new AddressList();
  const converter = new RecordConverter(provider, rules);
  let skipped = 0;
  for (const record of readRecords(records, form)) {
    const { line, user, reject, note } = converter.convert(record, nothingRelated, lines.length);
    if (reject !== undefined) rejects.push({ ...reject, place: lines.length });
    else if (line === undefined) skipped += 1;
    if (note !== undefined) notes[note] = (notes[note] ?? 0) + 1;
    if (user !== undefined) addresses.add(user, lines.length);
    lines.push(line ?? '');
  }
  if (converter.isUndecided) return { undecided: records };
  const text = encoder.encode(`${lines.join('\n')}\n`);
  return { text, rejects, skipped, notes, addresses: addresses.all, account: converter.account() };
}

function datesIn({ rules, table: name, form, records }: DatesTask): DatesShown {
  const { fields, holds, columnsOf } = tableOf(requireProvider(rules.provider), name);
  const columns = new DateColumns(fields, usedElsewhere(rules));
  let place = 0;
  for (const record of readRecords(records, form)) {
    if (record.is === 'row' && holds?.(record.row) !== false)
      columns.read(columnsOf?.(record.row) ?? record.row, place);
    place += 1;
  }
  return columns.shown();
}

function tableOf(provider: Provider, name: string): Table {
  const table = provider.tables.find((each) => each.name === name);
  if (table === undefined) throw new Error(`${provider.name} has no table ${name}`);
  return table;
}

function partition(task: PartitionTask): Partitioned {
  const provider = requireProvider(task.provider);
  const table = tableOf(provider, task.table);
  // A record of the users keeps its number even if it is not a row; one of another table is useless then.
  const otherwise = table === provider.tables[0] ? blankMark : droppedMark;
  const partitions = new Uint16Array(task.records.ends.length);
  const otherIds = new Map<string, string>();
  let place = 0;
  for (const record of readRecords(task.records, task.form)) {
    if (record.is === 'row' && table.holds?.(record.row) !== false) {
      const id = idOfRow(task, table, record.row, otherIds);
      partitions[place] = partitionOf(id, task.partitions);
    } else partitions[place] = record.is === 'reject' ? 0 : otherwise;
    place += 1;
  }
  return { partitions, otherIds };
}

/** The id by which a row is joined. @param otherIds receives the other id of a user, if requested */
function idOfRow(
  { idsByOther, wantsOtherIds }: PartitionTask,
  table: Table,
  row: SourceRow,
  otherIds: Map<string, string>,
): string | undefined {
  const named = table.idOf(row);
  const id = idsByOther?.get(named ?? '') ?? named;
  const other = wantsOtherIds === true ? table.otherIdOf?.(row) : undefined;
  if (id !== undefined && other !== undefined && other !== id) otherIds.set(other, id);
  return id;
}

/** By a digest, so that ids in sequence or with a common beginning are distributed evenly. */
function partitionOf(id: string | undefined, partitions: number): number {
  if (id === undefined || partitions === 1) return 0;
  return digest(id).readUInt32LE(0) % partitions;
}

function join({ rules, users, related, output }: JoinTask): Joined | Undecided {
  const provider = requireProvider(rules.provider);
  const tables = Object.entries(related).map(([name, file]) => readRelated(tableOf(provider, name), file));
  const [usersTable] = provider.tables;
  const parts: Uint8Array[] = [];
  const notes: Record<string, number> = {};
  const addresses = new AddressList();
  const converter = new RecordConverter(provider, rules);
  for (const { record, text, isOversized } of entriesOf(readFileSync(users.path))) {
    const read = isOversized ? tooLong : readRecord(text, users.form);
    const ids = read.is === 'row' && usersTable !== undefined ? idsOf(usersTable, read.row) : [];
    const { line = '', user, reject, note } = converter.convert(read, relatedOf(ids, tables), record);
    if (note !== undefined) notes[note] = (notes[note] ?? 0) + 1;
    if (user !== undefined) addresses.add(user, record);
    const [first, second] = [Buffer.from(line), Buffer.from(reject ? JSON.stringify(reject) : '')];
    parts.push(entryHead(record, first.length, second.length), first, second);
  }
  if (converter.isUndecided) return { undecided: undefined };
  writeFileSync(output, Buffer.concat(parts), { mode: 0o600, flag: 'wx' });
  for (const { path } of [users, ...Object.values(related)]) rmSync(path);
  const unmatched = Object.fromEntries(tables.map((table) => [table.name, unmatchedOf(table)]));
  return { unmatched, notes, addresses: addresses.all, account: converter.account() };
}

interface RelatedRows {
  readonly name: string;
  readonly byId: ReadonlyMap<string, readonly SourceRow[]>;
  /** Rows that name no user or are not records. */
  readonly loose: number;
  readonly met: Set<string>;
}

function readRelated(table: Table, { path, form }: PartitionFile): RelatedRows {
  const byId = new Map<string, SourceRow[]>();
  let loose = 0;
  for (const { text, isOversized } of entriesOf(readFileSync(path))) {
    const read = isOversized ? tooLong : readRecord(text, form);
    const id = read.is === 'row' ? table.idOf(read.row) : undefined;
    if (read.is !== 'row' || id === undefined) {
      loose += 1;
      continue;
    }
    const rows = byId.get(id);
    if (rows === undefined) byId.set(id, [read.row]);
    else rows.push(read.row);
  }
  return { name: table.name, byId, loose, met: new Set() };
}

/** The ids by which rows of further tables may refer to a user. */
function idsOf({ idOf, otherIdOf }: Table, row: SourceRow): readonly string[] {
  const ids = [idOf(row), otherIdOf?.(row)].filter((id) => id !== undefined);
  return ids[0] === ids[1] ? ids.slice(1) : ids;
}

function relatedOf(ids: readonly string[], tables: readonly RelatedRows[]) {
  if (ids.length === 0) return nothingRelated;
  const found = tables.map(({ name, byId, met }) => {
    for (const id of ids) met.add(id);
    return [name, ids.flatMap((id) => byId.get(id) ?? [])] as const;
  });
  return Object.fromEntries(found);
}

function unmatchedOf({ byId, loose, met }: RelatedRows): number {
  let rows = loose;
  for (const [id, own] of byId) if (!met.has(id)) rows += own.length;
  return rows;
}
