import { ExportFault, lookupOption } from '../providers/provider.ts';
import type { ConvertOptions, Lookup, Provider, SourceRow, Table } from '../providers/provider.ts';
import { isOfDump, relatedInDump } from '../readers/sql/samples.ts';
import { foundInDump, openTable, type FoundTable } from '../readers/table.ts';
import { readRecords } from './records.ts';

/** The limit for all lookups of a dump, as JSON: each thread has them in memory. A realm of 10,000 roles takes 1 MiB. */
const lookupBytesLimit = 16 * 1024 * 1024;

/** The rows of the provider's small tables in a dump, by their options. @throws ExportFault for large ones */
export async function readLookups(
  provider: Provider,
  found: FoundTable,
  signal: AbortSignal,
): Promise<ConvertOptions> {
  const said: Record<string, string> = {};
  let bytes = 0;
  for (const lookup of provider.lookups ?? []) {
    const table = lookupIn(provider, found, lookup);
    if (table === undefined) continue;
    const rows: string[] = [];
    for await (const row of rowsOf(table, signal)) {
      const text = JSON.stringify(Object.fromEntries(lookup.columns.map((name) => [name, row[name]])));
      bytes += text.length;
      if (bytes > lookupBytesLimit) throw tooLarge(provider, found, lookup);
      rows.push(text);
    }
    said[lookupOption(lookup.table)] = `[${rows.join(',')}]`;
  }
  return said;
}

function lookupIn(provider: Provider, found: FoundTable, { table: name }: Lookup): FoundTable | undefined {
  const [users] = provider.tables;
  if (users === undefined || !isOfDump(found.sample)) return undefined;
  const table: Table = { name, places: [], fields: {}, sqlNames: [name], idOf: () => undefined };
  const sample = relatedInDump(found.sample, users, table);
  if (sample === undefined) throw tableMissing(found.file, name);
  return foundInDump(found.file, sample, { table, reading: { encoding: found.reading.encoding } });
}

async function* rowsOf(table: FoundTable, signal: AbortSignal): AsyncGenerator<SourceRow> {
  const { columns, batches } = await openTable(table, { signal, isRequired: false });
  for await (const batch of batches)
    for (const record of readRecords(batch, { columns })) if (record.is === 'row') yield record.row;
}

/** Without it users would lose their passwords or roles without notice. */
export function tableMissing(file: string, table: string): ExportFault {
  return new ExportFault(
    `${file}: the dump has no table ${table}, with rows or without: make it of the whole database, with its CREATE TABLE`,
  );
}

function tooLarge({ name }: Provider, { file }: FoundTable, { table }: Lookup): ExportFault {
  return new ExportFault(
    `${file}: its ${table} is larger than what is kept in memory: restore the dump into a database, and read that with export-from --from ${name}`,
  );
}
