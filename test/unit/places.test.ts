/** The setting `places`. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { effectiveSettings, loadConfig } from '../../src/config/load.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-places-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const uri = 'postgresql://core:s3cret@db.example:5432/two';
const base = { POSTGRESQL_CONNECTION_URI: 'postgresql://core@db.example/one' };
const load = (places: unknown, more: Record<string, string> = base) =>
  loadConfig({ environment: { ...more, PLACES: JSON.stringify(places) } }).places;

describe('places', () => {
  it('are an empty list by default', () => {
    expect(loadConfig({ environment: {} }).places).toEqual([]);
  });

  it('have a name and an address, which may be in a variable or a file', () => {
    const file = path.join(folder, 'address');
    writeFileSync(file, `${uri}\n`);
    const places = [
      { name: 'two', uri },
      { name: 'three', uri_env: 'THREE' },
      { name: 'four', uri_file: file },
    ];
    expect(load(places, { ...base, THREE: uri })).toEqual([
      { name: 'two', uri },
      { name: 'three', uri },
      { name: 'four', uri },
    ]);
  });

  it('are a list in config.yaml', () => {
    const config = path.join(folder, 'config.yaml');
    writeFileSync(
      config,
      `postgresql_connection_uri: postgresql:///one\nplaces:\n  - name: two\n    uri: ${uri}\n`,
    );
    expect(loadConfig({ file: config, environment: {} }).places).toEqual([{ name: 'two', uri }]);
    const shown = effectiveSettings({ file: config, environment: {} }).find(({ name }) => name === 'places');
    expect(shown?.value).toBe('(secret)');
  });
});

describe('a wrong place', () => {
  it.each([
    ['no list', {}, /^places: must be a list of places, each with name and uri, uri_env or uri_file/],
    [
      'a name that is reserved',
      [{ name: 'first', uri }],
      /place 'first': 'name' must be 1 to 63 small letters/,
    ],
    ['a name with a blank', [{ name: 'a b', uri }], /place 'a b': 'name' must be/],
    ['no address', [{ name: 'two' }], /place 'two': 'uri' is missing: add it/],
    ['no URI', [{ name: 'two', uri: 'db.example' }], /place 'two': 'uri' must be a URI such as postgresql:/],
    ['two spellings', [{ name: 'two', uri, uri_env: 'X' }], /place 1: 'uri' and 'uri_env' are both given/],
    [
      'a name twice',
      [
        { name: 'two', uri },
        { name: 'two', uri },
      ],
      /'two': 'name' is another place's too/,
    ],
    ['an unknown field', [{ name: 'two', uri, color: 'x' }], /place 'two': unknown field 'color'/],
  ])('%s', (_what, places, message) => {
    expect(() => load(places)).toThrow(message);
    expect(() => load(places)).not.toThrow(/s3cret/);
  });

  it('without a first one', () => {
    expect(() => load([{ name: 'two', uri }], {})).toThrow(
      /^places: needs postgresql_connection_uri, the database with the names of all apps: set it/,
    );
  });
});
