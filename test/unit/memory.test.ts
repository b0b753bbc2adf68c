import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';

const mib = 2 ** 20;
const elsewhere = { POSTGRESQL_CONNECTION_URI: 'postgresql://core@db/auth' };
const twoThreads = { HASHING_THREADS: '2', IMPORT_LANES: '1' };

function within(limitMb: number, environment: Record<string, string> = {}) {
  return loadConfig({ environment: { ...twoThreads, ...environment }, memoryBytes: limitMb * mib });
}

describe('the budget of memory', () => {
  test.each([
    ['its own PostgreSQL in 384 MiB', 384, {}, { hashing: 104, imports: 34, pool: 6 }],
    ['its own PostgreSQL in 512 MiB', 512, {}, { hashing: 173, imports: 57, pool: 10 }],
    ['another PostgreSQL in 256 MiB', 256, elsewhere, { hashing: 81, imports: 27, pool: 6 }],
    ['plenty', 24 * 1024, {}, { hashing: 1024, imports: 128, pool: 10 }],
  ])('with %s', (_name, limitMb, environment, { hashing, imports, pool }) => {
    const config = within(limitMb, environment);
    expect(config).toMatchObject({
      hashingMemoryBudgetBytes: hashing * mib,
      importMemoryBudgetBytes: imports * mib,
      connectionPoolSize: pool,
    });
    expect(config.memory.warnings).toEqual([]);
    const { nodeMb, postgresqlMb } = config.memory.budget;
    expect(nodeMb + postgresqlMb + hashing + imports).toBeLessThanOrEqual(limitMb);
  });

  test('holds the ceilings of hashes, so that none is taken in that could not be computed', () => {
    const { hashLimits } = within(256, elsewhere).defaults;
    expect(hashLimits).toMatchObject({ argon2MaxMemoryKb: 81 * 1024, scryptMaxMemoryMb: 81 });
    const set = within(4096, { HASHING_MEMORY_BUDGET_MB: '128' }).defaults.hashLimits;
    expect(set).toMatchObject({ argon2MaxMemoryKb: 128 * 1024, scryptMaxMemoryMb: 128 });
  });

  test('is overridden by settings, with a warning where they are more than there is', () => {
    const config = within(512, { HASHING_MEMORY_BUDGET_MB: '1024', IMPORT_MEMORY_BUDGET_MB: '16' });
    expect(config.hashingMemoryBudgetBytes).toBe(1024 * mib);
    expect(config.memory.warnings).toEqual([
      'hashing_memory_budget_mb is 1024 MiB: of 512 MiB of memory, 148 are for Node and 134 for PostgreSQL, which leaves 230 MiB: lower it, or give the core more memory',
    ]);
    const ceiling = within(512, { ARGON2_MAX_MEMORY_KB: String(512 * 1024) });
    expect(ceiling.hashingMemoryBudgetBytes).toBe(512 * mib);
    expect(ceiling.memory.warnings).toHaveLength(1);
  });

  test('refuses a start that Node and PostgreSQL alone do not fit, unless the budget is set', () => {
    expect(() => within(192)).toThrow(
      /^of 192 MiB of memory the core needs \d+ before any sign-in: give it more, use a PostgreSQL elsewhere \(POSTGRESQL_CONNECTION_URI\), or set hashing_memory_budget_mb [^\n]*"How much memory"[^\n]*$/,
    );
    const { hashingMemoryBudgetBytes, memory } = within(192, {
      HASHING_MEMORY_BUDGET_MB: '32',
      ARGON2_MAX_MEMORY_KB: '32768',
      SCRYPT_MAX_MEMORY_MB: '32',
    });
    expect(hashingMemoryBudgetBytes).toBe(32 * mib);
    expect(memory.warnings.join()).toContain('give the core more memory');
    expect(within(192, elsewhere).memory.importsRefused).toContain(
      'The core has 192 MiB of memory, and imports need',
    );
  });

  test('refuses imports where they do not fit, unless their budget is set', () => {
    const refused = (mb: number, settings = {}): boolean =>
      within(mb, settings).memory.importsRefused !== undefined;
    expect([256, 384].map((mb) => refused(mb))).toEqual([true, false]);
    expect([192, 256].map((mb) => refused(mb, elsewhere))).toEqual([true, false]);
    expect(refused(256, { IMPORT_MEMORY_BUDGET_MB: '8' })).toBe(false);
  });

  test('bounds the threads of a small container on a large machine', () => {
    const { hashingThreads } = loadConfig({
      environment: { HASHING_MEMORY_BUDGET_MB: '32' },
      memoryBytes: 64 * mib,
    });
    expect(hashingThreads).toBe(1);
  });
});
