import type { ChunkTransaction, ImportThreads, Placed, Recognised } from '../ports.ts';
import type {
  ComparedRows,
  FinishedRows,
  ParsedChunk,
  RemovedMatch,
  ScannedLines,
  SimpleRows,
  SingleRecord,
  SoughtKeys,
} from '../parse/types.ts';
import { othersOf } from './other-lines.ts';
import { type ChunkToWrite, singleRecord, withLines } from './prepared.ts';
import { isAnyPassedOver } from './rare-keys.ts';
import { withoutRivals } from './rivals.ts';
import { Tally, type WrittenChunk } from './tally.ts';

/** Lines that are not known, up to which they are not placed at once. */
const fewOthers = 256;

/** Other writers keep taking the keys of these records: as often as this, it is not chance. */
const maxRaces = 20;

/**
 * Writes a chunk's records: at first all simple ones at once, then those that meet a user, or are more than one row, one
 * by one. Everything happens in `transaction`, which the caller commits or gives up.
 */
export async function writeChunk(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  input: ChunkToWrite,
): Promise<WrittenChunk> {
  const sifted = await sift(transaction, threads, input);
  return withoutRivals(transaction, sifted, (apart) => writeOnce(transaction, threads, apart));
}

/** Has records looked at by themselves whose keys have become rare since the chunk was parsed. */
async function sift(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  input: ChunkToWrite,
): Promise<ChunkToWrite> {
  const { job, rare, bytes, rules } = input;
  if (rare === undefined) return input;
  const found = await transaction.rareKeysSince(job, rare.since);
  rare.ofApp.add(found);
  if (!isAnyPassedOver(input.parsed, found)) return input;
  const parsed = await threads.run({ type: 'parse', bytes, rules, rare: rare.ofApp.filter });
  return { ...input, parsed };
}

async function writeOnce(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  input: ChunkToWrite,
): Promise<WrittenChunk> {
  const { scanned } = input.parsed;
  if (scanned === undefined) return writeParsed(transaction, threads, input);
  if (input.rivals.length > 0) return writeUnknown(transaction, threads, input);
  return (
    (await writeKnown(transaction, threads, { ...input, scanned })) ??
    (await writeUnknown(transaction, threads, input))
  );
}

async function writeParsed(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  input: ChunkToWrite,
): Promise<WrittenChunk> {
  const writer = new ChunkWriter(transaction, threads, await setAside(transaction, threads, input));
  return (await writer.atOnce()) ?? (await writer.inOrder());
}

/** @returns undefined when that is not enough to decide about the chunk */
async function writeKnown(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  input: ChunkToWrite & { readonly scanned: ScannedLines },
): Promise<WrittenChunk | undefined> {
  const { job, linesBefore, rules, scanned: lines, isGathered } = input;
  const tenantNo = rules.tenants.public;
  if (input.hasClaims || tenantNo === undefined || input.rare === undefined) return undefined;
  const known = await transaction.recognise({ job, linesBefore, tenantNo, lines, isGathered });
  if (known === undefined) return undefined;
  const others = await parseOthers(threads, input, known);
  if (others.parsed.isUnlike) return undefined;
  const rest: ChunkToWrite = { ...input, ...others, expected: 'mixed' };
  const removed = await findRemoved(transaction, threads, rest);
  const written = await new ChunkWriter(transaction, threads, { input: rest, removed }).atOnce(known);
  const isHardlyKnown = 2 * known.count < lines.count;
  return written && { ...written, isHardlyKnown };
}

/** Of lines that are not known. A few are decided individually: placing them all at once costs a further statement. */
async function parseOthers(
  threads: ImportThreads,
  { bytes, rules, parsed, scanned, rare }: ChunkToWrite & { readonly scanned: ScannedLines },
  known: Recognised,
): Promise<Pick<ChunkToWrite, 'bytes' | 'parsed'>> {
  if (known.count === scanned.count && !scanned.hasOthers) return { bytes, parsed };
  const others = othersOf(bytes, scanned.starts, known.lines);
  const isFew = others.lines.length <= fewOthers;
  const found = await threads.run({
    type: 'parse',
    bytes: others.bytes,
    rules,
    rare: rare?.ofApp.filter,
    ...(isFew && { aside: 'all' }),
  });
  return { bytes: others.bytes, parsed: withLines(found, (line) => others.lines[line - 1] ?? 0) };
}

/** Keys that no sketch had shown were not waited for: chunks written at the same time have to go again. */
async function writeUnknown(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  input: ChunkToWrite,
): Promise<WrittenChunk> {
  const { bytes, rules, rare } = input;
  await transaction.takeBack();
  const parsed = await threads.run({ type: 'parse', bytes, rules, rare: rare?.ofApp.filter });
  const hasClaims = input.hasClaims || parsed.isUnlike;
  const written = await writeParsed(transaction, threads, { ...input, parsed, hasClaims });
  return { ...written, movesKeys: written.movesKeys || parsed.isUnlike, isHardlyKnown: parsed.isUnlike };
}

/** Writes records that were postponed, as many of them as can have their keys. */
export async function writeTogether(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  input: ChunkToWrite,
): Promise<WrittenChunk> {
  const { removed } = await setAside(transaction, threads, { ...input, rivals: [] });
  return withoutRivals(transaction, input, (apart) =>
    new ChunkWriter(transaction, threads, { input: apart, removed }).together(),
  );
}

class ChunkWriter {
  readonly #transaction: ChunkTransaction;
  readonly #threads: ImportThreads;
  readonly #input: ChunkToWrite;
  readonly #removed: readonly RemovedMatch[];

  constructor(transaction: ChunkTransaction, threads: ImportThreads, { input, removed }: Sifted) {
    this.#transaction = transaction;
    this.#threads = threads;
    this.#input = input;
    this.#removed = removed;
  }

  /** @returns undefined when a later line was compared too early; see Decided.isOutOfOrder */
  async atOnce(known?: Recognised): Promise<WrittenChunk | undefined> {
    const { parsed } = this.#input;
    const tally = new Tally(this.#input);
    if (known) tally.addRecognised(known);
    const left: number[] = [];
    if (parsed.rows.count > 0) {
      const placed = await this.#place(parsed.rows, tally);
      for (const place of placed.left) left.push(parsed.simpleRecords[place] ?? 0);
      tally.addPlaced(placed, left);
    }
    const singles = [...left, ...parsed.complexRecords].sort((a, b) => a - b);
    return (await this.#decideEach(singles, tally)) ? tally.result() : undefined;
  }

  /** First what the rows were made for, where that is still expected. */
  async #place(rows: ParsedChunk['rows'], tally: Tally): Promise<Placed> {
    if ('userId' in rows) return this.#placeAll(rows, tally);
    const tried = 'identities' in rows ? this.#create(rows, tally) : this.#compare(rows);
    return (await tried) ?? this.#placeAll(await this.#allColumns(), tally);
  }

  async #create(rows: FinishedRows, tally: Tally): Promise<Placed | undefined> {
    const { job, expected, hasClaims } = this.#input;
    if (expected !== 'new' || hasClaims || !(await this.#transaction.create({ job, rows }))) return undefined;
    tally.addPrimaries(rows.primaries);
    return { created: rows.count, unchanged: 0, left: [], users: new Uint8Array() };
  }

  async #compare(rows: ComparedRows): Promise<Placed | undefined> {
    return this.#input.expected === 'unchanged'
      ? this.#transaction.compare({ ...this.#input, rows })
      : undefined;
  }

  #placeAll(rows: SimpleRows, tally: Tally): Promise<Placed> {
    tally.addPrimaries(rows.primaries);
    return this.#transaction.place({ ...this.#input, rows, isSifted: this.#input.rare !== undefined });
  }

  /** The same rows as columns. Both at once would fill the memory of each chunk, and few chunks ever need them. */
  async #allColumns(): Promise<SimpleRows> {
    const { bytes, rules, parsed } = this.#input;
    const aside = parsed.rare?.records ?? [];
    const { rows } = await this.#threads.run({ type: 'parse', bytes, rules, aside });
    if (!('userId' in rows)) throw new Error('all columns were asked for');
    return rows;
  }

  /** A record changed a user whom a later line was compared with before: now each waits for those before it. */
  async inOrder(): Promise<WrittenChunk> {
    await this.#transaction.takeBack();
    const tally = new Tally(this.#input);
    if (!(await this.#decideEach(this.#all(), tally))) throw new Error('a chunk in order was out of order');
    return tally.result();
  }

  async together(): Promise<WrittenChunk> {
    const tally = new Tally(this.#input);
    // A user whom another line has found unchanged meanwhile is changed all the same.
    await this.#decideEach(this.#all(), tally, { isInOrder: false });
    return tally.result();
  }

  #all(): number[] {
    return Array.from({ length: this.#input.parsed.linesOf.length }, (_, record) => record);
  }

  /** @returns false when a later line was compared too early */
  async #decideEach(
    records: readonly number[],
    tally: Tally,
    { isInOrder = true }: { readonly isInOrder?: boolean } = {},
  ): Promise<boolean> {
    const { rules, job } = this.#input;
    let pending = records;
    for (let races = 0; pending.length > 0;) {
      const singles = pending.map((record) => singleRecord(this.#input, record));
      const keys = await this.#keysOf(singles);
      const holders = await this.#transaction.find({ job }, keys);
      tally.addTouched(holders.methods);
      const [removed, { rivals }] = [this.#removed, this.#input];
      const decided = await this.#threads.run({
        type: 'decide',
        records: singles,
        holders,
        rules,
        removed,
        ...(rivals.length > 0 && { rivals }),
      });
      if (isInOrder && decided.isOutOfOrder) return false;
      if (await this.#transaction.change({ job }, decided.changes)) {
        if (decided.restored.length > 0) await this.#transaction.restore(job, decided.restored);
        tally.addDecided(decided);
        pending = decided.deferred;
      } else if (++races === maxRaces) {
        throw new Error(`the keys of a chunk were taken by others ${maxRaces} times in a row`);
      }
    }
    return true;
  }

  /** Those of complex records were found when the chunk was parsed. */
  async #keysOf(singles: readonly SingleRecord[]): Promise<SoughtKeys> {
    const { rules, parsed } = this.#input;
    const { complexRecords, complexKeys } = parsed;
    const isEachComplex =
      singles.length === complexRecords.length &&
      singles.every(({ record }, place) => record === complexRecords[place]);
    return isEachComplex ? complexKeys : this.#threads.run({ type: 'keys', records: singles, rules });
  }
}

/** A chunk, and which of its records speak of people who were removed here. */
interface Sifted {
  readonly input: ChunkToWrite;
  readonly removed: readonly RemovedMatch[];
}

/**
 * Looks for records of users who were removed here, which are decided individually, as those of rivals: a record that is
 * placed with all others at once is created without a further question.
 */
async function setAside(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  input: ChunkToWrite,
): Promise<Sifted> {
  const { rules, bytes, rare } = input;
  const removed = await findRemoved(transaction, threads, input);
  // Records with rare keys are looked at by themselves already.
  const met = rare === undefined ? removed.map(({ record }) => record) : [];
  const aside = [...new Set([...met, ...recordsOfRivals(input)])];
  if (aside.length === 0) return { input, removed };
  const again = await threads.run({ type: 'parse', bytes, rules, aside, rare: rare?.ofApp.filter });
  return { input: { ...input, parsed: again }, removed };
}

async function findRemoved(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  input: ChunkToWrite,
): Promise<readonly RemovedMatch[]> {
  const { job, rules } = input;
  const suspects = await suspectsOf(transaction, input);
  if (suspects.length === 0) return [];
  const records = Array.from(suspects, (record) => singleRecord(input, record));
  return transaction.findRemoved(job, await threads.run({ type: 'keys', records, rules }));
}

/** Records that may speak of a removed user: those with rare keys, or all of them where none were looked for. */
async function suspectsOf(
  transaction: ChunkTransaction,
  { job, parsed, rare }: ChunkToWrite,
): Promise<ArrayLike<number> & Iterable<number>> {
  if (rare !== undefined) return parsed.rare?.records ?? [];
  const { length } = parsed.linesOf;
  if (length === 0 || !(await transaction.hasRemoved(job))) return [];
  return Array.from({ length }, (_, record) => record);
}

function recordsOfRivals({ rivals, parsed, linesBefore }: ChunkToWrite): number[] {
  if (rivals.length === 0) return [];
  const lines = new Set(rivals.map(({ line }) => line - linesBefore));
  return [...parsed.linesOf.keys()].filter((record) => lines.has(parsed.linesOf[record] ?? 0));
}
