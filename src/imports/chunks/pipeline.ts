import { copiesOfChunk } from '../engine.ts';
import { freeMemory } from '../../process/free-memory.ts';
import { isRolledBack, type Reject } from '../model.ts';
import type { ParsedChunk } from '../parse/types.ts';
import { numberOf } from '../ledger/outcomes.ts';
import type { ChunkTransaction, LedgerOfChunk, ProgressOutcome } from '../ports.ts';
import { withoutByteOrderMark } from '../parse/lines.ts';
import { lineTooLong } from '../../domain/line-limit.ts';
import type { ParseTask } from '../tasks.ts';
import type { Step, WhyAgain } from './commit-order.ts';
import type { Chunk } from './line-cutter.ts';
import { digestOfLine } from '../../receipts/leaf.ts';
import { rangeOf, reportCommitted, type UploadContext } from './context.ts';
import { hashPlainTexts } from './plain-text.ts';
import { type MadeHashes, type PreparedChunk, singleRecord } from './prepared.ts';
import { hasRivals } from './rivals.ts';
import { JobMoved, requireGoingOn } from './stopped.ts';
import type { WrittenChunk } from './tally.ts';
import { writeChunk } from './write-chunk.ts';

/**
 * Records that may wait for the end of the upload, when they are decided in one transaction. Approximate, because chunks that are
 * parsed concurrently do not know of each other's. Further ones are rejected at once.
 */
const mostPostponed = 20_000;

type Mode = 'begun' | 'admitted' | 'parsed' | 'ordered' | 'written' | 'next' | 'committed' | 'failed';

/** One attempt to write a chunk. */
interface Attempt {
  /** All chunks before it are committed: none can be while it is written. */
  readonly isNext: boolean;
  /** The number of commits of chunks when it began. */
  readonly commits: number;
}

interface Committed extends WrittenChunk {
  readonly outcome: Exclude<ProgressOutcome, 'moved'>;
}

/**
 * A chunk's life, from its lines to their commit.
 *
 *   mode       holds                                        ends by
 *   begun      its bytes, its step in the sequence          room in the memory of imports → admitted
 *   admitted   memory                                       a thread → parsed
 *   parsed     rows and keys                                its plain texts are hashed, its lines numbered, the step before
 *                                                           is in a lane, and none under way has a key of it → ordered
 *   ordered    a lane, once one is free; a transaction      all records written → written
 *   written    locks                                        all before it are committed → next; a reason to write it
 *                                                           again → ordered
 *   next       locks                                        its progress, the commit → committed
 *   committed  nothing                                      -
 *   failed     nothing                                      -
 *
 * Invariants:
 * - Any mode but committed ends in failed by an error, and the later steps fail with it.
 * - `written` returns to `ordered` by rolling back the whole transaction: by this chunk, for one of the reasons in `WhyAgain`, or
 *   by the store, which repeats the work after a deadlock.
 * - A chunk that is written again waits until it is the next. No chunk is committed before it then, so that only `repeated` can
 *   be a further reason, and once rows are split it is not: three attempts at most.
 */
export class ChunkImport {
  readonly #upload: UploadContext;
  readonly #chunk: Chunk;
  readonly #step: Step;
  #mode: Mode = 'begun';

  constructor(upload: UploadContext, chunk: Chunk, step: Step) {
    this.#upload = upload;
    this.#chunk = chunk;
    this.#step = step;
  }

  /** Called in the order of the chunks. @throws the error that failed this chunk and every later one */
  async run(): Promise<void> {
    const { memory } = this.#upload.engine;
    try {
      await memory.run(this.#chunk.bytes.byteLength * copiesOfChunk, () => this.#pass());
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** begun → committed or failed. A failure is reported before the chunk's memory is free for the next. */
  async #pass(): Promise<void> {
    try {
      this.#admit();
      const parsed = await this.#parse();
      const prepared = await this.#order(parsed);
      const { lanes } = this.#upload.engine;
      this.#commit(await lanes.run(() => this.#commitInOrder(prepared)));
      freeChunk(prepared);
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** begun → admitted */
  #admit(): void {
    this.#expect('begun');
    requireGoingOn(this.#upload);
    this.#mode = 'admitted';
  }

  /** admitted → parsed */
  async #parse(): Promise<Omit<PreparedChunk, 'linesBefore' | 'hashes'>> {
    this.#expect('admitted');
    const { engine, job, postponed, rareKeys } = this.#upload;
    const mayPostpone = postponed < mostPostponed;
    const rules = { ...(await this.#upload.rules()), mayPostpone };
    const { from, isOverlong } = this.#chunk;
    const bytes = from === 0 ? withoutByteOrderMark(this.#chunk.bytes) : this.#chunk.bytes;
    const rare = { ofApp: rareKeys, since: rareKeys.since };
    const plan = this.#upload.outlook.plan();
    const task: ParseTask = { type: 'parse', bytes, rules, plan, rare: rareKeys.filter };
    const [parsed, digests] = await Promise.all([engine.threads.run(task), this.#digests(bytes)]);
    this.#upload.outlook.learnParsed(parsed);
    this.#mode = 'parsed';
    return { job, rules, bytes, rare, digests, parsed: isOverlong ? overlong(parsed) : parsed };
  }

  /** Of its lines, if the job lists each. */
  async #digests(bytes: Uint8Array): Promise<Uint8Array | undefined> {
    const { engine, job } = this.#upload;
    if (job.receipt !== true) return undefined;
    if (this.#chunk.isOverlong) return digestOfLine(bytes);
    return engine.threads.run({ type: 'digests', bytes });
  }

  /** parsed → ordered */
  async #order(chunk: Omit<PreparedChunk, 'linesBefore' | 'hashes'>): Promise<PreparedChunk> {
    this.#expect('parsed');
    const { parsed, rules } = chunk;
    // Before the chunk's turn: it needs none of the chunks before it.
    const hashes = rules.allowPlainText ? await this.#hash(chunk) : new Map();
    const linesBefore = await this.#step.reportParsed(parsed.lines, parsed.keys);
    await this.#step.mayEnter();
    this.#mode = 'ordered';
    return { ...chunk, linesBefore, hashes };
  }

  async #hash(chunk: Omit<PreparedChunk, 'linesBefore' | 'hashes'>): Promise<MadeHashes> {
    const { engine, tenant } = this.#upload;
    const unnumbered = { ...chunk, linesBefore: 0, hashes: new Map() };
    const records = Array.from(chunk.parsed.complexRecords, (record) => singleRecord(unnumbered, record));
    return hashPlainTexts(engine, { ...chunk, tenant }, records);
  }

  /** In a lane. Repeated while there is a reason to write the chunk again. */
  async #commitInOrder(prepared: PreparedChunk): Promise<Committed> {
    this.#expect('ordered');
    const { engine, seen, sequence, tenant } = this.#upload;
    const chunks = engine.chunksOf(tenant.appNo);
    requireGoingOn(this.#upload);
    this.#step.enter();
    await seen.ready();
    for (let isNext = false; ; isNext = true) {
      if (isNext) await this.#step.isNext();
      const attempt = { isNext, commits: sequence.commits.count };
      const result = await chunks.transaction((transaction) => this.#attempt(transaction, prepared, attempt));
      if (typeof result === 'object') return result;
      if (result === 'repeated') await seen.split();
    }
  }

  /** ordered → next, in a transaction that the store commits or repeats; returns why it is rolled back, if it is. */
  async #attempt(
    transaction: ChunkTransaction,
    prepared: PreparedChunk,
    attempt: Attempt,
  ): Promise<Committed | WhyAgain> {
    this.#expect('ordered', 'written', 'next');
    this.#mode = 'ordered';
    const written = await this.#write(transaction, prepared, attempt);
    const why = await this.#whyAgain(transaction, written, { ...attempt, keys: prepared.parsed.keys });
    if (why !== undefined) {
      await transaction.rollBack();
      return why;
    }
    this.#mode = 'next';
    const outcome = await transaction.progress({
      ...rangeOf(this.#upload, this.#chunk),
      ...written,
      ledger: ledgerOf(prepared, written),
      physicalLines: prepared.parsed.lines,
      settled: 0,
    });
    if (outcome === 'moved') throw new JobMoved();
    return { ...written, outcome };
  }

  /** ordered → written */
  async #write(
    transaction: ChunkTransaction,
    prepared: PreparedChunk,
    { isNext }: Attempt,
  ): Promise<WrittenChunk> {
    const { engine, job, outlook, claims, seen } = this.#upload;
    const { parsed } = prepared;
    const hasClaims = claims.mayHold(parsed.keys);
    const plan = outlook.planOfWriting(parsed, { hasClaims, seenInOneRow: seen.inOneRow });
    const written = await writeChunk(transaction, engine.threads, { ...prepared, plan, isNext, rivals: [] });
    if (isRolledBack(job)) await transaction.rollBack();
    this.#mode = 'written';
    return written;
  }

  /** Waits until all before it are committed. @returns why it cannot be committed as it was written; undefined if it can */
  async #whyAgain(
    transaction: ChunkTransaction,
    written: WrittenChunk,
    { isNext, commits, keys }: Attempt & Pick<ParsedChunk, 'keys'>,
  ): Promise<WhyAgain | undefined> {
    const { sequence, seen, job } = this.#upload;
    const { primaries } = written;
    const needsNeighbours = job.dryRun && primaries.length > 0;
    const why = await sequence.whyAgain(this.#step, { ...written, keys, commits, needsNeighbours });
    if (why !== undefined) return why;
    // The user of the key has been seen by an earlier line in the meantime: then the record is a duplicate of that line.
    if (isAnyTaken(written) && sequence.commits.haveSeen(commits, written.seen)) return 'neighbour-moved';
    if (seen.needsRows(written.seen)) return 'repeated';
    return !isNext && (await this.#hasRival(transaction, written)) ? 'rival' : undefined;
  }

  /**
   * Looks again at the chunk's primary users: requests and earlier chunks may have made others since, and none can before the
   * commit. A dry run has none to look at; see `needsNeighbours`.
   */
  async #hasRival(transaction: ChunkTransaction, written: WrittenChunk): Promise<boolean> {
    const { job } = this.#upload;
    if (job.dryRun || written.primaries.length === 0) return false;
    await transaction.holdPrimaries(job);
    return hasRivals(transaction, { job }, written);
  }

  /** next → committed */
  #commit(written: Committed): void {
    this.#expect('next');
    this.#mode = 'committed';
    const upload = this.#upload;
    upload.claims.add(written.claimed);
    upload.seen.add(written.seen);
    upload.postponed += written.postponed.length;
    upload.outlook.learnCommitted(written);
    reportCommitted(upload, written);
    upload.sequence.commit(this.#step, written);
    if (written.outcome === 'stopped') throw new JobMoved();
  }

  /** any but committed → failed */
  #fail(error: unknown): void {
    if (this.#mode === 'committed' || this.#mode === 'failed') return;
    this.#mode = 'failed';
    this.#upload.sequence.fail(this.#step, error);
  }

  #expect(...modes: readonly Mode[]): void {
    if (!modes.includes(this.#mode)) throw new Error(`a chunk is ${this.#mode}, not ${modes.join(' or ')}`);
  }
}

function ledgerOf(
  { digests, linesBefore, parsed }: PreparedChunk,
  { outcomes = [] }: WrittenChunk,
): LedgerOfChunk | undefined {
  if (digests === undefined) return undefined;
  const numbers = new Uint8Array(parsed.lines).fill(numberOf('blank'));
  for (const { line, outcome } of outcomes) numbers[line - linesBefore - 1] = outcome;
  return { linesBefore, digests, outcomes: numbers };
}

function isAnyTaken({ rejects, postponed }: WrittenChunk): boolean {
  return postponed.length > 0 || rejects.some(({ code }) => code === 'IDENTITY_TAKEN');
}

/** Committed, it is not written again. */
function freeChunk({ bytes, parsed }: PreparedChunk): void {
  freeMemory(bytes.buffer);
  if (parsed.form !== 'finished') return;
  freeMemory(parsed.rows.users.buffer);
  freeMemory(parsed.rows.identities.buffer);
}

/** A line that was too long to be stored: a chunk that consists of the reject. */
function overlong(parsedNothing: ParsedChunk): ParsedChunk {
  const reject: Reject = { line: 1, ...lineTooLong };
  return { ...parsedNothing, lines: 1, rejects: [reject], sketched: undefined };
}
