import { createHash, pbkdf2Sync, scryptSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import runPasswordTasks from '../../workers/password.ts';
import { Refusal } from '../../src/domain/errors.ts';
import type { HashLimits } from '../../src/domain/model.ts';
import { hashArgon2id } from '../../src/hashes/verify/argon2.ts';
import { hashBcrypt } from '../../src/hashes/verify/bcrypt.ts';
import { costOf, workOf } from '../../src/hashes/assess.ts';
import { digestString, pbkdf2String, scryptString } from '../../src/hashes/fields.ts';
import { ceilings } from '../../src/hashes/limits.ts';
import { parseHash, parseStoredHash } from '../../src/hashes/recognise.ts';
import { requireHash } from '../helpers/require-hash.ts';
import { kindNames, kinds } from '../../src/hashes/registry.ts';
import type { ParsedHash } from '../../src/hashes/registry.ts';
import { tenantProperties } from '../../src/config/schema-tenant.ts';
import { hashLimitKeys } from '../../src/config/tenant-settings.ts';
import { mostExpensiveHashes } from '../helpers/most-expensive-hashes.ts';
import { fuzzedHashes } from '../helpers/fuzzed-hashes.ts';
import { defaultLimits as limits } from '../helpers/hash-limits.ts';
import { readVectors } from '../helpers/vectors.ts';

const password = Buffer.from('correct horse');
const salt = Buffer.from('sodium chloride!');
const names = Object.keys(ceilings) as (keyof HashLimits)[];

interface Cost {
  readonly N: number;
  readonly r: number;
  readonly p: number;
}

function scrypt({ N, r, p }: Cost): string {
  const key = scryptSync(password, salt, 32, { N, r, p });
  return scryptString({ iterations: N, blockSize: r, parallelism: p, salt, key }) ?? '';
}

function pbkdf2(iterations: number, keyBytes: number): string {
  const key = pbkdf2Sync(password, salt, iterations, keyBytes, 'sha256');
  return pbkdf2String({ digest: 'sha256', iterations, salt, key });
}

function twiceDigested(): string {
  const digest = (data: Buffer) => createHash('sha256').update(data).digest();
  return digestString({ digest: 'sha256', hash: digest(digest(password)), iterations: 2 });
}

function vector(id: string): { readonly hash: string; readonly password: string } {
  const found = readVectors().find((each) => each.id === id);
  if (found?.password === undefined) throw new Error(`no vector ${id}`);
  return { hash: found.hash, password: found.password };
}

interface Real {
  /** Costs exactly `value` of the setting, and little else. */
  readonly value: number;
  readonly hash: string;
  readonly password?: string;
}

/** A real hash for each setting, whose cost it bounds. */
const real: Readonly<Record<keyof HashLimits, () => Real>> = {
  bcryptMaxCost: () => ({ value: 5, hash: hashBcrypt(password, 5) }),
  argon2MaxMemoryKb: () => ({
    value: 64,
    hash: hashArgon2id(password, { memoryKb: 64, iterations: 1, parallelism: 1 }),
  }),
  argon2MaxIterations: () => ({
    value: 3,
    hash: hashArgon2id(password, { memoryKb: 64, iterations: 3, parallelism: 1 }),
  }),
  argon2MaxParallelism: () => ({
    value: 4,
    hash: hashArgon2id(password, { memoryKb: 64, iterations: 1, parallelism: 4 }),
  }),
  scryptMaxMemoryMb: () => ({ value: 2, hash: scrypt({ N: 2048, r: 8, p: 1 }) }),
  scryptMaxParallelism: () => ({ value: 3, hash: scrypt({ N: 16, r: 1, p: 3 }) }),
  // Two blocks of key: the ceiling is of iterations times blocks.
  pbkdf2MaxIterations: () => ({ value: 2000, hash: pbkdf2(1000, 64) }),
  cryptMaxRounds: () => ({ value: 1400, ...vector('225') }),
  phpassMaxLogRounds: () => ({ value: 11, ...vector('212') }),
  digestMaxIterations: () => ({ value: 2, hash: twiceDigested() }),
};

/** The result of the worker's `verify` for a stored string: the last check before the cost arises. */
function verified(hash: string, within: HashLimits, given = password.toString()): boolean {
  const task = { type: 'verify', password: given, hash, limits: within, signerKey: undefined } as const;
  const [outcome] = runPasswordTasks([task]);
  return outcome !== undefined && 'result' in outcome && outcome.result === true;
}

function refusal(hash: string, within: HashLimits): Refusal {
  try {
    requireHash(hash, undefined, within);
  } catch (error) {
    if (error instanceof Refusal) return error;
    throw error;
  }
  throw new Error('was expected to be refused');
}

describe('each ceiling', () => {
  it.each(names)('%s lets in and verifies what is exactly at it, and nothing beyond', (name) => {
    const { value, hash, password: known = password.toString() } = real[name]();
    const at = { ...limits, [name]: value };
    expect(requireHash(hash, undefined, at)).toBeDefined();
    expect(verified(hash, at, known)).toBe(true);
    expect(verified(hash, at, `${known}?`)).toBe(false);

    const below = { ...limits, [name]: value - 1 };
    const expected = `is over the ceiling of ${value - 1}${ceilings[name].unit} set by ${hashLimitKeys[name]}`;
    const { code, message } = refusal(hash, below);
    expect(code).toBe('HASH_OVER_CEILING');
    expect(message).toContain(expected);
    expect(parseStoredHash(hash, below)).toMatchObject({ code: 'out-of-range', message });
    expect(verified(hash, below, known)).toBe(false);
  });

  it.each(names)('%s is the setting of its name, which an app may set too', (name) => {
    const setting = hashLimitKeys[name];
    expect(setting).toBe(name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`));
    expect(tenantProperties).toHaveProperty([setting, 'default'], limits[name]);
  });
});

describe('the defaults', () => {
  it.each(names)(
    '%s: the most expensive is accepted, costs what the table says, and a step more is refused',
    (name) => {
      const { hash, above, given } = mostExpensiveHashes[name];
      const parsed: ParsedHash = requireHash(hash, given, limits);
      const { bytes, ms } = ceilings[name];
      expect(costOf(parsed).memoryBytes / bytes).toBeCloseTo(1, 2);
      // Estimates are for another CPU than the figures of the table: they agree within a factor of slightly more than two.
      expect(workOf(parsed) / ms).toBeGreaterThan(0.4);
      expect(workOf(parsed) / ms).toBeLessThan(2.5);
      const result = parseHash(above, given, limits);
      expect(result).toMatchObject({ ok: false, code: 'out-of-range' });
      if (!result.ok) expect(result.message).toContain(`set by ${hashLimitKeys[name]}`);
    },
  );
});

/** A message repeats no run of this number of characters, other than its own words. */
const quotedCharacters = 12;

/** Parts of `hash`, of `quotedCharacters` each, that `message` holds. */
function quoted(hash: string, message: string): string[] {
  const found: string[] = [];
  for (let at = 0; at + quotedCharacters <= hash.length; at += 1) {
    const part = hash.slice(at, at + quotedCharacters);
    if (message.includes(part)) found.push(part);
  }
  return found;
}

describe('100,000 damaged strings', () => {
  it('never throw, never pass a ceiling, and are not quoted', () => {
    const outcomes = { ok: 0, refused: 0 };
    for (const { hash, given } of fuzzedHashes(100_000, 20_261_121)) {
      const result = parseHash(hash, given, limits);
      outcomes[result.ok ? 'ok' : 'refused'] += 1;
      if (result.ok) expectWithin(result.parsed);
      else if (quoted(hash, result.message).length > 0) expectOnlyOwnWords(hash, result.message);
    }
    expect(outcomes.ok).toBeGreaterThan(5000);
    expect(outcomes.refused).toBeGreaterThan(10_000);
  });
});

/** No kind may be more expensive than the most expensive hash that the defaults accept. */
const bytesMax = 1025 * 1_048_576;
const workMax = workOf(requireHash(mostExpensiveHashes.pbkdf2MaxIterations.hash, 'pbkdf2_kratos', limits));

function expectWithin(parsed: ParsedHash): void {
  if (costOf(parsed).memoryBytes <= bytesMax && workOf(parsed) <= workMax) return;
  throw new Error(`a ${parsed.kind} hash is over the ceilings`);
}

const marks = kindNames.flatMap((kind) => kinds[kind].spellings.map(([mark]) => mark));
/** Marks and kinds, and messages about marks without a hash: forms that contain parts of every hash. */
const ownWords = [...marks, ...kindNames, ...marks.flatMap((mark) => [mark, `${mark}x$y$z$`].map(saidOf))];

function saidOf(hash: string): string {
  const kind = kindNames.find((each) => kinds[each].spellings.some(([mark]) => hash.startsWith(mark)));
  const result = parseHash(hash, kind, limits);
  return result.ok ? '' : result.message;
}

function expectOnlyOwnWords(hash: string, message: string): void {
  const rest = quoted(hash, message).filter((part) => !ownWords.some((words) => words.includes(part)));
  expect(rest, message).toEqual([]);
}
