import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { inspect } from 'node:util';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ApiKeys, ensureApiKey } from '../../src/process/keys/api-keys.ts';
import { StartupError } from '../../src/process/startup-error.ts';

describe('API keys', () => {
  const keys = new ApiKeys(['the-first-key-of-the-test', 'the-second-key-of-the-test']);

  test('each configured key matches', () => {
    expect(keys.matches('the-first-key-of-the-test')).toBe(true);
    expect(keys.matches('the-second-key-of-the-test')).toBe(true);
  });

  test.each([
    '',
    'the-first-key-of-the-tes',
    'the-first-key-of-the-test ',
    'THE-FIRST-KEY-OF-THE-TEST',
    'x'.repeat(10_000),
  ])('%j does not match', (presented) => {
    expect(keys.matches(presented)).toBe(false);
  });

  test('no keys match nothing', () => {
    expect(new ApiKeys([]).matches('')).toBe(false);
  });

  test('the keys cannot be read back from the object', () => {
    expect(inspect(keys, { showHidden: true, depth: 5 })).not.toContain('first-key');
  });
});

describe('the key of a core that was given none', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = mkdtempSync(path.join(os.tmpdir(), 'carryover-keys-'));
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true });
  });

  test('is made once, kept with mode 0600 and read at the next start', async () => {
    const nested = path.join(dataDir, 'not', 'there yet');
    const first = await ensureApiKey(nested);
    const second = await ensureApiKey(nested);
    expect(first).toEqual({ key: expect.stringMatching(/^[\w-]{43}$/) as string, created: true });
    expect(second).toEqual({ key: first.key, created: false });
    expect(statSync(path.join(nested, 'api-key')).mode & 0o777).toBe(0o600);
    expect(readFileSync(path.join(nested, 'api-key'), 'utf8').trim()).toBe(first.key);
  });

  test('is the same for all that start together, and one of them made it', async () => {
    const made = await Promise.all(Array.from({ length: 20 }, () => ensureApiKey(dataDir)));
    expect(new Set(made.map(({ key }) => key)).size).toBe(1);
    expect(made.filter(({ created }) => created)).toHaveLength(1);
  });

  test('an emptied file is not taken for a key', async () => {
    writeFileSync(path.join(dataDir, 'api-key'), '\n');
    await expect(ensureApiKey(dataDir)).rejects.toThrow(StartupError);
  });
});
