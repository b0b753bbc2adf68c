/**
 * Finds conflicts between the primary users that a chunk creates or changes, and with existing ones. It examines the written
 * rows, so that the way of writing does not matter: if a user has a rival, the chunk is retried with the record refused. Chunks
 * without primary users need no statement.
 */

import type { PrimaryInfo, PrimaryLine, Rival } from '../parse/primaries.ts';
import type { ChunkTransaction, Claim } from '../ports.ts';
import { placing } from './plan.ts';
import type { ChunkToWrite } from './prepared.ts';
import type { WrittenChunk } from './tally.ts';

type Write = (input: ChunkToWrite) => Promise<WrittenChunk>;

/** @param write writes the chunk, once, with its rivals refused */
export async function withoutRivals(
  transaction: ChunkTransaction,
  input: ChunkToWrite,
  write: Write,
): Promise<WrittenChunk> {
  for (let attempt = input; ;) {
    const written = await write(attempt);
    if (written.primaries.length === 0) return written;
    if (input.isNext && !input.job.dryRun) await transaction.holdPrimaries(input.job);
    const { primaries } = written;
    const shared = await sharedBy(transaction, input, primaries);
    if (rivalsAmong(primaries, shared).length === 0)
      return input.job.dryRun ? claiming(transaction, input, written) : written;
    await transaction.rollBack();
    // What users had before counts first: wherever the file is cut, the lines come to the same.
    const before = await transaction.infosOf(input.job, headsOf(primaries));
    const rivals = rivalsAmong(primaries, shared, before);
    const plan = { ...attempt.plan, kind: placing.kind, byMarks: false };
    attempt = { ...attempt, plan, rivals: [...attempt.rivals, ...rivals] };
  }
}

/** Whether users of written records share with others what two primary users may not share. */
export async function hasRivals(
  transaction: ChunkTransaction,
  chunk: Pick<ChunkToWrite, 'job'>,
  { primaries }: Pick<WrittenChunk, 'primaries'>,
): Promise<boolean> {
  return rivalsAmong(primaries, await sharedBy(transaction, chunk, primaries)).length > 0;
}

function sharedBy(
  transaction: ChunkTransaction,
  { job }: Pick<ChunkToWrite, 'job'>,
  primaries: readonly PrimaryLine[],
): Promise<readonly PrimaryInfo[]> {
  return transaction.sharedInfos(job, headsOf(primaries));
}

function headsOf(primaries: readonly PrimaryLine[]): string[] {
  return [...new Set(primaries.map(({ head }) => head))];
}

/**
 * The first of two lines is kept, and so is what existing users have.
 * @param before what the users of the lines had before the chunk; left out, only whether there are rivals is right
 */
function rivalsAmong(
  primaries: readonly PrimaryLine[],
  shared: readonly PrimaryInfo[],
  before: readonly PrimaryInfo[] = [],
): Rival[] {
  const lineOf = new Map(primaries.toSorted((a, b) => a.line - b.line).map(({ head, line }) => [head, line]));
  const isOwn = ({ head }: PrimaryInfo): boolean => head !== null && lineOf.has(head);
  const infosOf = Map.groupBy(shared.filter(isOwn), ({ head }) => head ?? '');
  const kept = before.map((info) => {
    const after = infosOf.get(info.head ?? '')?.find((each) => textOf(each) === textOf(info));
    return { ...info, tenants: info.tenants.filter((tenantNo) => after?.tenants.includes(tenantNo)) };
  });
  const holding = Map.groupBy([...shared.filter((info) => !isOwn(info)), ...kept], textOf);
  const rivals: Rival[] = [];
  for (const [head, line] of [...lineOf].sort(([, a], [, b]) => a - b)) {
    const infos = infosOf.get(head) ?? [];
    const taken = infos.find((info) => holding.get(textOf(info))?.some((other) => meet(info, other)));
    if (taken) rivals.push({ line, info: taken.info, key: taken.key });
    else for (const info of infos) holding.set(textOf(info), [...(holding.get(textOf(info)) ?? []), info]);
  }
  return rivals;
}

function textOf({ info, key }: PrimaryInfo): string {
  return `${info} ${key}`;
}

/** Whether the two may not have the same: those of one user may. */
function meet({ head, tenants }: PrimaryInfo, other: PrimaryInfo): boolean {
  return head !== other.head && tenants.some((tenantNo) => other.tenants.includes(tenantNo));
}

/** In a dry run, claims show later chunks what this one would have added to primary users. */
async function claiming(
  transaction: ChunkTransaction,
  { job }: ChunkToWrite,
  written: WrittenChunk,
): Promise<WrittenChunk> {
  const heads = [...new Set(written.primaries.map(({ head }) => head))];
  const after = claimsOf(written.primaries, await transaction.infosOf(job, heads));
  await transaction.rollBack();
  const before = claimsOf(written.primaries, await transaction.infosOf(job, heads));
  const claims = [...after].filter(([text]) => !before.has(text)).map(([, claim]) => claim);
  return { ...written, claims: [...written.claims, ...claims] };
}

function claimsOf(
  primaries: readonly PrimaryLine[],
  infos: readonly PrimaryInfo[],
): ReadonlyMap<string, Claim> {
  const lineOf = new Map(primaries.map(({ head, line }) => [head, line]));
  return new Map(
    infos.flatMap(({ claimKind: kind, key, head, tenants }) =>
      tenants.map((tenantNo) => {
        const claim = { kind, key, tenantNo, line: lineOf.get(head ?? '') ?? 0 };
        return [`${kind} ${key} ${tenantNo} ${head ?? ''}`, claim] as const;
      }),
    ),
  );
}
