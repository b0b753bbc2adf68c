import type { CreatesOnly, PlainPassword, ReadUsers } from '../tasks.ts';
import type { Tenant } from '../../domain/model.ts';
import type { Reject } from '../model.ts';

/** Another core works on the app by now: this core's entries are left to it. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Imported entries leave the queue, so there is no fourth status. */
export type QueueStatus = 'NEW' | 'PROCESSING' | 'FAILED';

export interface NewEntry {
  /** UUIDv7 of its arrival. */
  readonly id: string;
  /** The record's JSON, without line breaks. */
  readonly record: string;
  /** See traces.ts. */
  readonly traces: readonly string[];
  /** Why an earlier attempt failed; see repeated.ts. */
  readonly errorMessage?: string | undefined;
}

/** Made while they are stored: together they may be large. Can be iterated more than once. */
export interface NewEntries extends Iterable<NewEntry> {
  readonly length: number;
}

export interface QueueEntry extends Omit<NewEntry, 'traces' | 'errorMessage'> {
  readonly status: QueueStatus;
  readonly errorMessage: string | undefined;
  /** ms since the epoch */
  readonly createdAt: number;
  readonly updatedAt: number;
}

export interface QueuePage {
  readonly appNo: number;
  readonly status: QueueStatus | undefined;
  readonly limit: number;
  /** The last entry of the previous page. */
  readonly before: string | undefined;
}

/**
 * The right to process a batch, until it expires. Times in ms since the epoch, by the cores' own clocks: if these differ, a core
 * may take over too early, which costs time only, because a core that lost its lease can commit nothing.
 */
export interface Lease {
  readonly id: string;
  readonly now: number;
  readonly until: number;
}

export interface ClaimedEntry extends Omit<NewEntry, 'traces' | 'errorMessage'> {
  readonly appNo: number;
  /** undefined when the app was removed. */
  readonly appId: string | undefined;
}

/** The outcome of an entry: `imported` leaves, `failed` stays until it is removed, `released` is tried again. */
export type Settlement = { readonly appNo: number; readonly id: string } & (
  | { readonly outcome: 'imported' | 'released' }
  | { readonly outcome: 'failed'; readonly errorMessage: string; readonly record: string }
);

/** Records that wait, of each app. */
export interface WaitingStore {
  /**
   * Adds all entries or none.
   * @returns `full` when the app would have more than `maxEntries`; concurrent requests may exceed it by their entries
   */
  add(
    appNo: number,
    entries: NewEntries,
    limits: { readonly now: number; readonly maxEntries: number },
  ): Promise<'added' | 'full' | 'app-gone'>;
  /** Newest first. A page may end early, if its records become too large for one answer. */
  list(page: QueuePage): Promise<{ readonly entries: readonly QueueEntry[]; readonly hasMore: boolean }>;
  count(appNo: number, status: QueueStatus | undefined): Promise<number>;
  /** Whatever their status; an entry that is being processed may be imported all the same. @returns the ids that existed */
  remove(appNo: number, ids: readonly string[]): Promise<string[]>;
}

/** The queue of a database: records of all of its apps. */
export interface QueueStore extends WaitingStore {
  /**
   * The oldest entries of apps without a lease, or whose lease expired: PROCESSING from now on. A lease is of whole apps, until
   * it is settled: entries are imported in the order of their arrival, whichever core takes them.
   * @param most bounds of the batch; one entry is given whatever its size
   */
  claim(
    lease: Lease,
    most: { readonly entries: number; readonly bytes: number },
  ): Promise<readonly ClaimedEntry[]>;
  /** Extends the lease of these entries. */
  renew(lease: Lease, entries: readonly ClaimedEntry[]): Promise<void>;
  /** Ends the lease. Apps that another core took over in the meantime are left to it, with their entries. */
  settle(lease: Pick<Lease, 'id' | 'now'>, settlements: readonly Settlement[]): Promise<void>;
}

/** The engine of bulk imports, for records outside of jobs. */
export interface RecordEngine {
  /** Makes every check that needs no stored users. @returns the rejects; `line` is the record's position from 1 */
  validateRecords(tenant: Tenant, texts: readonly string[]): Promise<readonly Reject[]>;
  /**
   * Valid records as they may be stored: see passwords.ts.
   * @throws Refusal INVALID_FIELD for too many plain-text passwords, OVERLOADED
   */
  withoutPlainTexts(texts: readonly string[]): Promise<readonly string[]>;
  /** See passwords.ts. */
  hashesOf(
    passwords: readonly PlainPassword[],
  ): Promise<ReadonlyMap<number, Readonly<Record<number, string>>>>;
  /** See validation.ts. */
  readUsers(tenant: Tenant, bytes: Uint8Array<ArrayBuffer>, mostUsers: number): Promise<ReadUsers>;
  /**
   * Imports them as `update`, durably.
   * @param leaseId of the queue, which must be held at the commit
   * @param createsOnly set if the sender may only create users: then as `reject`
   * @returns for each its reject, or undefined
   * @throws LeaseLost when another core took the app over: nothing is imported then
   */
  importRecords(
    tenant: Tenant,
    texts: readonly string[],
    leaseId?: string,
    createsOnly?: CreatesOnly,
  ): Promise<readonly (Reject | undefined)[]>;
}
