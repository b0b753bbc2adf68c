import type { ByFactor, ByKind, ByState, Conflict, Counts, Job, Reject } from '../model.ts';
import { countFactors, countOddDates } from './by-factor.ts';
import { countStates } from './by-state.ts';
import type { ChunkTransaction, Claim, Expected, Placed, Postponed } from '../ports.ts';
import type {
  ComparedRows,
  Decided,
  FinishedRows,
  ParsedChunk,
  RemovedMatch,
  SimpleRows,
} from '../parse/types.ts';
import { setAside, type Sifted } from './set-aside.ts';
import { singleRecord } from './single-record.ts';
import type { JobRules, RowsResult, RowsTask } from '../tasks.ts';

/** Worker threads for lines. */
export interface RowsThreads {
  run<Task extends RowsTask>(task: Task): Promise<RowsResult<Task>>;
}

/** A parsed chunk on its way into the database. */
export interface MergeInput extends Prepared {
  readonly hasClaims: boolean;
  readonly expected: Expected;
}

/** What of it does not depend on the chunks before. */
export interface Prepared {
  readonly job: Job;
  readonly bytes: Uint8Array;
  /** Whether the bytes begin the upload. */
  readonly isFirst: boolean;
  readonly parsed: ParsedChunk;
  readonly rules: JobRules;
  /** Physical lines in front of the chunk. */
  readonly linesBefore: number;
  /** Hashes made of plain-text passwords, by record and login method. */
  readonly hashes: ReadonlyMap<number, Readonly<Record<number, string>>>;
}

/** What became of a chunk's records; lines are those of the whole upload. */
export interface Merged {
  readonly counts: Counts;
  readonly byKind: ByKind;
  readonly byFactor: ByFactor;
  readonly byState: ByState;
  readonly oddDates: number;
  readonly rejects: readonly Reject[];
  readonly conflicts: readonly Conflict[];
  /** Users of whom nothing but the base is written. */
  readonly rebased: number;
  readonly claims: readonly Claim[];
  /** Digests of keys that later chunks have to ask for, as claims or as taken from their users. */
  readonly claimed: readonly number[];
  /** See Decided; in the order of their lines. */
  readonly postponed: readonly Postponed[];
  /** Keys, or what is seen by other keys: see Decided. */
  readonly movesKeys: boolean;
}

/** Kinds of claims of released keys, above those of identities: see import_claims. */
const releasedKinds = 10;

/** Somebody else keeps taking the keys of these records: as often as this, it is not chance. */
const maxRaces = 20;

/**
 * Writes a chunk's records: at first all simple ones at once, then those that meet somebody, or are more than one row, one
 * by one. Everything happens in `transaction`, which the caller commits or gives up.
 */
export async function merge(
  transaction: ChunkTransaction,
  threads: RowsThreads,
  input: MergeInput,
): Promise<Merged> {
  const merge = new Merge(transaction, threads, await setAside(transaction, threads, input));
  return (await merge.atOnce()) ?? (await merge.inOrder());
}

/** Writes records that were postponed, as many of them as can have their keys. */
export async function mergeTogether(
  transaction: ChunkTransaction,
  threads: RowsThreads,
  input: MergeInput,
): Promise<Merged> {
  const { removed } = await setAside(transaction, threads, input);
  return new Merge(transaction, threads, { input, removed }).together();
}

class Merge {
  readonly #transaction: ChunkTransaction;
  readonly #threads: RowsThreads;
  readonly #input: MergeInput;
  readonly #removed: readonly RemovedMatch[];

  constructor(transaction: ChunkTransaction, threads: RowsThreads, { input, removed }: Sifted) {
    this.#transaction = transaction;
    this.#threads = threads;
    this.#input = input;
    this.#removed = removed;
  }

  /** @returns undefined when a later line was compared too early; see Decided.isOutOfOrder */
  async atOnce(): Promise<Merged | undefined> {
    const { parsed } = this.#input;
    const tally = new Tally(this.#input);
    const left: number[] = [];
    if (parsed.rows.count > 0) {
      const placed = await this.#place(parsed.rows);
      for (const place of placed.left) left.push(parsed.simpleRecords[place] ?? 0);
      tally.addPlaced(placed, left);
    }
    const singles = [...left, ...parsed.complexRecords].sort((a, b) => a - b);
    return (await this.#decideEach(singles, tally)) ? tally.merged() : undefined;
  }

  /** First what the rows were made for, where that is still expected. */
  async #place(rows: ParsedChunk['rows']): Promise<Placed> {
    if ('identities' in rows) return (await this.#create(rows)) ?? this.#placeAll(await this.#allColumns());
    if ('userId' in rows) return this.#placeAll(rows);
    return (await this.#compare(rows)) ?? this.#placeAll(await this.#allColumns());
  }

  async #create(rows: FinishedRows): Promise<Placed | undefined> {
    const { job, expected, hasClaims } = this.#input;
    if (expected !== 'new' || hasClaims || !(await this.#transaction.create({ job, rows }))) return undefined;
    return { created: rows.count, unchanged: 0, left: [] };
  }

  async #compare(rows: ComparedRows): Promise<Placed | undefined> {
    return this.#input.expected === 'unchanged'
      ? this.#transaction.compare({ ...this.#input, rows })
      : undefined;
  }

  #placeAll(rows: SimpleRows): Promise<Placed> {
    return this.#transaction.place({ ...this.#input, rows });
  }

  /** The same rows as columns. Both at once would fill the memory of each chunk, and few chunks ever need them. */
  async #allColumns(): Promise<SimpleRows> {
    const { bytes, isFirst, rules } = this.#input;
    const { rows } = await this.#threads.run({ type: 'parse', bytes, isFirst, rules });
    if (!('userId' in rows)) throw new Error('all columns were asked for');
    return rows;
  }

  /** A record changed a user whom a later line was compared with before: now each waits for those in front of it. */
  async inOrder(): Promise<Merged> {
    await this.#transaction.takeBack();
    const tally = new Tally(this.#input);
    if (!(await this.#decideEach(this.#all(), tally))) throw new Error('a chunk in order was out of order');
    return tally.merged();
  }

  async together(): Promise<Merged> {
    const tally = new Tally(this.#input);
    // Whom another line has found unchanged meanwhile is changed all the same.
    await this.#decideEach(this.#all(), tally, { isInOrder: false });
    return tally.merged();
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
      const keys = await this.#threads.run({ type: 'keys', records: singles, rules });
      const holders = await this.#transaction.find({ job }, keys);
      const removed = this.#removed;
      const decided = await this.#threads.run({ type: 'decide', records: singles, holders, rules, removed });
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
}

/** A dry run takes back what it writes, so who comes later is told by a claim of a kind of its own. */
function releasedClaim({ kind, key, tenantNo }: Decided['released'][number]): Claim {
  return { kind: kind + releasedKinds, key, tenantNo, line: 0 };
}

const noKind = 255;

/** Adds up what becomes of a chunk. */
class Tally {
  readonly #input: MergeInput;
  readonly #counts = { created: 0, updated: 0, unchanged: 0, skipped: 0 };
  readonly #byKind = new Map<string, number>();
  readonly #rejects: Reject[];
  readonly #conflicts: Conflict[] = [];
  readonly #claims: Claim[];
  readonly #claimed: number[];
  readonly #postponed: Postponed[] = [];
  #rebased = 0;
  #movesKeys = false;

  constructor(input: MergeInput) {
    this.#input = input;
    const { parsed, linesBefore } = input;
    this.#rejects = parsed.rejects.map((reject) => ({ ...reject, line: reject.line + linesBefore }));
    this.#claims = parsed.claims.map((claim) => ({ ...claim, line: claim.line + linesBefore }));
    this.#claimed = parsed.claims.map(({ digest }) => digest);
  }

  /** @param left simple records that are yet to be decided */
  addPlaced({ created, unchanged }: Placed, left: readonly number[]): void {
    this.#counts.created += created;
    this.#counts.unchanged += unchanged;
    const { kinds, simpleRecords, kindNames } = this.#input.parsed;
    const byPlace = new Int32Array(256);
    const count = (record: number, by: number): void => {
      const place = kinds[record] ?? noKind;
      byPlace[place] = (byPlace[place] ?? 0) + by;
    };
    for (const record of simpleRecords) count(record, 1);
    for (const record of left) count(record, -1);
    for (const [place, name] of kindNames.entries()) this.#add(name, byPlace[place] ?? 0);
  }

  addDecided(decided: Decided): void {
    const { counts, byKind, rejects, claims, movesKeys, isSeenOtherwise } = decided;
    this.#counts.created += counts.created;
    this.#counts.updated += counts.updated;
    this.#counts.unchanged += counts.unchanged;
    this.#counts.skipped += counts.skipped;
    for (const [kind, count] of Object.entries(byKind)) this.#add(kind, count);
    this.#rejects.push(...rejects);
    this.#conflicts.push(...decided.conflicts);
    this.#rebased += decided.rebased;
    if (this.#input.job.dryRun) this.#claims.push(...decided.released.map(releasedClaim));
    else this.#claims.push(...claims);
    for (const { digest } of [...decided.released, ...claims]) this.#claimed.push(digest);
    for (const record of decided.postponed) {
      const { line, text } = singleRecord(this.#input, record);
      this.#postponed.push({ line, text });
    }
    this.#movesKeys ||= movesKeys || isSeenOtherwise;
  }

  merged(): Merged {
    const { created, updated, unchanged, skipped } = this.#counts;
    return {
      counts: { ...this.#counts, rejected: this.#rejects.length },
      byKind: Object.fromEntries([...this.#byKind].filter(([, count]) => count > 0)),
      byFactor: countFactors(this.#input, this.#uncounted()),
      byState: countStates(this.#input, this.#uncounted(), created + updated + unchanged + skipped),
      oddDates: countOddDates(this.#input, this.#uncounted()),
      rejects: this.#rejects.sort((a, b) => a.line - b.line),
      conflicts: this.#conflicts.sort((a, b) => a.line - b.line),
      rebased: this.#input.job.dryRun ? 0 : this.#rebased,
      claims: this.#claims,
      claimed: this.#claimed,
      postponed: this.#postponed.sort((a, b) => a.line - b.line),
      movesKeys: this.#movesKeys,
    };
  }

  #uncounted(): readonly { readonly line: number }[] {
    return [...this.#rejects, ...this.#postponed];
  }

  #add(kind: string, count: number): void {
    this.#byKind.set(kind, (this.#byKind.get(kind) ?? 0) + count);
  }
}
