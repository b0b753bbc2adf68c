import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Ajv } from 'ajv';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { generated, staleFiles } from '../../generate/main.ts';
import { settings } from '../../src/config/schema.ts';
import { readSetting, type SettingSchema } from '../../src/config/setting.ts';

const root = path.resolve(import.meta.dirname, '../..');
const files = Object.keys(generated);

describe('what is generated', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-generated-'));
    for (const file of files) await cp(path.join(root, file), path.join(folder, file));
  });
  afterAll(() => rm(folder, { recursive: true }));

  it('is committed as the code gives it', async () => {
    expect(await staleFiles()).toEqual([]);
  });

  it('is named when it was edited by hand or is missing', async () => {
    await writeFile(path.join(folder, 'config.yaml'), 'port: 1\n');
    await rm(path.join(folder, 'docs/reference/errors.md'));
    expect(await staleFiles(folder)).toEqual(['config.yaml', 'docs/reference/errors.md']);
  });
});

describe('the schema of the settings', () => {
  const ajv = new Ajv({ allErrors: true });
  ajv.addVocabulary(['x-unit', 'x-default', 'x-by-memory']);
  // The rules of these formats are only in code.
  for (const format of [
    'api-keys',
    'cdi-versions',
    'encryption-keys',
    'postgresql-uri',
    'base64',
    'legacy-sources',
    'session-sources',
    'named-keys',
    'places',
  ])
    ajv.addFormat(format, true);
  const schemas = Object.entries<SettingSchema>(settings.properties);

  it('is JSON Schema, and its defaults fit it', () => {
    const defaults = schemas.flatMap(([key, schema]) =>
      schema.default === undefined ? [] : [[key, schema.default] as const],
    );
    const validate = ajv.compile(settings);
    expect(validate(Object.fromEntries(defaults)), JSON.stringify(validate.errors)).toBe(true);
  });

  it.each(schemas.filter(([, { format }]) => format === undefined))(
    'takes the same values for %s as its reader',
    (_key, schema) => {
      const { minimum = 0, maximum = 0, enum: words = [] } = schema;
      const bounds = [minimum - 1, minimum, minimum + 0.5, maximum, maximum + 1];
      for (const value of [...bounds, ...words, true, '', 'text', 'a\nb', [], {}])
        expect(readSetting(schema, value).ok, JSON.stringify(value)).toBe(ajv.validate(schema, value));
    },
  );
});
