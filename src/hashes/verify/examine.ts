/** Examines a hash: makes the computations that the doctor planned. Blocks for up to the budget, and for the unchanged hash. */

import { createHash } from 'node:crypto';
import type { Examination, ExamineInput, KeyEvidence } from '../doctor/examination.ts';
import { findingOf } from '../doctor/findings.ts';
import { type Attempt, planOf } from '../doctor/plan.ts';
import type { ParsedScryptVariant } from '../kinds/firebase-scrypt.ts';
import { decryptSignerKey } from './firebase-scrypt.ts';
import { verifyParsed } from './verifiers.ts';

/** Never throws because of a hash or a password. */
export function examine(input: ExamineInput): Examination {
  const plan = planOf(input);
  const keys = new DecryptedKeys();
  let tried = 0;
  let match: Attempt | undefined;
  for (const attempt of plan.attempts) {
    tried += 1;
    if (!matches(attempt, keys)) continue;
    match = attempt;
    break;
  }
  return findingOf(plan, { match, tried, keys: keys.evidence }, input.password !== undefined);
}

function matches(attempt: Attempt, keys: DecryptedKeys): boolean {
  const { parsed, password, secrets } = attempt;
  return parsed.kind === 'provider_scrypt'
    ? keys.matches(parsed, attempt)
    : verifyParsed(parsed, password, secrets);
}

/** Enough to distinguish keys, and useless for anything else. */
const fingerprintCharacters = 16;

/** The values to which stored hashes decrypt. Attempts that differ in the signer key alone share one computation. */
class DecryptedKeys {
  readonly evidence: KeyEvidence[] = [];
  readonly #known = new Map<string, Buffer>();

  matches(parsed: ParsedScryptVariant, { repair, password, secrets }: Attempt): boolean {
    const key = this.#decrypted(parsed, password);
    const { signerKey } = secrets;
    this.evidence.push({
      // A change of the key alone does not change the decrypted value.
      repair: repair?.name.startsWith('signer-key') === true ? undefined : repair?.name,
      stored: fingerprint(Buffer.from(parsed.hash, 'base64')),
      decrypted: fingerprint(key),
      configured: signerKey === undefined ? undefined : fingerprint(signerKey),
    });
    return key.length > 0 && signerKey !== undefined && key.equals(signerKey);
  }

  #decrypted(parsed: ParsedScryptVariant, password: Buffer): Buffer {
    const name = JSON.stringify([parsed, password.toString('base64')]);
    const known = this.#known.get(name) ?? decryptSignerKey(parsed, password);
    this.#known.set(name, known);
    return known;
  }
}

function fingerprint(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex').slice(0, fingerprintCharacters);
}
