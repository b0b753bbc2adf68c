/** The receipt of a closed move: docs/design/receipts.md. */
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { jobFields, jobOutcomes } from '../../domain/jobs/job-fields.ts';
import type { Tenant } from '../../domain/model.ts';
import type { SigningKey } from '../../receipts/ed25519.ts';
import type { Envelope } from '../../receipts/envelope.ts';
import { hashOfEntry, type MoveReceiptFacts, signedMoveReceipt } from '../../receipts/move-receipt.ts';
import type { ClosedMove, KeptReceipt, MovedImport, MoveEvent } from './model.ts';
import type { MoveReceiptStore } from './store/receipts.ts';

export interface ReceiptContext {
  readonly receipts: MoveReceiptStore;
  readonly signingKey: (appNo: number) => Promise<SigningKey>;
  /** Of this core. */
  readonly version: string;
  readonly now: () => number;
}

const notClosed = { status: 'MOVE_NOT_CLOSED_ERROR' } as const;
type NotClosed = typeof notClosed;

/** Makes the receipt of the app's last closed move, unless it has one. */
export async function receiptOf(
  context: ReceiptContext,
  tenant: Tenant,
): Promise<{ readonly status: 'OK'; readonly receipt: Envelope } | NotClosed> {
  const kept = await keptOf(context, tenant);
  return kept === undefined ? notClosed : { status: 'OK', receipt: JSON.parse(kept.envelope) as Envelope };
}

/** @returns the leaves of the receipt's tree, a line each; undefined without a closed move */
export async function entriesOf(context: ReceiptContext, tenant: Tenant): Promise<Buffer | undefined> {
  const kept = await keptOf(context, tenant);
  return kept && promisify(gunzip)(kept.entries);
}

async function keptOf(context: ReceiptContext, tenant: Tenant): Promise<KeptReceipt | undefined> {
  const { receipts } = context;
  const { appNo } = tenant;
  const move = await receipts.closed(appNo);
  if (move === undefined) return undefined;
  const kept = await receipts.find(appNo, move);
  if (kept !== undefined) return kept;
  await receipts.keep(appNo, move, await made(context, tenant, move));
  // Another core may have been first.
  return receipts.find(appNo, move);
}

async function made(
  { receipts, signingKey, version, now }: ReceiptContext,
  { appNo, appId }: Tenant,
  move: ClosedMove,
): Promise<KeptReceipt> {
  const events = (await receipts.events(appNo, move)).map((event) => JSON.stringify({ event: dated(event) }));
  const imports: string[] = [];
  const counts: Record<string, number> = {};
  for await (const job of receipts.imports(appNo, move)) {
    const outcomes = outcomesOf(job);
    for (const [outcome, count] of Object.entries(outcomes)) counts[outcome] = (counts[outcome] ?? 0) + count;
    imports.push(JSON.stringify({ import: shown(job, outcomes) }));
  }
  const entries = [...events, ...imports];
  const facts: MoveReceiptFacts = {
    app: appId,
    move: movedFrom(move),
    events: events.length,
    imports: imports.length,
    counts,
    versions: {
      carryover: version,
      node: process.versions.node,
      postgresql: await receipts.postgresqlVersion(appNo),
    },
    madeAt: dateOf(now()),
  };
  const leaves = entries.map((entry) => hashOfEntry(Buffer.from(entry)));
  const envelope = signedMoveReceipt(facts, leaves, await signingKey(appNo));
  const text = entries.map((entry) => `${entry}\n`).join('');
  return { envelope: JSON.stringify(envelope), entries: await promisify(gzip)(text) };
}

function movedFrom({ moveNo, address, share, startedAt, closedAt, ...source }: ClosedMove) {
  return {
    number: moveNo,
    system: source.system,
    address: address ?? undefined,
    label: source.label,
    startedAt: dateOf(startedAt),
    closedAt: dateOf(closedAt),
    isAbandoned: share === 0,
  };
}

function dated({ at, ...event }: MoveEvent) {
  return { at: dateOf(at), ...event };
}

function outcomesOf(job: MovedImport): Record<string, number> {
  const names = Object.keys(jobOutcomes) as (keyof typeof jobOutcomes)[];
  return Object.fromEntries(names.filter((name) => job[name] > 0).map((name) => [name, job[name]]));
}

function shown({ id, name, state, startedAt, finishedAt, receipt }: MovedImport, counts: object) {
  const words = Object.entries(jobFields.state.words);
  return {
    id,
    name,
    state: words.find(([, number]) => number === state)?.[0],
    startedAt: dateOf(startedAt),
    ...(finishedAt !== null && { finishedAt: dateOf(finishedAt) }),
    counts,
    ...(receipt !== null && { receiptSha256: receipt }),
  };
}

function dateOf(ms: number): string {
  return new Date(ms).toISOString();
}
