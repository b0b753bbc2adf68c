/** Settings: their origins, and that a wrong one stops the start with one line that names it. */
import net from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ConfigError, type ConfigSources, loadConfig } from '../../src/config/load.ts';
import { makeWorkplace, type ProgramOptions, runMain, type Workplace } from '../helpers/process.ts';

/** Well formed, and never connected to: the error is found before. */
const elsewhere = { POSTGRESQL_CONNECTION_URI: 'postgresql://nobody:nothing@127.0.0.1:1/none' };
const keys = { API_KEYS: 'a-key-that-is-long-enough' };

let place: Workplace;
beforeEach(async () => {
  place = await makeWorkplace();
});
afterEach(() => place.remove());

async function refusal(options: ProgramOptions): Promise<string> {
  const program = runMain({
    ...options,
    environment: { ...elsewhere, DATA_DIR: place.dataDir, ...keys, ...options.environment },
  });
  const [code] = await program.ended;
  expect(code).toBe(1);
  expect(program.stderr()).toMatch(/^[^\n]+\n$/);
  expect(program.stderr()).not.toMatch(/\bat \S+:\d+/);
  expect(program.stdout()).not.toContain('"msg":"listening"');
  return program.stderr();
}

/** The error that stops a start before anything is begun. The program prints it alone, which one test shows for all. */
function messageOf(sources: Partial<ConfigSources>): string {
  try {
    loadConfig({ ...sources, environment: { ...elsewhere, ...keys, ...sources.environment } });
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
  return 'starts';
}

describe('one line states', () => {
  test.each([
    ['an invalid number', 'HASHING_THREADS', 'many', /^hashing_threads: must be a whole number/],
    ['an unknown word', 'LOG_LEVEL', 'loud', /^log_level: must be one of trace, debug/],
    ['a key that is too short', 'API_KEYS', 'short-secret', /^api_keys: must hold keys of at least 20/],
    [
      'a signer key that is no base64',
      'PROVIDER_PASSWORD_HASHING_SIGNER_KEY',
      'short-secret!',
      /must be base64/,
    ],
    [
      'an invalid URI',
      'POSTGRESQL_CONNECTION_URI',
      'short-secret',
      /^postgresql_connection_uri: must be a URI/,
    ],
    [
      'settings that do not fit',
      'POSTGRESQL_CONNECTION_POOL_SIZE',
      '3',
      /must be at least import_lanes \+ 2/,
    ],
  ])('%s, without repeating it', (_what, name, value, line) => {
    const said = messageOf({ environment: { [name]: value } });
    expect(said).toMatch(line);
    expect(said).not.toMatch(/short-secret|\n/);
  });

  test('an unknown key, and the file that it is in; a signer key there that is no base64', async () => {
    const [, unknown = ''] = await place.configure('prot: 3567\n');
    expect(messageOf({ file: unknown })).toMatch(/config\.yaml: unknown key 'prot': remove it or correct/);
    const [, invalid = ''] = await place.configure('provider_password_hashing_signer_key: "no base64!"\n');
    expect(messageOf({ file: invalid })).toMatch(/^provider_password_hashing_signer_key: must be base64/);
  });

  test('a number out of range, as the program prints it', async () => {
    const said = await refusal({ environment: { PORT: '65536' } });
    expect(said).toBe('port: must be a whole number from 0 to 65535 (PORT in the environment)\n');
    expect(said).toBe(`${messageOf({ environment: { PORT: '65536' } })}\n`);
  });

  test('a configuration file that is not there', async () => {
    const line = await refusal({ arguments: ['--config', '/nowhere/config.yaml'] });
    expect(line).toBe('/nowhere/config.yaml: cannot be read (ENOENT): check the path given with --config\n');
  });

  test('an unknown option', async () => {
    expect(await refusal({ arguments: ['--cofnig', 'x'] })).toMatch(/--cofnig/);
  });

  test('a port that is taken', async () => {
    const other = net.createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as net.AddressInfo;
    const line = await refusal({ environment: { PORT: String(port) } });
    other.close();
    expect(line).toMatch(new RegExp(`127\\.0\\.0\\.1:${port}.*set another 'port' or 'host'`));
  });

  test('a folder for the data that is a file', async () => {
    const [, file = ''] = await place.configure('');
    const environment = { POSTGRESQL_CONNECTION_URI: '', DATA_DIR: file };
    expect(await refusal({ environment })).toContain(`${file} cannot be written`);
  });
});

test('the signer key may come from the file; the environment wins', async () => {
  const [inFile, inEnvironment] = ['in the file', 'in the environment'].map((text) =>
    Buffer.from(text).toString('base64'),
  ) as [string, string];
  const [, file = ''] = await place.configure(`provider_password_hashing_signer_key: ${inFile}\n`);
  const keyOf = (environment: Record<string, string>) =>
    loadConfig({ file, environment: { ...elsewhere, ...keys, ...environment } }).defaults.signerKey;
  expect(keyOf({})).toEqual(Buffer.from('in the file'));
  expect(keyOf({ PROVIDER_PASSWORD_HASHING_SIGNER_KEY: inEnvironment })).toEqual(
    Buffer.from('in the environment'),
  );
});
