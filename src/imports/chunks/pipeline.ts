import { copiesOfChunk } from '../engine.ts';
import { freeMemory } from '../../process/free-memory.ts';
import type { Reject } from '../model.ts';
import type { ParsedChunk } from '../parse/types.ts';
import type { ChunkTransaction, Expected, Standing } from '../ports.ts';
import { withoutByteOrderMark } from '../parse/lines.ts';
import { lineTooLong } from '../../domain/line-limit.ts';
import type { ParseTask } from '../tasks.ts';
import type { Step } from './commit-order.ts';
import type { Chunk } from './line-cutter.ts';
import { JobMoved, requireGoingOn, standingOf, reportCommitted, type UploadContext } from './context.ts';
import { hashPlainTexts } from './plain-text.ts';
import { type ChunkToWrite, type PreparedChunk, singleRecord } from './prepared.ts';
import { rivalsIn } from './rivals.ts';
import type { WrittenChunk } from './tally.ts';
import { writeChunk } from './write-chunk.ts';

/**
 * How long a chunk that is written holds its locks for its turn. Its predecessor may be waiting for one of them, in a way
 * that the database cannot see: then this one gives way and goes again, behind it.
 */
const patienceMs = 2000;

/**
 * Records that may wait for the end of the upload, where they are decided in one transaction; about as many, because chunks
 * that are parsed at the same time do not know of each other's. Further ones are refused at once.
 */
const mostPostponed = 20_000;

/** No one is at fault: the chunk is to be written again once its predecessor is committed. */
class GiveWay extends Error {
  override readonly name = 'GiveWay';
}

/** A user may be met for the second time: each is to be remembered separately, and the chunk written again. */
class MetAgain extends Error {
  override readonly name = 'MetAgain';
}

type Mode = 'begun' | 'admitted' | 'parsed' | 'ordered' | 'placed' | 'turn' | 'committed' | 'failed';

/** With whether it waited for its turn before it is written. */
type OrderedChunk = PreparedChunk & Pick<ChunkToWrite, 'isInTurn'>;

interface Committed extends WrittenChunk {
  readonly standing: Exclude<Standing, 'moved'>;
}

/**
 * A chunk's life, from its lines to their commit.
 *
 *   mode       holds                                        ends by
 *   begun      its bytes, its step in the sequence          room in the memory of imports → admitted
 *   admitted   memory                                       a thread → parsed
 *   parsed     rows and keys                                its lines are numbered, its plain texts hashed, the step before
 *                                                           is in a lane, and none under way has a key of it → ordered
 *   ordered    a lane, once one is free; a transaction      all records written → placed
 *   placed     locks                                        all before it are committed → turn; patience, or a user may
 *                                                           have been met before → ordered
 *   turn       locks                                        its progress, the commit → committed; keys moved since, or a
 *                                                           primary user has a rival by now → ordered
 *   committed  nothing                                      -
 *   failed     nothing                                      -
 *
 * Invariants:
 * - Any mode but committed ends in failed by an error, and the steps behind it fail with it.
 * - `placed` and `turn` are left for `ordered` by taking back the whole transaction: by this chunk, which gives way, or by
 *   the store, which runs the work again after a deadlock.
 * - A chunk that gave way waits for its turn before it writes again, so it gives way once at most.
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

  /** Called in the order of the chunks. @throws what went wrong, for this and every later one */
  async run(): Promise<void> {
    const { memory } = this.#upload.engine;
    try {
      await memory.run(this.#chunk.bytes.byteLength * copiesOfChunk, () => this.#pass());
    } catch (error) {
      this.#fail(error);
      throw error;
    }
  }

  /** begun → committed or failed. What fails is reported before its memory is free for the next. */
  async #pass(): Promise<void> {
    try {
      this.#admit();
      const parsed = await this.#parse();
      const prepared = await this.#order(parsed);
      const { lanes } = this.#upload.engine;
      this.#commit(await lanes.run(() => this.#commitInTurn(prepared)));
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
    const wanted = { ...this.#wantedRows(), rare: rareKeys.filter };
    const task: ParseTask = { type: 'parse', bytes, rules, ...wanted };
    const parsed = await engine.threads.run(task);
    if (parsed.isUnlike) this.#upload.scans = false;
    this.#mode = 'parsed';
    return { job, rules, bytes, rare, parsed: isOverlong ? overlong(parsed) : parsed };
  }

  /** What rows are made for is a guess: what the chunks before this one were may be known only when it is written. */
  #wantedRows(): Pick<ParseTask, 'finishFor' | 'comparesOnly' | 'scans'> {
    const { job, expected, scans } = this.#upload;
    // A dry run keeps no rows that a later one of its chunks could meet.
    const isAllNew = !job.dryRun && expected === 'new';
    const finishFor = isAllNew ? { appNo: job.appNo, id: job.id } : undefined;
    const isSame = expected === 'unchanged';
    return { finishFor, comparesOnly: isSame, scans: isSame && scans };
  }

  /** parsed → ordered */
  async #order(chunk: Omit<PreparedChunk, 'linesBefore' | 'hashes'>): Promise<PreparedChunk> {
    this.#expect('parsed');
    const { parsed, rules } = chunk;
    const linesBefore = await this.#step.reportParsed(parsed.lines, parsed.keys);
    const plain = { ...chunk, linesBefore, hashes: new Map() };
    const prepared = rules.allowPlainText ? await this.#withHashes(plain) : plain;
    await this.#step.mayEnter();
    this.#mode = 'ordered';
    return prepared;
  }

  async #withHashes(chunk: PreparedChunk): Promise<PreparedChunk> {
    const { engine, tenant } = this.#upload;
    const records = Array.from(chunk.parsed.complexRecords, (record) => singleRecord(chunk, record));
    return { ...chunk, hashes: await hashPlainTexts(engine, { ...chunk, tenant }, records) };
  }

  /** In a lane. As often as it gives way. */
  async #commitInTurn(prepared: PreparedChunk): Promise<Committed> {
    this.#expect('ordered');
    const { engine, met } = this.#upload;
    requireGoingOn(this.#upload);
    this.#step.enter();
    await met.ready();
    for (let isBehind = false; ; isBehind = true) {
      if (isBehind) await this.#step.turn();
      try {
        const commits = this.#upload.sequence.commits;
        return await engine.chunks.transaction((transaction) =>
          this.#write(transaction, { ...prepared, isInTurn: isBehind }, commits),
        );
      } catch (error) {
        if (error instanceof MetAgain) await met.spread();
        else if (!(error instanceof GiveWay)) throw error;
      }
    }
  }

  /** ordered → turn, in a transaction that the store commits, or runs again. @param commits when it began */
  async #write(transaction: ChunkTransaction, prepared: OrderedChunk, commits: number): Promise<Committed> {
    this.#expect('ordered', 'placed', 'turn');
    this.#mode = 'ordered';
    const written = await this.#place(transaction, prepared);
    await this.#takeTurn(written, commits);
    if (!prepared.isInTurn) await this.#keepApart(transaction, written);
    const { parsed } = prepared;
    const standing = await transaction.progress({
      ...standingOf(this.#upload, this.#chunk),
      ...written,
      physicalLines: parsed.lines,
      settled: 0,
    });
    if (standing === 'moved') throw new JobMoved();
    return { ...written, standing };
  }

  /** ordered → placed */
  async #place(transaction: ChunkTransaction, prepared: OrderedChunk): Promise<WrittenChunk> {
    const { engine, job, expected, claims, met } = this.#upload;
    const hasClaims = claims.mayHold(prepared.parsed.keys);
    const knowledge = { hasClaims, expected, isGathered: met.isGathered, rivals: [] };
    const written = await writeChunk(transaction, engine.threads, { ...prepared, ...knowledge });
    if (job.dryRun) await transaction.takeBack();
    this.#mode = 'placed';
    return written;
  }

  /**
   * placed → turn.
   * @throws GiveWay when it does not come, or what was written may be wrong by now
   * @throws MetAgain
   */
  async #takeTurn(written: WrittenChunk, commits: number): Promise<void> {
    const { movesKeys, met, primaries } = written;
    const { sequence, met: before, job } = this.#upload;
    if (movesKeys) this.#step.reportMove();
    const isMyTurn = await this.#step.turnWithin(patienceMs);
    // One that takes keys itself has to know by which key each user was met before.
    const looksBack = movesKeys || (job.dryRun && primaries.length > 0);
    const isStale = sequence.hasMovedKeysSince(commits) || (looksBack && sequence.hasCommittedSince(commits));
    const isSpread = met.isGathered && !before.isGathered;
    // The user who has the key has been met by an earlier line meanwhile: then it is a duplicate of that line.
    const isDuplicate = isAnyTaken(written) && before.wereMetSince(commits, met);
    if (!isMyTurn || isStale || isSpread || isDuplicate) throw new GiveWay();
    if (before.isGathered && before.mayMeetAgain(met)) throw new MetAgain();
    this.#mode = 'turn';
  }

  /**
   * Looks once more at its primary users: requests and earlier chunks may have made others since, and none may before the
   * commit. A dry run has none to show; see `looksBack`.
   * @throws GiveWay when it has to be written without some
   */
  async #keepApart(transaction: ChunkTransaction, written: WrittenChunk): Promise<void> {
    const { job } = this.#upload;
    if (job.dryRun || written.primaries.length === 0) return;
    await transaction.holdPrimaries(job);
    if ((await rivalsIn(transaction, { job }, written)).length > 0) throw new GiveWay();
  }

  /** turn → committed */
  #commit(written: Committed): void {
    this.#expect('turn');
    this.#mode = 'committed';
    const upload = this.#upload;
    upload.claims.add(written.claimed);
    upload.met.add(written.met);
    upload.postponed += written.postponed.length;
    upload.expected = expectedAfter(written);
    if (written.isHardlyKnown) upload.scans = false;
    reportCommitted(upload, written);
    upload.sequence.commit(this.#step, written.movesKeys);
    if (written.standing === 'cancelled') throw new JobMoved();
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

function isAnyTaken({ rejects, postponed }: WrittenChunk): boolean {
  return postponed.length > 0 || rejects.some(({ code }) => code === 'IDENTITY_TAKEN');
}

/** Committed, it is not written again. */
function freeChunk({ bytes, parsed: { rows } }: PreparedChunk): void {
  freeMemory(bytes.buffer);
  if (!('identities' in rows)) return;
  freeMemory(rows.users.buffer);
  freeMemory(rows.identities.buffer);
}

/** A line that was too long to be kept: its own chunk, with nothing but the reject. */
function overlong(parsedNothing: ParsedChunk): ParsedChunk {
  const reject: Reject = { line: 1, ...lineTooLong };
  return { ...parsedNothing, lines: 1, rejects: [reject], scanned: undefined };
}

function expectedAfter({ added }: WrittenChunk): Expected {
  const { created, unchanged, updated, skipped } = added;
  if (created > 0 && unchanged + updated + skipped === 0) return 'new';
  return unchanged > 9 * (created + updated + skipped) ? 'unchanged' : 'mixed';
}
