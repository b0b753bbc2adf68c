/** Settings: where they come from, and that a wrong one stops the start with one line that names it. */
import net from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { openDoor } from '../helpers/database-door.ts';
import { createMigratedDatabase } from '../helpers/postgres.ts';
import {
  addressOf,
  makeWorkplace,
  type ProgramOptions,
  runMain,
  type Workplace,
} from '../helpers/process.ts';
import { readVectors, scryptVariantString } from '../helpers/vectors.ts';

/** Well formed, and never reached: what is wrong is found before. */
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

describe('one line states', () => {
  test('an unknown key, and the file that it stands in', async () => {
    const config = await place.configure('prot: 3567\n');
    expect(await refusal({ arguments: config })).toMatch(
      /config\.yaml: unknown key 'prot': remove it or correct/,
    );
  });

  test.each([
    [
      'a number out of range',
      'PORT',
      '65536',
      /^port: must be a whole number from 0 to 65535 \(PORT in the environment\)\n$/,
    ],
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
  ])('%s, without repeating it', async (_what, name, value, line) => {
    const said = await refusal({ environment: { [name]: value } });
    expect(said).toMatch(line);
    expect(said).not.toContain('short-secret');
  });

  test('a signer key in the file that is no base64', async () => {
    const config = await place.configure('provider_password_hashing_signer_key: "no base64!"\n');
    expect(await refusal({ arguments: config })).toMatch(
      /^provider_password_hashing_signer_key: must be base64/,
    );
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
  const [first, second] = ['142', '144'].map((id) => readVectors().find((vector) => vector.id === id));
  if (!first || !second) throw new Error('the vectors are missing');
  const database = await createMigratedDatabase();
  const door = await openDoor(database.connection);
  const config = await place.configure(
    `provider_password_hashing_signer_key: ${first.signerKey}\napi_keys: ${keys.API_KEYS}\n`,
  );
  const signInWith = async (vector: typeof first, environment: Record<string, string>): Promise<unknown> => {
    const program = runMain({
      arguments: config,
      environment: { POSTGRESQL_CONNECTION_URI: door.uri(), ...environment },
    });
    await program.printed(/"msg":"ready"/);
    const base = await addressOf(program);
    const post = async (path: string, input: object) => {
      const init = { method: 'POST', headers: { 'api-key': keys.API_KEYS }, body: JSON.stringify(input) };
      return ((await (await fetch(base + path, init)).json()) as { status: unknown }).status;
    };
    const user = { email: 'ada@example.com', hashingAlgorithm: 'firebase_scrypt' };
    const hash = { ...user, passwordHash: scryptVariantString(vector) };
    expect(await post('/recipe/user/passwordhash/import', hash)).toBe('OK');
    const status = await post('/recipe/signin', { ...user, password: vector.password });
    await program.end();
    return status;
  };
  const environment = { PROVIDER_PASSWORD_HASHING_SIGNER_KEY: String(second.signerKey) };
  expect(await signInWith(first, {})).toBe('OK');
  expect(await signInWith(second, environment)).toBe('OK');
  expect(await signInWith(first, environment)).toBe('WRONG_CREDENTIALS_ERROR');
  await door.remove();
  await database.drop();
});
