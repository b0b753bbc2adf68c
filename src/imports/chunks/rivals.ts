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
    const rivals = await rivalsIn(transaction, input, written);
    if (rivals.length === 0) return input.job.dryRun ? claiming(transaction, input, written) : written;
    await transaction.rollBack();
    const plan = { ...attempt.plan, kind: placing.kind, byMarks: false };
    attempt = { ...attempt, plan, rivals: [...attempt.rivals, ...rivals] };
  }
}

/** Finds the written records whose users share with others what two primary users may not share. */
export async function rivalsIn(
  transaction: ChunkTransaction,
  { job }: Pick<ChunkToWrite, 'job'>,
  { primaries }: Pick<WrittenChunk, 'primaries'>,
): Promise<readonly Rival[]> {
  const heads = [...new Set(primaries.map(({ head }) => head))];
  const shared = await transaction.sharedInfos(job, heads);
  return shared.length === 0 ? [] : rivalsAmong(primaries, shared);
}

/** The first of two lines is kept, and an existing user is kept. */
function rivalsAmong(primaries: readonly PrimaryLine[], shared: readonly PrimaryInfo[]): Rival[] {
  const lineOf = new Map(primaries.toSorted((a, b) => a.line - b.line).map(({ head, line }) => [head, line]));
  const isOwn = ({ head }: PrimaryInfo): boolean => head !== null && lineOf.has(head);
  const holding = Map.groupBy(
    shared.filter((info) => !isOwn(info)),
    textOf,
  );
  const infosOf = Map.groupBy(shared.filter(isOwn), ({ head }) => head ?? '');
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

function meet({ tenants }: PrimaryInfo, other: PrimaryInfo): boolean {
  return tenants.some((tenantNo) => other.tenants.includes(tenantNo));
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
