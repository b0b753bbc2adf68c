import { Refusal } from '../../domain/errors.ts';
import type { Tenant } from '../../domain/model.ts';
import type { Reject } from '../model.ts';
import { type ClaimedEntry, LeaseLost, type RecordEngine, type Settlement } from './ports.ts';
import { withoutPlainText } from './records.ts';
import { errorOf } from './queue.ts';

export interface BatchOptions {
  readonly engine: Pick<RecordEngine, 'importRecords'>;
  readonly findTenant: (appId: string, tenantId: string) => Tenant | undefined | Promise<Tenant | undefined>;
  readonly log: { readonly error: (details: object, message: string) => void };
}

export interface BatchOutcome {
  readonly settlements: readonly Settlement[];
  /** Why some entries were released that could not be imported now. */
  readonly refusal: Refusal | undefined;
}

interface LeasedOptions extends BatchOptions {
  readonly leaseId: string;
}

/**
 * Imports the entries of one lease, app by app; apps that another core took over are left to it. Rejects only because of bugs,
 * and then no entry of the batch is settled.
 */
export async function runEntries(
  options: LeasedOptions,
  entries: readonly ClaimedEntry[],
): Promise<BatchOutcome> {
  const settlements: Settlement[] = [];
  let refusal: Refusal | undefined;
  for (const group of Map.groupBy(entries, ({ appNo }) => appNo).values()) {
    try {
      settlements.push(...(await runApp(options, group)));
    } catch (error) {
      if (error instanceof LeaseLost) continue;
      if (!(error instanceof Refusal)) throw error;
      refusal = error;
      settlements.push(...group.map((entry) => settled(entry, 'released')));
    }
  }
  return { settlements, refusal };
}

/** @throws Refusal when it is better to wait */
async function runApp(options: LeasedOptions, entries: readonly ClaimedEntry[]): Promise<Settlement[]> {
  const [first] = entries;
  // The app was removed, and its users with it.
  if (first?.appId === undefined) return entries.map((entry) => settled(entry, 'imported'));
  const tenant = await options.findTenant(first.appId, 'public');
  // A cache may know a former app of this name for a moment.
  if (tenant?.appNo !== first.appNo) throw new Refusal('APP_OR_TENANT_NOT_FOUND');
  return importEntries(options, tenant, entries);
}

/**
 * A batch that fails as a whole is halved until the record that makes the engine fail is alone: its neighbours are imported. What
 * was imported before a refusal is imported again later, which changes nothing.
 */
async function importEntries(
  options: LeasedOptions,
  tenant: Tenant,
  entries: readonly ClaimedEntry[],
): Promise<Settlement[]> {
  try {
    const rejects = await options.engine.importRecords(
      tenant,
      entries.map(({ record }) => record),
      options.leaseId,
    );
    return settlementsOf(entries, rejects);
  } catch (error) {
    if (error instanceof LeaseLost || (error instanceof Refusal && error.http === 503)) throw error;
    const [entry] = entries;
    if (entry && entries.length === 1) return [failed(entry, messageOf(options, entry, error))];
    const middle = entries.length >> 1;
    const before = await importEntries(options, tenant, entries.slice(0, middle));
    return [...before, ...(await importEntries(options, tenant, entries.slice(middle)))];
  }
}

function messageOf({ log }: BatchOptions, { id }: ClaimedEntry, error: unknown): string {
  if (error instanceof Refusal) return `${error.code}: ${error.message}`;
  log.error({ err: error, entryId: id }, 'an entry of the import queue could not be imported');
  return `INTERNAL_ERROR: Internal error: ${id}`;
}

/**
 * Whether records of two requests meet in one batch is chance: the second one waits for the next batch, where it is an update
 * like any later one. A batch never only releases, so it always makes progress.
 */
function settlementsOf(
  entries: readonly ClaimedEntry[],
  rejects: readonly (Reject | undefined)[],
): Settlement[] {
  const isEachDuplicate = rejects.every((reject) => reject?.code === 'DUPLICATE_IN_JOB');
  return entries.map((entry, place) => {
    const reject = rejects[place];
    if (!reject) return settled(entry, 'imported');
    if (reject.code === 'DUPLICATE_IN_JOB' && !isEachDuplicate) return settled(entry, 'released');
    return failed(entry, `${reject.code}: ${errorOf(reject)}`);
  });
}

function settled({ appNo, id }: ClaimedEntry, outcome: 'imported' | 'released'): Settlement {
  return { appNo, id, outcome };
}

function failed({ appNo, id, record }: ClaimedEntry, errorMessage: string): Settlement {
  return { appNo, id, outcome: 'failed', errorMessage, record: withoutPlainText(record) };
}
