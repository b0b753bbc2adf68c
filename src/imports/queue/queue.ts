import type { CreatesOnly, ReadUsers } from '../tasks.ts';
import { Refusal } from '../../domain/errors.ts';
import { asCoreId } from '../../domain/identity.ts';
import type { Tenant, User } from '../../domain/model.ts';
import type { Reject } from '../model.ts';
import type { NativeUser } from '../record/native-record.ts';
import { marked, type RecordMarks } from './marked.ts';
import type { NewEntries, NewEntry, QueueStatus, RecordEngine, WaitingStore } from './ports.ts';
import { withHashes } from './passwords.ts';
import { type ListedEntry, listedEntry } from './records.ts';
import { repeatedKeys } from './repeated.ts';
import { tracesOf } from './traces.ts';

/** Limits for the users in one request, and for ids, as the driver interface has them. */
const maxUsersToAdd = 10_000;
const maxIdsToRemove = 500;
const defaultPageSize = 100;

/** Entries of one app, including failed ones: at most a few GB. */
const maxEntries = 1_000_000;

/** An invalid user, by its position in the request. */
export interface InvalidUser {
  readonly index: number;
  readonly errors: readonly string[];
}

export interface BulkQueueOptions {
  readonly store: WaitingStore;
  readonly engine: RecordEngine;
  /** The user of a record, once it is imported. */
  readonly findImported: (tenant: Tenant, record: NativeUser) => Promise<User | undefined>;
  /** ms since the epoch */
  readonly now: () => number;
  /** A UUIDv7 of this time. */
  readonly newId: (ms: number) => string;
  /** Wakes this core's runner for the app. */
  readonly nudge: (app: Pick<Tenant, 'appNo'>) => void;
  /** Default 1,000,000. */
  readonly maxEntries?: number;
}

/** The driver interface's way of importing: users wait in a queue and are imported in the background. */
export interface BulkQueue {
  /**
   * Stores all users, or none if one is invalid.
   * @returns the invalid users; empty when all are stored
   * @throws Refusal INVALID_FIELD for too many users or plain-text passwords, OVERLOADED when the queue is full
   */
  add(tenant: Tenant, users: readonly unknown[], marks?: RecordMarks): Promise<readonly InvalidUser[]>;
  /** As `add`, for a body that is too large for the event loop. @param bytes transferred: the caller loses them */
  addBody(tenant: Tenant, bytes: Uint8Array<ArrayBuffer>): Promise<readonly InvalidUser[]>;
  /** Newest first. @throws Refusal INVALID_QUERY_PARAMETER for a token that no page returned */
  list(tenant: Tenant, query: ListQuery): Promise<ListedPage>;
  count(tenant: Tenant, status: QueueStatus | undefined): Promise<number>;
  /** Unknown ids are `invalidIds`. @throws Refusal INVALID_FIELD for too many */
  remove(tenant: Tenant, ids: readonly string[]): Promise<{ deletedIds: string[]; invalidIds: string[] }>;
  /**
   * Imports a user at once and without the queue.
   * @param createsOnly set if the sender may only create users
   * @returns the user as it is then, or why it was rejected
   */
  importOne(
    tenant: Tenant,
    record: object,
    createsOnly?: CreatesOnly,
  ): Promise<{ readonly user: User | undefined } | { readonly reject: Reject }>;
}

export interface ListQuery {
  readonly status?: QueueStatus | undefined;
  readonly limit?: number | undefined;
  readonly paginationToken?: string | undefined;
}

export interface ListedPage {
  readonly users: readonly ListedEntry[];
  readonly nextPaginationToken?: string;
}

export function bulkQueue(options: BulkQueueOptions): BulkQueue {
  const { store, engine } = options;
  return {
    add: (tenant, users, marks = {}) =>
      addAll(
        options,
        tenant,
        users.map((user) => marked(user, marks)),
      ),
    addBody: (tenant, bytes) => addBody(options, tenant, bytes),
    list: (tenant, query) => listPage(store, tenant, query),
    count: ({ appNo }, status) => store.count(appNo, status),
    async remove({ appNo }, ids) {
      if (ids.length > maxIdsToRemove) throw tooManyIds();
      const gone = new Set(await store.remove(appNo, ids));
      return { deletedIds: ids.filter((id) => gone.has(id)), invalidIds: ids.filter((id) => !gone.has(id)) };
    },
    async importOne(tenant, record, createsOnly) {
      const texts = [JSON.stringify(record)];
      const [reject] = await engine.importRecords(tenant, texts, undefined, createsOnly);
      // An imported user has the form of a record.
      return reject ? { reject } : { user: await options.findImported(tenant, record as NativeUser) };
    },
  };
}

async function addAll(
  options: BulkQueueOptions,
  tenant: Tenant,
  users: readonly unknown[],
): Promise<readonly InvalidUser[]> {
  if (users.length > maxUsersToAdd) throw tooMany();
  if (users.length === 0) return [];
  const records = users.map((user) => JSON.stringify(user));
  const rejects = await options.engine.validateRecords(tenant, records);
  if (rejects.length > 0) return rejects.map((each) => invalidUser(each));
  const kept = await options.engine.withoutPlainTexts(records);
  return keep(options, tenant, kept.length, (ids) => entriesOf(users as readonly NativeUser[], kept, ids));
}

async function addBody(
  options: BulkQueueOptions,
  tenant: Tenant,
  bytes: Uint8Array<ArrayBuffer>,
): Promise<readonly InvalidUser[]> {
  const users = await options.engine.readUsers(tenant, bytes, maxUsersToAdd);
  if (users.rejects.length > 0) return users.rejects.map((each) => invalidUser(each));
  const { length } = users.ends;
  if (length === 0) return [];
  const hashes = await options.engine.hashesOf(users.passwords);
  return keep(options, tenant, length, (ids) => ({
    length,
    [Symbol.iterator]: () => entriesOfBody(users, hashes, ids),
  }));
}

function* entriesOfBody(
  { text, ends, traces, repeated }: ReadUsers,
  hashes: Awaited<ReturnType<RecordEngine['hashesOf']>>,
  ids: readonly string[],
): Generator<NewEntry> {
  for (const [place, id] of ids.entries()) {
    const record = utf8.decode(text.subarray(ends[place - 1] ?? 0, ends[place]));
    const keys = traces[place] ?? '';
    yield {
      id,
      record: withHashes(record, hashes.get(place)),
      traces: keys === '' ? [] : keys.split(','),
      errorMessage: repeated[place] ?? undefined,
    };
  }
}

const utf8 = new TextDecoder();

async function keep(
  options: BulkQueueOptions,
  tenant: Tenant,
  count: number,
  entries: (ids: readonly string[]) => NewEntries,
): Promise<readonly InvalidUser[]> {
  const now = options.now();
  // Ids of one millisecond are random, so they are sorted: the entries have the order of the request.
  const ids = Array.from({ length: count }, () => options.newId(now)).sort();
  const limits = { now, maxEntries: options.maxEntries ?? maxEntries };
  const outcome = await options.store.add(tenant.appNo, entries(ids), limits);
  if (outcome === 'full') throw new Refusal('OVERLOADED', full);
  if (outcome === 'app-gone') throw new Refusal('APP_OR_TENANT_NOT_FOUND');
  options.nudge(tenant);
  return [];
}

function invalidUser(reject: Reject): InvalidUser {
  return { index: reject.line - 1, errors: [errorOf(reject)] };
}

const full =
  'The queue of imports is full: wait until users are imported, and remove those that failed (POST /bulk-import/users/remove)';

function tooMany(): Refusal {
  return new Refusal(
    'INVALID_FIELD',
    `Field name 'users' is invalid in JSON input: You can only add ${maxUsersToAdd} users at a time.`,
  );
}

function tooManyIds(): Refusal {
  return new Refusal('INVALID_FIELD', `Field name 'ids' cannot contain more than ${maxIdsToRemove} elements`);
}

/** @param users validated @param records their JSON */
function entriesOf(
  users: readonly NativeUser[],
  records: readonly string[],
  ids: readonly string[],
): NewEntry[] {
  const repeated = repeatedKeys();
  return users.map((user, place) => ({
    id: ids[place] ?? '',
    record: records[place] ?? '',
    traces: tracesOf(user),
    errorMessage: repeated(user),
  }));
}

/** A message for people: the field and the fault. Never contains the field's value. */
export function errorOf({ field, message }: Pick<Reject, 'field' | 'message'>): string {
  return field === '' ? message : `${field}: ${message}`;
}

async function listPage(
  store: WaitingStore,
  { appNo }: Tenant,
  { status, limit = defaultPageSize, paginationToken: before }: ListQuery,
): Promise<ListedPage> {
  if (before !== undefined && asCoreId(before) === undefined) throw invalidToken();
  const { entries, hasMore } = await store.list({ appNo, status, limit, before });
  const last = entries.at(-1);
  const users = entries.map((entry) => listedEntry(entry));
  return hasMore && last ? { users, nextPaginationToken: last.id } : { users };
}

function invalidToken(): Refusal {
  return new Refusal(
    'INVALID_QUERY_PARAMETER',
    "Field name 'paginationToken' is invalid in GET request: invalid pagination token; pass the nextPaginationToken of the page before",
  );
}
