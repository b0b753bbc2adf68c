import type { ChunkTransaction, ImportThreads, Placed, Recognised } from '../ports.ts';
import type { ParsedChunk, RemovedMatch, SimpleRows, SketchedLines } from '../parse/types.ts';
import { decideEach } from './decide-each.ts';
import { placing } from './plan.ts';
import { type ChunkToWrite, singleRecord, unrecognisedLines, withLines } from './prepared.ts';
import { isAnyPassedOver } from './rare-keys.ts';
import { withoutRivals } from './rivals.ts';
import { Tally, type WrittenChunk } from './tally.ts';

/** Up to this number of unrecognised lines they are not placed with one statement. */
const fewLines = 256;

/**
 * Writes a chunk's records by its plan, within `transaction`, which the caller commits or rolls back: first all simple ones
 * together, then individually those whose users exist and differ, or have several rows.
 */
export async function writeChunk(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  chunk: ChunkToWrite,
): Promise<WrittenChunk> {
  const writer = new ChunkWriter(transaction, threads);
  const current = await writer.withNewRareKeys(chunk);
  return withoutRivals(transaction, current, (attempt) => writer.write(attempt));
}

/** Writes postponed records: all that can have their keys. */
export async function writeTogether(
  transaction: ChunkTransaction,
  threads: ImportThreads,
  chunk: ChunkToWrite,
): Promise<WrittenChunk> {
  const writer = new ChunkWriter(transaction, threads);
  const removed = await writer.findRemoved(chunk);
  return withoutRivals(transaction, chunk, (attempt) => writer.writeTogether(attempt, removed));
}

/** A chunk, and its records of users who were removed here. */
interface Sorted {
  readonly chunk: ChunkToWrite;
  readonly removed: readonly RemovedMatch[];
}

class ChunkWriter {
  readonly #transaction: ChunkTransaction;
  readonly #threads: ImportThreads;

  constructor(transaction: ChunkTransaction, threads: ImportThreads) {
    this.#transaction = transaction;
    this.#threads = threads;
  }

  /** Moves records to individual decision whose keys have become rare since the chunk was parsed. */
  async withNewRareKeys(chunk: ChunkToWrite): Promise<ChunkToWrite> {
    const { job, rare, parsed } = chunk;
    if (rare === undefined) return chunk;
    const found = await this.#transaction.rareKeysSince(job, rare.since);
    rare.ofApp.add(found);
    return isAnyPassedOver(parsed, found) ? this.#parsedWhole(chunk) : chunk;
  }

  async write(chunk: ChunkToWrite): Promise<WrittenChunk> {
    const { sketched } = chunk.parsed;
    if (sketched === undefined) return this.#writeParsed(chunk);
    const recognised = chunk.plan.byMarks ? await this.#writeRecognised(chunk, sketched) : undefined;
    return recognised ?? this.#writeUnrecognised(chunk);
  }

  /** @returns undefined when that is not enough to decide about the chunk */
  async #writeRecognised(chunk: ChunkToWrite, lines: SketchedLines): Promise<WrittenChunk | undefined> {
    const { job, linesBefore, rules, plan } = chunk;
    const tenantNo = rules.tenants.public;
    if (tenantNo === undefined) return undefined;
    const { seenInOneRow } = plan;
    const recognised = await this.#transaction.recognise({ job, linesBefore, tenantNo, lines, seenInOneRow });
    if (recognised === undefined) return undefined;
    const others = await this.#withOtherLines(chunk, lines, recognised);
    if (others.parsed.hasHiddenKeys) return undefined;
    const sorted = { chunk: others, removed: await this.findRemoved(others) };
    const written = await this.#atOnce(sorted, recognised);
    return written && { ...written, areMarksUseless: 2 * recognised.count < lines.count };
  }

  /** Unrecognised lines are parsed. A few are decided individually: placing them together costs a further statement. */
  async #withOtherLines(
    chunk: ChunkToWrite,
    { starts, count, hasOthers }: SketchedLines,
    recognised: Recognised,
  ): Promise<ChunkToWrite> {
    const placed = { ...chunk, plan: { ...chunk.plan, kind: placing.kind } };
    if (recognised.count === count && !hasOthers) return placed;
    const { bytes, lines } = unrecognisedLines(chunk.bytes, starts, recognised.lines);
    const { rules, rare } = chunk;
    const individually = lines.length <= fewLines ? ('all' as const) : undefined;
    const task = { type: 'parse', bytes, rules, rare: rare?.ofApp.filter, individually } as const;
    const parsed = await this.#threads.run(task);
    return { ...placed, bytes, parsed: withLines(parsed, (line) => lines[line - 1] ?? 0) };
  }

  /** Keys that no sketch showed were not waited for: chunks written at the same time are written again. */
  async #writeUnrecognised(chunk: ChunkToWrite): Promise<WrittenChunk> {
    await this.#transaction.rollBack();
    const whole = await this.#parsedWhole(chunk);
    const { hasHiddenKeys } = whole.parsed;
    const hasClaims = whole.plan.hasClaims || hasHiddenKeys;
    const written = await this.#writeParsed({ ...whole, plan: { ...whole.plan, hasClaims } });
    const moves = hasHiddenKeys ? 'unknown' : written.moves;
    return { ...written, moves, areMarksUseless: hasHiddenKeys };
  }

  async #writeParsed(chunk: ChunkToWrite): Promise<WrittenChunk> {
    const sorted = await this.#sort(chunk);
    return (await this.#atOnce(sorted)) ?? this.#inOrder(sorted);
  }

  /**
   * Looks for records of users who were removed here, which are decided individually, as are those of rivals: a record that is
   * placed with all others is created without a further question.
   */
  async #sort(chunk: ChunkToWrite): Promise<Sorted> {
    const removed = await this.findRemoved(chunk);
    // Records with rare keys are already decided individually.
    const found = chunk.rare === undefined ? removed.map(({ record }) => record) : [];
    const individually = [...found, ...recordsOfRivals(chunk)];
    const { form, rows } = chunk.parsed;
    const isAsPlanned = chunk.plan.kind !== 'place' || form === 'columns' || rows.count === 0;
    const isSorted = individually.length === 0 && isAsPlanned;
    return { chunk: isSorted ? chunk : await this.#asColumns(chunk, individually), removed };
  }

  async findRemoved(chunk: ChunkToWrite): Promise<readonly RemovedMatch[]> {
    const { job, rules } = chunk;
    const suspects = await this.#suspectsOf(chunk);
    if (suspects.length === 0) return [];
    const records = Array.from(suspects, (record) => singleRecord(chunk, record));
    return this.#transaction.findRemoved(job, await this.#threads.run({ type: 'keys', records, rules }));
  }

  /** Records that may be about a removed user: those with rare keys, or all of them if rare keys were not looked up. */
  async #suspectsOf({ job, parsed, rare }: ChunkToWrite): Promise<ArrayLike<number> & Iterable<number>> {
    if (rare !== undefined) return parsed.rare?.records ?? [];
    const { length } = parsed.linesOf;
    if (length === 0 || !(await this.#transaction.hasRemoved(job))) return [];
    return Array.from({ length }, (_, record) => record);
  }

  /** @returns undefined when a later line was compared too early: then all are written in order */
  async #atOnce(sorted: Sorted, recognised?: Recognised): Promise<WrittenChunk | undefined> {
    const tally = new Tally(sorted.chunk);
    if (recognised) tally.addRecognised(recognised);
    const { rows, simpleRecords, complexRecords } = sorted.chunk.parsed;
    const left: number[] = [];
    if (rows.count > 0) {
      const placed = await this.#place(sorted.chunk, tally);
      for (const place of placed.left) left.push(simpleRecords[place] ?? 0);
      tally.addPlaced(placed, left);
    }
    const singles = [...left, ...complexRecords].sort((a, b) => a - b);
    const isDone = await decideEach(this.#transaction, this.#threads, singles, {
      ...sorted,
      tally,
      isInOrder: true,
    });
    return isDone ? tally.result() : undefined;
  }

  /** By the plan, and if that fails, as all columns. */
  async #place(chunk: ChunkToWrite, tally: Tally): Promise<Placed> {
    const { job, parsed, linesBefore, plan } = chunk;
    if (job.compare === true) return this.#compareAll(chunk);
    if (parsed.form === 'columns') return this.#placeAll(chunk, parsed.rows, tally);
    if (parsed.form === 'finished') {
      const { rows } = parsed;
      if (await this.#transaction.create({ job, rows })) {
        tally.addPrimaries(rows.primaries);
        return { created: rows.count, unchanged: 0, left: [], users: new Uint8Array() };
      }
    } else {
      const { hasClaims } = plan;
      const compared = await this.#transaction.compare({ job, rows: parsed.rows, linesBefore, hasClaims });
      if (compared !== undefined) return compared;
    }
    const { parsed: again } = await this.#asColumns(chunk);
    return this.#placeAll(chunk, again.rows, tally);
  }

  /** Places nothing: what is not equal is decided individually. */
  async #compareAll({ job, parsed, linesBefore, plan }: ChunkToWrite): Promise<Placed> {
    if (parsed.form === 'finished') throw new Error('a comparison creates nothing');
    const { rows } = parsed;
    const { hasClaims } = plan;
    const compared = await this.#transaction.compare({ job, rows, linesBefore, hasClaims });
    const left = Array.from({ length: rows.count }, (_, place) => place);
    return compared ?? { created: 0, unchanged: 0, left, users: new Uint8Array() };
  }

  #placeAll(chunk: ChunkToWrite, rows: SimpleRows, tally: Tally): Promise<Placed> {
    const { job, linesBefore, plan, rare } = chunk;
    tally.addPrimaries(rows.primaries);
    const hasNoRareKey = rare !== undefined;
    return this.#transaction.place({ job, rows, linesBefore, hasClaims: plan.hasClaims, hasNoRareKey });
  }

  /** A record changed a user with which a later line was compared before: now each waits for earlier ones of that user. */
  async #inOrder(sorted: Sorted): Promise<WrittenChunk> {
    await this.#transaction.rollBack();
    const tally = new Tally(sorted.chunk);
    const all = allRecords(sorted.chunk.parsed);
    const isDone = await decideEach(this.#transaction, this.#threads, all, {
      ...sorted,
      tally,
      isInOrder: true,
    });
    if (!isDone) throw new Error('a chunk in order was out of order');
    return tally.result();
  }

  async writeTogether(chunk: ChunkToWrite, removed: readonly RemovedMatch[]): Promise<WrittenChunk> {
    const tally = new Tally(chunk);
    // A user that another line has found unchanged in the meantime is changed all the same.
    const individually = { chunk, removed, tally, isInOrder: false };
    await decideEach(this.#transaction, this.#threads, allRecords(chunk.parsed), individually);
    return tally.result();
  }

  /** Lines that were only sketched, or among whose keys some have become rare. */
  async #parsedWhole(chunk: ChunkToWrite): Promise<ChunkToWrite> {
    const { bytes, rules, rare, plan } = chunk;
    const parsed = await this.#threads.run({ type: 'parse', bytes, rules, rare: rare?.ofApp.filter });
    return { ...chunk, parsed, plan: { ...plan, kind: placing.kind } };
  }

  /**
   * The same records as all columns. Several forms at once would fill the memory of each chunk, and few chunks ever need them.
   * @param individually records decided individually in addition to the present ones
   */
  async #asColumns(
    chunk: ChunkToWrite,
    individually: readonly number[] = [],
  ): Promise<ChunkToWrite & { readonly parsed: ParsedChunk & { readonly form: 'columns' } }> {
    const { bytes, rules, plan } = chunk;
    const rare = chunk.parsed.rare?.records ?? [];
    const all = [...new Set([...rare, ...individually])];
    const parsed = await this.#threads.run({ type: 'parse', bytes, rules, individually: all });
    if (parsed.form !== 'columns') throw new Error('all columns were asked for');
    return { ...chunk, parsed, plan: { ...plan, kind: placing.kind } };
  }
}

function allRecords({ linesOf }: ParsedChunk): number[] {
  return Array.from({ length: linesOf.length }, (_, record) => record);
}

function recordsOfRivals({ rivals, parsed, linesBefore }: ChunkToWrite): number[] {
  if (rivals.length === 0) return [];
  const lines = new Set(rivals.map(({ line }) => line - linesBefore));
  return [...parsed.linesOf.keys()].filter((record) => lines.has(parsed.linesOf[record] ?? 0));
}
