import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ConfigError, loadConfig } from '../../src/config/load.ts';
import { settings } from '../../src/config/schema.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-config-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function load(yaml: string, environment: Record<string, string> = {}) {
  const file = path.join(folder, 'config.yaml');
  writeFileSync(file, yaml);
  return loadConfig({ file, environment });
}

function refusal(yaml: string, environment: Record<string, string> = {}): string {
  try {
    load(yaml, environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  throw new Error('nothing was refused');
}

const KEY_A = 'a-key-of-twenty-chars-or-more';
const KEY_B = 'another-key-of-twenty-chars!';

describe('defaults', () => {
  test('hold when nothing is set', () => {
    expect(loadConfig({ environment: {}, memoryBytes: 2 ** 40 })).toMatchObject({
      host: '127.0.0.1',
      port: 3567,
      apiKeys: [],
      postgresqlConnectionUri: undefined,
      connectionPoolSize: 10,
      hashPolicy: { algorithm: 'ARGON2', memoryKb: 19_456, iterations: 2, parallelism: 1 },
      hashingThreads: os.availableParallelism(),
      hashingMemoryBudgetBytes: 1_073_741_824,
      hashingQueueLimit: 1024,
      importLanes: 3,
      importChunkBytes: 1_048_576,
      importMemoryBudgetBytes: 134_217_728,
      allowPlainTextImport: false,
      allowHashExport: false,
      revealRestrictions: false,
      requireApiKey: true,
      testMode: false,
      maxBodyBytes: 65_536,
      drainDelayMs: 0,
      shutdownTimeoutMs: 10_000,
      logLevel: 'info',
      defaults: {
        signerKey: undefined,
        pepper: undefined,
        endSessionsOnPasswordChange: false,
        emailVerificationTokenLifetimeMs: 86_400_000,
        passwordResetTokenLifetimeMs: 3_600_000,
        hashLimits: {
          bcryptMaxCost: 15,
          argon2MaxMemoryKb: 1_048_576,
          argon2MaxIterations: 10,
          argon2MaxParallelism: 16,
          scryptMaxMemoryMb: 256,
          scryptMaxParallelism: 16,
          pbkdf2MaxIterations: 10_000_000,
          cryptMaxRounds: 1_000_000,
          phpassMaxLogRounds: 20,
          digestMaxIterations: 10_000,
        },
      },
    });
  });

  test('hold for an empty file, and for keys without a value', () => {
    const config = load('port:\nhost: ~\n');
    expect([config.port, config.host]).toEqual([3567, '127.0.0.1']);
  });

  test('come frozen, all the way down', () => {
    const config = load('');
    for (const each of [
      config,
      config.apiKeys,
      config.hashPolicy,
      config.defaults,
      config.defaults.hashLimits,
    ])
      expect(Object.isFrozen(each)).toBe(true);
  });
});

describe('config.yaml in the repository', () => {
  const text = readFileSync(path.resolve(import.meta.dirname, '../../config.yaml'), 'utf8');

  test('lists every key, and loads when each default is commented in', () => {
    const commentedIn = text.replaceAll(/^# ([a-z0-9_]+:)/gm, '$1');
    expect(Object.keys(parse(commentedIn) as object).sort()).toEqual(Object.keys(settings.properties).sort());
    expect(load(commentedIn).port).toBe(3567);
  });
});

describe('sources', () => {
  test('the environment wins over the file, and an empty string counts as not set', () => {
    expect(load('port: 1\nhost: a.example', { PORT: '2', HOST: '' })).toMatchObject({
      port: 2,
      host: 'a.example',
    });
  });

  test('a relative data_dir starts at the nearest package root at or above the file', () => {
    const nested = path.join(folder, 'package', 'etc');
    mkdirSync(nested, { recursive: true });
    writeFileSync(path.join(folder, 'package', 'package.json'), '{}');
    writeFileSync(path.join(nested, 'c.yaml'), 'data_dir: state');
    const config = loadConfig({ file: path.join(nested, 'c.yaml'), environment: {} });
    expect(config.dataDir).toBe(path.join(folder, 'package', 'state'));
  });

  test('an absolute data_dir stays', () => {
    expect(load('', { DATA_DIR: '/srv/carry over' }).dataDir).toBe('/srv/carry over');
  });

  test('a missing file is named', () => {
    expect(() => loadConfig({ file: '/nowhere/c.yaml', environment: {} })).toThrow(
      /^\/nowhere\/c\.yaml: cannot be read \(ENOENT\)/,
    );
  });

  test('broken YAML is reported by its line, without quoting it', () => {
    const message = refusal(`host: a\napi_keys: "${KEY_A}\n`);
    expect(message).toMatch(/not valid YAML at line \d+/);
    expect(message).not.toContain(KEY_A);
  });

  test('a file that is not a mapping is refused', () => {
    expect(refusal('- a\n- b')).toContain("must hold lines of the form 'key: value'");
  });

  test('an unknown key of the file is named', () => {
    expect(refusal('prot: 1')).toContain("unknown key 'prot'");
    expect(refusal('__proto__: 1')).toContain("unknown key '__proto__'");
  });
});

describe('values', () => {
  test.each([
    ['port: 70000', 'port: must be a whole number from 0 to 65535'],
    ['port: "3567"', 'port: must be a whole number'],
    ['port: 1.5', 'port: must be a whole number'],
    ['host: 12', 'host: must be text'],
    ['host: "a\\nb"', 'host: must be text'],
    ['allow_hash_export: yes please', 'allow_hash_export: must be true or false'],
    ['log_level: loud', 'log_level: must be one of trace, debug'],
    ['password_hashing_alg: MD5', 'password_hashing_alg: must be one of ARGON2, BCRYPT'],
    ['postgresql_connection_uri: mysql://x', 'postgresql_connection_uri: must be a URI'],
    ['import_lanes: 9', 'postgresql_connection_pool_size: must be at least import_lanes + 2 = 11'],
    [
      'hashing_memory_budget_mb: 512\nargon2_max_memory_kb: 1048576',
      'argon2_max_memory_kb: is more than hashing_memory_budget_mb holds',
    ],
    ['bcrypt_log_rounds: 16', 'bcrypt_log_rounds: is above the ceiling bcrypt_max_cost'],
    ['argon2_memory_kb: 8\nargon2_parallelism: 2', 'argon2_memory_kb: must be at least 8 for each lane'],
    ['import_memory_budget_mb: 8\nimport_chunk_bytes: 16777216', 'import_memory_budget_mb: does not hold'],
  ])('%j is refused in one line', (yaml, expected) => {
    const message = refusal(yaml);
    expect(message).toContain(expected);
    expect(message).not.toContain('\n');
  });

  test.each([
    ['PORT', '0x50'],
    ['PORT', '80 '],
    ['ALLOW_HASH_EXPORT', '1'],
    ['SHUTDOWN_TIMEOUT_MS', '10s'],
  ])('environment %s=%j is refused', (name, value) => {
    expect(refusal('', { [name]: value })).toMatch(new RegExp(`^${name.toLowerCase()}: must be`));
  });

  test('the environment gives numbers, booleans and words in any case', () => {
    const environment = {
      PORT: '0',
      ALLOW_HASH_EXPORT: 'true',
      PASSWORD_HASHING_ALG: 'bcrypt',
      BCRYPT_LOG_ROUNDS: '12',
    };
    expect(load('', environment)).toMatchObject({
      port: 0,
      allowHashExport: true,
      hashPolicy: { algorithm: 'BCRYPT', logRounds: 12 },
    });
  });
});

describe('secrets', () => {
  test('several API keys are split and trimmed', () => {
    expect(load(`api_keys: "${KEY_A}, ${KEY_B}"`).apiKeys).toEqual([KEY_A, KEY_B]);
  });

  test.each([
    ['short', 'at least 20'],
    [`${KEY_A},`, 'at least 20'],
    [`${KEY_A},${KEY_A}`, 'the same key twice'],
    [`${KEY_A}é`, 'printable ASCII'],
  ])('API keys %j are refused without being repeated', (keys, expected) => {
    const message = refusal('', { API_KEYS: keys });
    expect(message).toContain(expected);
    expect(message).not.toContain(keys);
  });

  const signerKey = Buffer.from('signer key of the test, with bytes \xfb\xff', 'latin1');
  test.each([
    signerKey.toString('base64'),
    signerKey.toString('base64').replaceAll('=', ''),
    signerKey.toString('base64url'),
    signerKey.toString('base64').replaceAll('+', '-').replaceAll('/', '_'),
  ])('the signer key %s is decoded', (written) => {
    const config = load('', { PROVIDER_PASSWORD_HASHING_SIGNER_KEY: written });
    expect(config.defaults.signerKey?.equals(signerKey)).toBe(true);
  });

  test.each(['not base64!', 'abcde', 'ab==cd', 'YQ=', 'YR==', '+_+_', '===='])(
    '%j is no signer key',
    (written) => {
      const message = refusal('', { PROVIDER_PASSWORD_HASHING_SIGNER_KEY: written });
      expect(message).toMatch(/^provider_password_hashing_signer_key: must be base64/);
      expect(message).not.toContain(written);
    },
  );

  test('the alias of the signer key works alone and with an equal one', () => {
    const alone = load('firebase_password_hashing_signer_key: YWJj');
    const both = load('firebase_password_hashing_signer_key: YWJj', {
      PROVIDER_PASSWORD_HASHING_SIGNER_KEY: 'YWJj',
    });
    expect([alone, both].map((config) => config.defaults.signerKey?.toString())).toEqual(['abc', 'abc']);
  });

  test('two different signer keys are refused', () => {
    const message = refusal(
      'firebase_password_hashing_signer_key: YWJj\nprovider_password_hashing_signer_key: ZGVm',
    );
    expect(message).toContain('differs from its alias');
    expect(message).not.toMatch(/YWJj|ZGVm/);
  });

  describe('in a file', () => {
    const secretFile = (content: string): string => {
      const file = path.join(folder, 'secret');
      writeFileSync(file, content);
      return file;
    };
    const thrown = (environment: Record<string, string>) => () => load('', environment);

    test.each([KEY_A, `${KEY_A}\n`, `${KEY_A}\r\n`])('%j is read, without its line end', (content) => {
      expect(load('', { API_KEYS_FILE: secretFile(content) }).apiKeys).toEqual([KEY_A]);
    });

    test('every secret may be, and no other setting', () => {
      const uri = 'postgresql://carryover:hunter2@localhost/carryover';
      const config = load('api_keys: over-this-one-the-file-wins', {
        API_KEYS_FILE: secretFile(KEY_B),
        PORT_FILE: '/none',
      });
      expect(config.apiKeys).toEqual([KEY_B]);
      expect(load('', { POSTGRESQL_CONNECTION_URI_FILE: secretFile(uri) }).postgresqlConnectionUri).toBe(uri);
      const signer = load('', { FIREBASE_PASSWORD_HASHING_SIGNER_KEY_FILE: secretFile('YWJj') });
      expect(signer.defaults.signerKey?.toString()).toBe('abc');
      expect(load('', { BCRYPT_PEPPER_FILE: secretFile('pepper') }).defaults.pepper).toBeDefined();
    });

    test('is refused together with its variable, unreadable or empty, and not repeated', () => {
      const file = secretFile(KEY_A);
      const both = thrown({ API_KEYS: KEY_B, API_KEYS_FILE: file });
      expect(both).toThrow('API_KEYS and API_KEYS_FILE are both set: set only one of them');
      expect(both).not.toThrow(KEY_B);
      expect(thrown({ API_KEYS_FILE: '/none' })).toThrow('API_KEYS_FILE: /none cannot be read (ENOENT)');
      expect(thrown({ API_KEYS_FILE: secretFile('\n') })).toThrow('is empty: write the secret into it');
    });
  });

  test('a connection URI that is refused is not repeated', () => {
    expect(refusal('', { POSTGRESQL_CONNECTION_URI: 'postgrez://me:hunter2@db/x' })).not.toContain('hunter2');
  });
});
