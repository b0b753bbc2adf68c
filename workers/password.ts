import { parseStoredHash } from '../src/password/formats.ts';
import type { ParsedHash } from '../src/password/formats.ts';
import { hashArgon2id, verifyArgon2 } from '../src/password/algorithms/argon2.ts';
import { hashBcrypt, verifyBcrypt } from '../src/password/algorithms/bcrypt.ts';
import { verifyScryptVariant } from '../src/password/algorithms/scrypt-variant.ts';
import type { HashPolicy } from '../src/password/policy.ts';
import type { PasswordTask, VerifyTask } from './protocol.ts';

/** One task of the password pool. Everything in here blocks, which is why it is in a thread. */
export default function runPasswordTask(task: PasswordTask): boolean | string {
  const password = Buffer.from(task.password, 'utf8');
  return task.type === 'verify' ? verify(task, password) : hashBy(task.policy, password);
}

function verify(task: VerifyTask, password: Buffer): boolean {
  // Bounded again right before the cost arises: nothing that reached the database unchecked gets past this line.
  const result = parseStoredHash(task.hash, task.limits);
  return result.ok && verifyParsed(result.parsed, password, task.signerKey);
}

function verifyParsed(parsed: ParsedHash, password: Buffer, signerKey: Uint8Array | undefined): boolean {
  switch (parsed.kind) {
    case 'bcrypt':
      return verifyBcrypt(parsed, password);
    case 'argon2':
      return verifyArgon2(parsed, password);
    case 'provider_scrypt':
      return signerKey !== undefined && verifyScryptVariant(parsed, password, signerKey);
  }
}

function hashBy(policy: HashPolicy, password: Buffer): string {
  return policy.algorithm === 'ARGON2'
    ? hashArgon2id(password, policy)
    : hashBcrypt(password, policy.logRounds);
}
