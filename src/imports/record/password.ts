import type { RecordRules } from '../tasks.ts';
import { acceptHash } from '../../hashes/accept.ts';
import { refusalOf, type HashProblem } from '../../hashes/recognise.ts';
import type { HashKindName } from '../../hashes/registry.ts';
import { asTyped, statedBeside } from '../../hashes/transforms/transforms.ts';
import { legacyKind, type LegacyKind, legacyMark } from '../../domain/legacy-mark.ts';
import { isSourceName } from '../../config/legacy/read-sources.ts';
import type { RejectCode } from '../model.ts';
import type { NativePasswordMethod } from './native-record.ts';
import { invalid, missing, type Problem } from './problem.ts';

/** The stored values of a password method; the last two never together. */
export interface BulkPassword {
  readonly hashKind: HashKindName | LegacyKind | undefined;
  /** Or the mark of an old system that is asked. */
  readonly passwordHash: string | undefined;
  readonly plainTextPassword: string | undefined;
}

/** @param prefix the method's path in the record: `loginMethods.0.` */
export function passwordOf(
  method: NativePasswordMethod,
  rules: RecordRules,
  prefix: string,
): BulkPassword | Problem {
  const { passwordHash, plainTextPassword, legacy } = method;
  if (legacy !== undefined) return marked(legacy, method, prefix);
  if (plainTextPassword !== undefined) return plainText(plainTextPassword, passwordHash, rules, prefix);
  if (passwordHash === undefined) {
    return missing(
      `${prefix}passwordHash`,
      'give the hash, or name the old system that knows the password (legacy); for a user without a password, import the third party or passwordless method',
    );
  }
  const stated = statedBeside(passwordHash, method.passwordTransforms ?? asTyped);
  return typeof stated === 'string'
    ? hashed(stated, method.hashingAlgorithm, rules, prefix)
    : invalid(`${prefix}passwordTransforms`, stated.message);
}

function marked(
  source: string,
  { passwordHash, plainTextPassword }: NativePasswordMethod,
  prefix: string,
): BulkPassword | Problem {
  const field = `${prefix}legacy`;
  if (passwordHash !== undefined || plainTextPassword !== undefined)
    return invalid(field, 'must not be given together with a password: keep one of them');
  if (!isSourceName(source))
    return invalid(field, "must be a source's name: small letters, digits, - and _, 63 at most");
  return { hashKind: legacyKind(source), passwordHash: legacyMark(source), plainTextPassword: undefined };
}

function plainText(
  password: string,
  hash: string | undefined,
  rules: RecordRules,
  prefix: string,
): BulkPassword | Problem {
  const field = `${prefix}plainTextPassword`;
  if (!rules.allowPlainText) {
    const message = 'Plain-text passwords are refused: give passwordHash, or set allow_plain_text_import';
    return { code: 'PLAIN_TEXT_NOT_ALLOWED', field, message };
  }
  if (hash !== undefined)
    return invalid(field, 'must not be given together with passwordHash: keep one of them');
  return { hashKind: undefined, passwordHash: undefined, plainTextPassword: password };
}

function hashed(
  hash: string,
  named: string | undefined,
  rules: RecordRules,
  prefix: string,
): BulkPassword | Problem {
  const accepted = acceptHash(hash, named, rules);
  if (!accepted.ok) return problemOfHash(accepted, prefix);
  const { kind, stored } = accepted;
  return { hashKind: kind, passwordHash: stored, plainTextPassword: undefined };
}

/** The codes of refused hashes in requests, which are codes of rejects too. */
const hashCodes: readonly RejectCode[] = ['INVALID_PASSWORD_HASH', 'HASH_OVER_CEILING', 'SIGNER_KEY_MISSING'];

function problemOfHash(problem: HashProblem, prefix: string): Problem {
  if (problem.code === 'unknown-name') return unknownName(problem, prefix);
  const refusal = refusalOf(problem);
  const code = hashCodes.find((each) => each === refusal.code) ?? 'INVALID_PASSWORD_HASH';
  return { code, field: `${prefix}passwordHash`, message: refusal.message };
}

function unknownName({ message }: HashProblem, prefix: string): Problem {
  const cure = 'leave hashingAlgorithm out where the hash shows its kind, or name a documented one';
  return {
    code: 'UNSUPPORTED_HASHING_ALGORITHM',
    field: `${prefix}hashingAlgorithm`,
    message: `${message}: ${cure}`,
  };
}
