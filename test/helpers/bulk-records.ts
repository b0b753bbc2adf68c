/** Lines of an import, and the rules they are checked against. */
import { withoutByteOrderMark } from '../../src/imports/parse/lines.ts';
import { parseChunk } from '../../src/imports/parse/parse-chunk.ts';
import type { ParsedChunk } from '../../src/imports/parse/types.ts';
import type { JobRules } from '../../src/imports/tasks.ts';
import { defaultLimits } from './hash-limits.ts';

export const now = 1_767_225_600_000;

export const rules: JobRules = {
  tenants: { public: 0, t1: 4, t2: 7 },
  limits: defaultLimits,
  signerKey: undefined,
  pepper: undefined,
  allowPlainText: false,
  placeSecret: { low: 1, high: 2 },
  onConflict: 'update',
  dryRun: false,
  secondFactor: 'flag',
  now,
};

export const bcryptHash = '$2b$10$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2';

export function passwordMethod(n: number | string, more: object = {}): object {
  return { recipeId: 'emailpassword', email: `user${n}@example.com`, passwordHash: bcryptHash, ...more };
}

/** A simple record with an external id. */
export function person(n: number | string, more: object = {}, ofMethod: object = {}): object {
  return { externalUserId: `legacy-${n}`, loginMethods: [passwordMethod(n, ofMethod)], ...more };
}

export function parse(file: string | Buffer, changed: Partial<JobRules> = {}, isFirst = true): ParsedChunk {
  const bytes = isFirst ? withoutByteOrderMark(Buffer.from(file)) : Buffer.from(file);
  return parseChunk({ type: 'parse', bytes, rules: { ...rules, ...changed } });
}

/** From objects, or texts that are complete lines. */
export function ndjson(...records: readonly (object | string)[]): string {
  return records.map((each) => (typeof each === 'string' ? each : JSON.stringify(each)) + '\n').join('');
}
