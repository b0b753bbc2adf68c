/** Backup codes of a record, in their stored form: hashes. */

import { acceptHash } from '../../hashes/accept.ts';
import { plainDigest } from '../../hashes/parts/backup-code.ts';
import type { RecordRules } from '../tasks.ts';
import type { KeptCode } from './model.ts';
import type { NativeBackupCode } from './native-record.ts';
import { invalid, type Problem } from './problem.ts';

/** @param codes with a checked form; undefined and an empty list state nothing */
export function backupCodesOf(
  codes: readonly NativeBackupCode[] | undefined,
  rules: RecordRules,
): readonly KeptCode[] | Problem {
  const kept = new Set<string>();
  for (const [place, code] of (codes ?? []).entries()) {
    const hash = hashOf(code, rules, `backupCodes.${place}`);
    if (typeof hash !== 'string') return hash;
    kept.add(hash);
  }
  return [...kept].map((backupCode) => ({ backupCode }));
}

function hashOf(
  { code, hash, hashingAlgorithm }: NativeBackupCode,
  rules: RecordRules,
  field: string,
): string | Problem {
  if ((code === undefined) === (hash === undefined))
    return invalid(field, 'must have either code, in clear, or hash: leave the other out');
  if (code !== undefined) return plainDigest(code);
  const accepted = acceptHash(hash ?? '', hashingAlgorithm, rules);
  return accepted.ok ? accepted.stored : invalid(`${field}.hash`, accepted.message);
}
