import { createHash, randomUUID } from 'node:crypto';
import { backupDigest, spellingsOf } from '../../hashes/parts/backup-code.ts';
import type { Sealer } from '../../process/sealer.ts';
import type { KeptCodes, PasswordHasher, VerifyContext } from '../ports/ports.ts';
import { openSecret, sealSecret } from './secret.ts';

/** A single-use code, stored as a hash. */
export interface BackupCode {
  readonly hash: string;
  /** ms since the epoch */
  readonly spentAt?: number;
}

/** Spent codes to remember, because each export of a source lists them again. */
const atMost = 256;

export function openCodes(sealer: Sealer, appNo: number, kept: KeptCodes | undefined): readonly BackupCode[] {
  if (kept === undefined) return [];
  return JSON.parse(openSecret(sealer, appNo, kept)) as BackupCode[];
}

export function sealCodes(sealer: Sealer, appNo: number, codes: readonly BackupCode[]): KeptCodes {
  const id = randomUUID();
  return { id, sealedSecret: sealSecret(sealer, appNo, id, JSON.stringify(codes.slice(0, atMost))) };
}

/** The codes of an import without those that were spent here, which the source may still list. */
export function restatedCodes(
  stated: readonly BackupCode[],
  former: readonly BackupCode[],
): readonly BackupCode[] {
  const spent = former.filter(({ spentAt }) => spentAt !== undefined);
  const isSpent = new Set(spent.map(({ hash }) => hash));
  return [...stated.filter(({ hash }) => !isSpent.has(hash)), ...spent];
}

/** @returns the codes with this one spent */
export function withSpent(codes: readonly BackupCode[], hash: string, spentAt: number): BackupCode[] {
  return codes.map((code) => (code.hash === hash ? { ...code, spentAt } : code));
}

export interface Typed {
  /** As typed. */
  readonly code: string;
  /** It may be a code of a device, so expensive hashes are not computed. */
  readonly isOfDevice: boolean;
  /** Number of the user's app. */
  readonly appNo: number;
}

/**
 * @param hasher computes hashes of the source's kind, in threads
 * @returns the hash of the unspent code that was typed; undefined if none matches
 * @throws Refusal OVERLOADED or SHUTTING_DOWN
 */
export async function findCode(
  hasher: Pick<PasswordHasher, 'verify'>,
  context: VerifyContext,
  codes: readonly BackupCode[],
  { code, isOfDevice, appNo }: Typed,
): Promise<string | undefined> {
  const unspent = codes.filter(({ spentAt }) => spentAt === undefined).map(({ hash }) => hash);
  const spellings = spellingsOf(code);
  const digests = new Set(spellings.flatMap(digestsOf));
  const direct = unspent.find((hash) => digests.has(hash));
  if (direct !== undefined || isOfDevice) return direct;
  for (const hash of unspent.filter((each) => !isDigest(each)))
    for (const spelling of spellings)
      if (await hasher.verify(spelling, hash, context, { party: appNo })) return hash;
  return undefined;
}

/** Fast hashes need no thread. */
function digestsOf(code: string): string[] {
  const sha512 = createHash('sha512').update(code).digest('base64');
  return [backupDigest(code), `$sha512$${sha512}`];
}

function isDigest(hash: string): boolean {
  return /^\$sha(256|512)\$[^$]+$/.test(hash);
}
