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
  ListedJob,
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

/** Worker threads for lines. */
export interface ImportThreads {
  run<Task extends RowsTask>(task: Task): Promise<RowsResult<Task>>;
}

type EndState = Exclude<JobState, 'receiving' | 'undone'>;

export interface JobStore {
  /** @throws Refusal as every statement: see the database's gate */
  create(appNo: number, id: string, job: NewJob & Pick<Job, 'receiptSecret'>, now: number): Promise<Job>;
  find(appNo: number, id: string): Promise<Job | undefined>;
  /** Newest first: the jobs without a series, and of each series the newest. */
  list(appNo: number, page: JobsPage): Promise<ListedJob[]>;
  /** The jobs of a series, newest first. */
  listSeries(appNo: number, series: string, page: JobsPage): Promise<Job[]>;
  /** Rejects in the order of their lines, after `line`. */
  rejects(job: JobRef, after: number, limit: number): Promise<Reject[]>;
  /** Conflicts in the order of their lines, those after `after`. */
  conflicts(job: JobRef, after: ConflictPlace, limit: number): Promise<readonly PlacedConflict[]>;
  /**
   * receiving → cancelled, or → done at the end of the upload.
   * @returns the job as it is then; unchanged when it was not receiving any more
   */
  finish(job: JobRef, state: EndState, now: number): Promise<Job | undefined>;
  /** The users who have these keys now. None of them is locked. */
  look(job: JobRef, keys: SoughtKeys): Promise<Holders>;
  /** Finds users that the source no longer has, and treats them as the job states. */
  settleAbsent(job: Job): Promise<void>;
  /** In the order of their core ids, those after `after`. */
  absentUsers(job: JobRef, after: string, limit: number): Promise<readonly PlacedAbsentUser[]>;
  /** Records of the job that are yet to be decided, in the order of their lines. */
  postponed(job: JobRef): Promise<Postponed[]>;
  /** Removes the internal rows of a job that is not receiving any more: for a large one this takes a while. */
  forgetClaims(job: JobRef): Promise<void>;
  /** Whether an import of the app has found or created a user: the next one may find them again. */
  hasImported(appNo: number): Promise<boolean>;
  /** All rare keys of the app: see parse/rare-keys.ts. */
  rareKeys(appNo: number): Promise<FoundRareKeys>;
  /** The digests of the keys that the job has claimed; undefined if one is unknown, or there are too many to be read. */
  claimedDigests(job: JobRef): Promise<readonly number[] | undefined>;
  /** From now on each user that the job has seen has a row, instead of one for each chunk. Takes a while for a large job. */
  splitSeenRows(job: JobRef): Promise<void>;
  /** Removes the personal data of a job that is not receiving any more; its row remains. */
  purge(job: JobRef, now: number): Promise<void>;
  /** The sender now knows the length of the upload. @returns undefined when the job does not exist any more */
  setUploadLength(job: JobRef, bytes: number): Promise<Job | undefined>;
}

export interface JobsPage {
  readonly limit: number;
  /** The id of the last job of the page before. */
  readonly before: string | undefined;
}

/** Rare keys of an app, by their marks. */
export interface FoundRareKeys {
  /** 52 bits each; 0 stands for a key whose mark is unknown. */
  readonly marks: Float64Array;
  /** The secret that the marks are made with. */
  readonly secret: string;
  /** The next look reads keys from here on; some may be read twice, none are missed. */
  readonly since: string;
}

/** The position of a conflict in its job. */
export interface ConflictPlace {
  readonly line: number;
  /** Among the conflicts of the line, from 0. */
  readonly place: number;
}

export type PlacedConflict = Conflict & ConflictPlace;

export interface ChunkStore {
  /**
   * One transaction. `work` may be repeated from its start after a deadlock, or once missing roles were created, so it must have
   * no other effects.
   * @throws Refusal OUTCOME_UNKNOWN when the connection was lost: the job's committed offset shows what happened
   */
  transaction<Result>(work: (chunk: ChunkTransaction) => Promise<Result>): Promise<Result>;
}

/** The steps of a chunk, in this order; `find` and `change` are repeated while records are left. */
export interface ChunkTransaction extends PrimaryLooks {
  /**
   * For records of the queue: prevents other cores from taking the app over before the commit.
   * @returns false when one has done so
   */
  holdLease(job: JobRef, leaseId: string): Promise<boolean>;
  /** Rare keys of the app that were added since. @param since of an earlier look */
  rareKeysSince(job: JobRef, since: string): Promise<FoundRareKeys>;
  /** Whether a removed user of the app left a tombstone. */
  hasRemoved(job: JobRef): Promise<boolean>;
  /** Of records with these keys, those of people who were removed here. */
  findRemoved(job: JobRef, keys: SoughtKeys): Promise<RemovedMatch[]>;
  /** Removes tombstones of people who are restored. */
  restore(job: JobRef, people: readonly string[]): Promise<void>;
  /**
   * Creates all of a job's rows, or has no effect.
   * @returns false when not all are new: then they have to be placed
   */
  create(chunk: CreatedChunk): Promise<boolean>;
  /**
   * Finds the unchanged among rows that are expected to be nearly all unchanged; for a job that compares, those that are also still
   * as the last import stated them.
   * @returns undefined when too many are not, unless the job compares: then they have to be placed
   */
  compare(chunk: ComparedChunk): Promise<Placed | undefined>;
  /**
   * Finds the unchanged by the marks of their lines.
   * @returns undefined when one of them was seen before and each has a row: then nothing is written
   */
  recognise(chunk: KnownChunk): Promise<Recognised | undefined>;
  /** Creates the new, finds the unchanged. */
  place(chunk: PlacedChunk): Promise<Placed>;
  /** The users who have these keys, locked until the commit. */
  find(chunk: Pick<PlacedChunk, 'job'>, keys: SoughtKeys): Promise<Holders>;
  /** @returns false when another user took a key in between: nothing is changed then, and `find` shows the key's user */
  change(chunk: Pick<PlacedChunk, 'job'>, changes: ChunkChanges): Promise<boolean>;
  /** Rolls back everything since the transaction began: for a dry run, and to begin again. */
  rollBack(): Promise<void>;
  /** The job's offset, counts and rejects. */
  progress(progress: Progress): Promise<ProgressOutcome>;
  /** For records that belong to no job: removes their internal rows, and what they replaced. */
  forget(job: JobRef): Promise<void>;
}

/**
 * `stored`; `stopped`: it is stored, and the job stops with it, see cancelReasons; `moved`: nothing is changed, because the job's
 * offset is another one, or it is not receiving any more.
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
  /** The number of physical lines before the chunk. */
  readonly linesBefore: number;
  /** The job may have claims on these keys other than those of kind 6: without any they are not looked up. */
  readonly hasClaims: boolean;
}

export interface PlacedChunk extends ComparedChunk {
  readonly rows: SimpleRows;
  /** No row has a rare key: see parse/rare-keys.ts. */
  readonly hasNoRareKey: boolean;
}

/** Lines that may be known; the job has no claims on their keys but those of kind 6. */
export interface KnownChunk extends Pick<ComparedChunk, 'job' | 'linesBefore'> {
  readonly lines: SketchedLines;
  /** The found users are remembered in one row: then only the caller knows whether they were seen before. */
  readonly seenInOneRow: boolean;
  /** The public tenant's. */
  readonly tenantNo: number;
}

export interface Recognised {
  readonly count: number;
  /** By the index of the kind of hash in `markedKinds`. */
  readonly kinds: ReadonlyMap<number, number>;
  /** Their ids, 16 bytes each. */
  readonly users: Uint8Array;
  /** Physical lines within the chunk, from 1. */
  readonly lines: ArrayLike<number>;
}

/** The outcome of simple rows; those not counted here are given by their indexes in `rows`, from 0. */
export interface Placed {
  readonly created: number;
  readonly unchanged: number;
  readonly left: readonly number[];
  /** The ids of the unchanged, 16 bytes each. */
  readonly users: Uint8Array;
  /** The unchanged, where some were created and the job lists each line. */
  readonly same?: readonly number[];
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
  /** Of all records, in no order, if the job lists each line. */
  readonly outcomes?: readonly LineOutcome[] | undefined;
  /** Keys that must be stored for later chunks; see import_claims. */
  readonly claims: readonly Claim[];
  readonly postponed: readonly Postponed[];
}

/** The outcome of a physical line of the upload, from 1; its number: see ledger/outcomes.ts. */
export interface LineOutcome {
  readonly line: number;
  readonly outcome: number;
}

/** All lines of a chunk, blank ones too. */
export interface LedgerOfChunk {
  /** Physical lines before the chunk. */
  readonly linesBefore: number;
  /** SHA-256 of each line. */
  readonly digests: Uint8Array;
  /** A number for each line: see ledger/outcomes.ts. */
  readonly outcomes: Uint8Array;
}

export interface Progress extends Omit<ChunkResults, 'outcomes'> {
  readonly job: JobRef;
  /** Of a chunk, if the job lists each line. */
  readonly ledger?: LedgerOfChunk | undefined;
  /** Of lines whose chunks were committed before, if the job lists each line. */
  readonly settledOutcomes?: readonly LineOutcome[] | undefined;
  /** Bytes before the chunk and after it. */
  readonly from: number;
  readonly to: number;
  readonly physicalLines: number;
  /** Postponed records that are decided now: all of them, or 0. */
  readonly settled: number;
  /** When the upload of the chunk began, ms since the epoch. */
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
  /** As in ClaimOfChunk; left out for claims that no chunk looks for among its own keys. */
  readonly digest?: number;
}

/** The front end's view of bulk imports. Every method throws Refusal for what is expected. */
export interface BulkImports {
  /**
   * @param canaries verified before the job is created
   * @throws Refusal as requireKnown
   */
  create(tenant: Tenant, job: NewJob, canaries?: KnownSecrets): Promise<Job>;
  find(tenant: Tenant, id: string): Promise<Job | undefined>;
  /** As in JobStore. */
  list(tenant: Tenant, page: JobsPage): Promise<ListedJob[]>;
  /** As in JobStore. */
  listSeries(tenant: Tenant, series: string, page: JobsPage): Promise<Job[]>;
  /** All rejects in the order of their lines, fetched while they are iterated. */
  rejects(tenant: Tenant, id: string): AsyncIterable<readonly Reject[]>;
  /** All conflicts in the order of their lines, fetched while they are iterated. */
  conflicts(tenant: Tenant, id: string): AsyncIterable<readonly Conflict[]>;
  /** All users that the source no longer has, fetched while they are iterated. */
  absentUsers(tenant: Tenant, id: string): AsyncIterable<readonly AbsentUser[]>;
  /** Stops the job; committed records remain. undefined when the job does not exist. */
  cancel(tenant: Tenant, id: string): Promise<Job | undefined>;
  /**
   * Removes the personal data of an ended job. undefined when the job does not exist.
   * @throws Refusal JOB_STILL_RECEIVING
   */
  purge(tenant: Tenant, id: string): Promise<Job | undefined>;
  /** @throws Refusal JOB_STILL_RECEIVING, JOB_PURGED */
  undo(tenant: Tenant, id: string, force: boolean): Promise<UndoResult | undefined>;
  /** Predicts the effect of `undo`. @throws Refusal JOB_STILL_RECEIVING, JOB_PURGED */
  foreseeUndo(tenant: Tenant, id: string, force: boolean): Promise<UndoForeseen | undefined>;
  /** @throws Refusal UPLOAD_LOCKED, UPLOAD_OFFSET_CONFLICT, UPLOAD_GONE, NOT_FOUND */
  openUpload(tenant: Tenant, id: string, start: UploadStart): Promise<Upload>;
}

export interface UploadStart {
  /** Must be the committed offset, or with `isAhead` one after it. */
  readonly offset: number;
  /** The bytes before the offset may be on their way through other cores: their commit is waited for. */
  readonly isAhead?: boolean;
  /** Bytes of the whole upload, if this request is the first to state them. */
  readonly uploadLength?: number | undefined;
  /** Bytes of this request; undefined while unknown. */
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
   * Called when the body is complete: resolves when all of its complete lines are committed (and the last one, at the end of the
   * upload).
   * @throws Refusal UPLOAD_WITHOUT_LINE when the body held no complete line; or the error that stopped the import
   */
  end(): Promise<Job>;
  /**
   * Called when the sender disconnected: complete lines that were received may still be committed. Resolves when nothing runs any
   * more.
   */
  abort(): Promise<void>;
}
