import type { Tenant } from '../domain/model.ts';
import type { AbsentUser, PlacedAbsentUser } from './absence.ts';
import type { KnownSecrets } from './canaries/known.ts';
import type { JobCounter } from '../domain/jobs/job-fields.ts';
import type { ByState } from '../domain/jobs/sign-in-states.ts';
import type {
  ByFactor,
  ByKind,
  Conflict,
  Job,
  JobRef,
  JobState,
  NewJob,
  Reject,
  UndoForeseen,
  UndoResult,
  WritingJob,
} from './model.ts';
import type {
  ChunkChanges,
  ComparedRows,
  FinishedRows,
  Holders,
  RemovedMatch,
  SketchedLines,
  SimpleRows,
  SoughtKeys,
} from './parse/types.ts';
import type { PrimaryLooks } from './parse/primaries.ts';
import type { CreatesOnly, RowsResult, RowsTask } from './tasks.ts';

/** What bulk imports need of the store, and of threads. */

/** Worker threads for lines. */
export interface ImportThreads {
  run<Task extends RowsTask>(task: Task): Promise<RowsResult<Task>>;
}

type EndState = Exclude<JobState, 'receiving' | 'undone'>;

export interface JobStore {
  /** @throws Refusal as every statement: see the database's gate */
  create(appNo: number, id: string, job: NewJob, now: number): Promise<Job>;
  find(appNo: number, id: string): Promise<Job | undefined>;
  /** Newest first. `before`: the id of the last job of the page before. */
  list(appNo: number, limit: number, before: string | undefined): Promise<Job[]>;
  /** Rejects in the order of their lines, after `line`. */
  rejects(job: JobRef, after: number, limit: number): Promise<Reject[]>;
  /** Conflicts in the order of their lines, those after `after`. */
  conflicts(job: JobRef, after: ConflictPlace, limit: number): Promise<readonly PlacedConflict[]>;
  /**
   * receiving → cancelled, or → done at the end of the upload.
   * @returns the job as it is then; unchanged when it was not receiving any more
   */
  finish(job: JobRef, state: EndState, now: number): Promise<Job | undefined>;
  /** The users who hold these keys, as of now: none of them is locked. */
  look(job: JobRef, keys: SoughtKeys): Promise<Holders>;
  /** Looks for users that the source does not have any more, and treats them as the job states. */
  settleAbsent(job: Job): Promise<void>;
  /** In the order of their core ids, those after `after`. */
  absentUsers(job: JobRef, after: string, limit: number): Promise<readonly PlacedAbsentUser[]>;
  /** Records of the job that are yet to be decided, in the order of their lines. */
  postponed(job: JobRef): Promise<Postponed[]>;
  /** Removes what was remembered of a job that is not receiving any more: for a large one this takes a while. */
  forgetClaims(job: JobRef): Promise<void>;
  /** Whether an import of the app has found or created a user: the next one may find them again. */
  hasImported(appNo: number): Promise<boolean>;
  /** All rare keys of the app: see parse/rare-keys.ts. */
  rareKeys(appNo: number): Promise<FoundRareKeys>;
  /** From now on each user that the job has seen has a row, in place of one for each chunk. Takes a while for a large job. */
  splitSeenRows(job: JobRef): Promise<void>;
  /** Removes what is kept of people by a job that is not receiving any more; its row stays. */
  purge(job: JobRef, now: number): Promise<void>;
  /** The sender learnt how long the upload is. @returns undefined when the job is gone */
  setUploadLength(job: JobRef, bytes: number): Promise<Job | undefined>;
}

/** Rare keys of an app, by their marks. */
export interface FoundRareKeys {
  /** 52 bits each; 0 is that of a key that no mark is known of. */
  readonly marks: Float64Array;
  /** What the marks are made with. */
  readonly secret: string;
  /** The next look asks for keys from here on; some may come twice, none are missed. */
  readonly since: string;
}

/** Where a conflict stands in its job. */
export interface ConflictPlace {
  readonly line: number;
  /** Among those of the line, from 0. */
  readonly place: number;
}

export type PlacedConflict = Conflict & ConflictPlace;

export interface ChunkStore {
  /**
   * One transaction. `work` may be run again from its start after a deadlock, or once roles were made that it states, so it
   * must have no other effects.
   * @throws Refusal OUTCOME_UNKNOWN when the connection was lost: the job's committed offset shows what happened
   */
  transaction<Result>(work: (chunk: ChunkTransaction) => Promise<Result>): Promise<Result>;
}

/** The steps of a chunk, in this order; `find` and `change` as often as there are records left. */
export interface ChunkTransaction extends PrimaryLooks {
  /**
   * For records of the queue: keeps other cores from taking the app over before the commit.
   * @returns false when one has done so
   */
  holdLease(job: JobRef, leaseId: string): Promise<boolean>;
  /** Rare keys of the app that have come since. @param since of an earlier look */
  rareKeysSince(job: JobRef, since: string): Promise<FoundRareKeys>;
  /** Whether a removed user of the app left a tombstone. */
  hasRemoved(job: JobRef): Promise<boolean>;
  /** Of records with these keys, those that speak of people who were removed here. */
  findRemoved(job: JobRef, keys: SoughtKeys): Promise<RemovedMatch[]>;
  /** Removes tombstones of people who are brought back. */
  restore(job: JobRef, people: readonly string[]): Promise<void>;
  /**
   * Creates all of a job's rows, or does nothing.
   * @returns false when not all are new: then they are to be placed
   */
  create(chunk: CreatedChunk): Promise<boolean>;
  /**
   * Finds the unchanged among rows of which hardly any is expected to be otherwise.
   * @returns undefined when more are: then they are to be placed
   */
  compare(chunk: ComparedChunk): Promise<Placed | undefined>;
  /**
   * Finds the unchanged by the marks of their lines.
   * @returns undefined when one of them was seen before, where each has a row: then nothing is written
   */
  recognise(chunk: KnownChunk): Promise<Recognised | undefined>;
  /** Creates the new, finds the unchanged. */
  place(chunk: PlacedChunk): Promise<Placed>;
  /** The users who have these keys, locked until the commit. */
  find(chunk: Pick<PlacedChunk, 'job'>, keys: SoughtKeys): Promise<Holders>;
  /** @returns false when another user took a key in between: nothing is changed then, and `find` shows them */
  change(chunk: Pick<PlacedChunk, 'job'>, changes: ChunkChanges): Promise<boolean>;
  /** Rolls back everything since the transaction began: for a dry run, and to begin again. */
  rollBack(): Promise<void>;
  /** The job's offset, counts and rejects. */
  progress(progress: Progress): Promise<ProgressOutcome>;
  /** For records that belong to no job: forgets what was remembered of them, and what they replaced. */
  forget(job: JobRef): Promise<void>;
}

/**
 * `stored`; `stopped`: it is stored, and the job stops with it, see cancelReasons; `moved`: nothing is changed, because the job's offset
 * is another one, or it is not receiving any more.
 */
export type ProgressOutcome = 'stored' | 'stopped' | 'moved';

/** Rows without claims of the job, which no key of a table would show. */
export interface CreatedChunk {
  readonly job: JobRef;
  readonly rows: FinishedRows;
}

export interface ComparedChunk {
  readonly job: WritingJob;
  readonly rows: ComparedRows;
  /** The physical line before the chunk. */
  readonly linesBefore: number;
  /** The job may have claims of these keys other than those of kind 6: without any they are not looked up. */
  readonly hasClaims: boolean;
}

export interface PlacedChunk extends ComparedChunk {
  readonly rows: SimpleRows;
  /** No row has a rare key: see parse/rare-keys.ts. */
  readonly hasNoRareKey: boolean;
}

/** Lines that may be known; the job has no claims of their keys but those of kind 6. */
export interface KnownChunk extends Pick<ComparedChunk, 'job' | 'linesBefore'> {
  readonly lines: SketchedLines;
  /** Users who are found are remembered in one row: then only the caller knows whether they were seen before. */
  readonly seenInOneRow: boolean;
  /** Of the public tenant. */
  readonly tenantNo: number;
}

export interface Recognised {
  readonly count: number;
  /** By the place of the kind of hash in `markedKinds`. */
  readonly kinds: ReadonlyMap<number, number>;
  /** Their ids, 16 bytes each. */
  readonly users: Uint8Array;
  /** Physical lines within the chunk, from 1. */
  readonly lines: ArrayLike<number>;
}

/** The outcome of simple rows; the others are given by their places in `rows`, from 0. */
export interface Placed {
  readonly created: number;
  readonly unchanged: number;
  readonly left: readonly number[];
  /** The ids of the unchanged, 16 bytes each. */
  readonly users: Uint8Array;
}

/** Added by a chunk to each counter of its job. */
export interface AddedCounts extends Readonly<Record<JobCounter, number>> {
  readonly byKind: ByKind;
  readonly byFactor: ByFactor;
  readonly byState: ByState;
}

/** The outcome of a chunk's records; lines are those of the whole upload, and in their order. */
export interface ChunkResults {
  readonly added: AddedCounts;
  readonly rejects: readonly Reject[];
  readonly conflicts: readonly Conflict[];
  /** Keys that must be remembered; see import_claims. */
  readonly claims: readonly Claim[];
  readonly postponed: readonly Postponed[];
}

export interface Progress extends ChunkResults {
  readonly job: JobRef;
  /** Bytes before the chunk and after it. */
  readonly from: number;
  readonly to: number;
  readonly physicalLines: number;
  /** Records that were postponed and are decided now: all of them, or 0. */
  readonly settled: number;
  /** When the upload began that brought the chunk, ms since the epoch. */
  readonly since: number;
  readonly now: number;
}

/** A record that waits for the end of the upload: another user has one of its keys. */
export interface Postponed {
  /** Physical line in the upload, from 1. */
  readonly line: number;
  readonly text: string;
}

export interface Claim {
  readonly kind: number;
  /** 32 hexadecimal digits. */
  readonly key: string;
  readonly tenantNo: number;
  readonly line: number;
}

/** What the front end sees of bulk imports. Every method throws Refusal for what is expected. */
export interface BulkImports {
  /**
   * @param canaries verified before the job is made
   * @throws Refusal as requireKnown
   */
  create(tenant: Tenant, job: NewJob, canaries?: KnownSecrets): Promise<Job>;
  find(tenant: Tenant, id: string): Promise<Job | undefined>;
  list(tenant: Tenant, limit: number, before: string | undefined): Promise<Job[]>;
  /** All rejects in the order of their lines, read as they are taken. */
  rejects(tenant: Tenant, id: string): AsyncIterable<readonly Reject[]>;
  /** All conflicts in the order of their lines, read as they are taken. */
  conflicts(tenant: Tenant, id: string): AsyncIterable<readonly Conflict[]>;
  /** All users that the source does not have any more, read as they are taken. */
  absentUsers(tenant: Tenant, id: string): AsyncIterable<readonly AbsentUser[]>;
  /** Stops the job; what is committed stays. undefined when there is no such job. */
  cancel(tenant: Tenant, id: string): Promise<Job | undefined>;
  /**
   * Removes what an ended job keeps of people. undefined when there is no such job.
   * @throws Refusal JOB_STILL_RECEIVING
   */
  purge(tenant: Tenant, id: string): Promise<Job | undefined>;
  /** @throws Refusal JOB_STILL_RECEIVING, JOB_PURGED */
  undo(tenant: Tenant, id: string, force: boolean): Promise<UndoResult | undefined>;
  /** What `undo` would do. @throws Refusal JOB_STILL_RECEIVING, JOB_PURGED */
  foreseeUndo(tenant: Tenant, id: string, force: boolean): Promise<UndoForeseen | undefined>;
  /** @throws Refusal UPLOAD_LOCKED, UPLOAD_OFFSET_CONFLICT, UPLOAD_GONE, NOT_FOUND */
  openUpload(tenant: Tenant, id: string, start: UploadStart): Promise<Upload>;
}

export interface UploadStart {
  /** Must be the committed offset. */
  readonly offset: number;
  /** Bytes of the whole upload where this request is the first to state them. */
  readonly uploadLength?: number | undefined;
  /** Of this request; undefined while it is not known. */
  readonly bodyBytes?: number | undefined;
  /** A one-shot upload: the end of this body is the end of the upload, whatever its length. */
  readonly isWhole?: boolean;
  /** The sender may only create users. */
  readonly createsOnly?: CreatesOnly | undefined;
}

/** The bytes of one request on their way into a job. */
export interface Upload {
  /** @param bytes valid during the call only. @returns false when the sender should pause until `ready` resolves */
  write(bytes: Uint8Array): boolean;
  /** Resolves when there is room again. Rejects as `end` does. */
  ready(): Promise<void>;
  /**
   * The body is complete: resolves when all of its complete lines are committed (and the last one, at the end of the upload).
   * @throws Refusal UPLOAD_WITHOUT_LINE when the body held no complete line; or whatever stopped the import
   */
  end(): Promise<Job>;
  /** The sender is gone: complete lines that were received may still be committed. Resolves when nothing runs any more. */
  abort(): Promise<void>;
}
