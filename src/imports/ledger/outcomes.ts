/** The outcomes of lines, for jobs that list each. The numbers are stored. */

import type { RejectCode } from '../model.ts';

/** `postponed`: undecided, in a job that was cancelled before its end. */
const simple = { blank: 0, created: 1, updated: 2, unchanged: 3, skipped: 4, postponed: 5 } as const;

const rejected = {
  INVALID_JSON: 32,
  DUPLICATE_KEY: 33,
  LINE_TOO_LONG: 34,
  MISSING_FIELD: 35,
  INVALID_FIELD: 36,
  UNKNOWN_TENANT: 37,
  UNSUPPORTED_HASHING_ALGORITHM: 38,
  INVALID_PASSWORD_HASH: 39,
  HASH_OVER_CEILING: 40,
  SIGNER_KEY_MISSING: 41,
  ENCRYPTION_KEY_MISSING: 42,
  PLAIN_TEXT_NOT_ALLOWED: 43,
  DUPLICATE_IN_JOB: 44,
  ALREADY_EXISTS: 45,
  CHANGED_HERE: 46,
  IDENTITY_TAKEN: 47,
  EXTERNAL_ID_TAKEN: 48,
  DIFFERENT_PERSON: 49,
  REMOVED_HERE: 50,
  KEY_SCOPE_MISSING: 51,
  NOT_IMPORTABLE: 52,
} as const satisfies Readonly<Record<RejectCode, number>>;

export type SimpleOutcome = keyof typeof simple;

export function numberOf(outcome: SimpleOutcome): number {
  return simple[outcome];
}

export function numberOfReject(code: RejectCode): number {
  return rejected[code];
}

const texts: ReadonlyMap<number, string> = new Map<number, string>([
  ...Object.entries(simple).map(([outcome, number]) => [number, outcome] as const),
  ...Object.entries(rejected).map(([code, number]) => [number, `rejected ${code}`] as const),
]);

/** As leaves and lists have it: `created`, `rejected INVALID_FIELD`. */
export function textOf(number: number): string {
  const text = texts.get(number);
  if (text === undefined) throw new Error('a line has an outcome that this core does not know');
  return text;
}
