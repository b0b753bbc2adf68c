/** The receipt of a closed move: docs/design/receipts.md. */
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { Refusal } from '../../domain/errors.ts';
import { jobFields, jobOutcomes } from '../../domain/jobs/job-fields.ts';
import type { Tenant } from '../../domain/model.ts';
import type { SigningKey } from '../../receipts/ed25519.ts';
import type { Envelope } from '../../receipts/envelope.ts';
import { EntryTree, type MoveReceiptFacts, signedMoveReceipt } from '../../receipts/move-receipt.ts';
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
  const { receipts } = context;
  const { appNo } = tenant;
  const move = await receipts.closed(appNo);
  if (move === undefined) return notClosed;
  const made = (await receipts.find(appNo, move)) ?? (await make(context, tenant, move));
  return { status: 'OK', receipt: JSON.parse(made.envelope) as Envelope };
}

/** @returns the entries of the receipt, packed by gzip @throws Refusal RECEIPT_NOT_MADE */
export async function entriesOf({ receipts }: ReceiptContext, { appNo }: Tenant): Promise<Uint8Array> {
  const move = await receipts.closed(appNo);
  const made = move && (await receipts.find(appNo, move));
  if (made === undefined)
    throw new Refusal(
      'RECEIPT_NOT_MADE',
      'The app has no receipt of a move yet: POST /move/receipt makes it (carryover move receipt)',
    );
  return made.entries;
}

/** @returns the one that is kept: another core may have been first */
async function make(
  { receipts, signingKey, version, now }: ReceiptContext,
  { appNo, appId }: Tenant,
  move: ClosedMove,
): Promise<KeptReceipt> {
  const { events, imports, counts, tree, text } = await entriesFor(receipts, appNo, move);
  const facts: MoveReceiptFacts = {
    app: appId,
    move: movedFrom(move),
    events,
    imports,
    counts,
    versions: {
      carryover: version,
      node: process.versions.node,
      postgresql: await receipts.postgresqlVersion(appNo),
    },
    madeAt: dateOf(now()),
  };
  const envelope = signedMoveReceipt(facts, tree, await signingKey(appNo));
  const made = { envelope: JSON.stringify(envelope), entries: await promisify(gzip)(text) };
  await receipts.keep(appNo, move, made);
  return (await receipts.find(appNo, move)) ?? made;
}

async function entriesFor(receipts: MoveReceiptStore, appNo: number, move: ClosedMove) {
  const tree = new EntryTree();
  const lines: string[] = [];
  const add = (entry: object): void => {
    const line = JSON.stringify(entry);
    tree.add(Buffer.from(line));
    lines.push(`${line}\n`);
  };
  for (const event of await receipts.events(appNo, move)) add({ event: dated(event) });
  const events = tree.size;
  const counts: Record<string, number> = {};
  for await (const job of receipts.imports(appNo, move)) {
    const outcomes = outcomesOf(job);
    for (const [outcome, count] of Object.entries(outcomes)) counts[outcome] = (counts[outcome] ?? 0) + count;
    add({ import: shown(job, outcomes) });
  }
  return { events, imports: tree.size - events, counts, tree, text: lines.join('') };
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
