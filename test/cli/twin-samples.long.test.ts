/** A twin of each sample has its shape, and none of its values. */
import { readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { widestLimits } from '../../src/config/tenant-settings.ts';
import { allPublicWords } from '../../src/exports/twin/vocabulary.ts';
import { parseHash } from '../../src/hashes/recognise.ts';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { inspect, shapeOf, twinOf } from '../helpers/twin.ts';

const samples = fileURLToPath(new URL('../exports/files/', import.meta.url));

/** Files that are read next to that of the users, and the options for them. */
const further: Readonly<Record<string, readonly string[]>> = {
  'auth0-users.ndjson': ['--auth0-hashes', `${samples}auth0-hashes.ndjson`],
  'stytch.json': ['--stytch-hashes', `${samples}stytch-hashes.csv`],
  'supabase-users.csv': ['--supabase-identities', `${samples}supabase-identities.csv`],
};
const sides = new Set(['auth0-hashes.ndjson', 'stytch-hashes.csv', 'supabase-identities.csv']);
const names = readdirSync(samples).filter((name) => !sides.has(name));

let place: Place;

beforeEach(async () => {
  place = await makePlace();
});

afterEach(() => place.remove());

/** The listed passwords that are those of the records' hashes. */
async function rightPasswords(config: readonly string[]): Promise<[right: number, listed: number]> {
  const records = (await place.read('twin.ndjson')).trim().split('\n');
  const settings = config.length === 0 ? '' : await place.read('twin.config.yaml');
  const signerKey = /signer_key: (\S+)/.exec(settings)?.[1];
  const pepper = /pepper: (\S+)/.exec(settings)?.[1];
  const secrets = {
    signerKey: signerKey === undefined ? undefined : Buffer.from(signerKey, 'base64'),
    pepper: pepper === undefined ? undefined : Buffer.from(pepper),
  };
  const [, ...rows] = (await place.read('twin.passwords.csv')).trim().split('\n');
  let right = 0;
  for (const row of rows) {
    const [email = '', password = ''] = row.split(',');
    const found =
      records.map(methodsOf).find((methods) => methods.some((each) => each.email === email)) ?? [];
    for (const { passwordHash = '', hashingAlgorithm } of found.filter((each) => each.email === email)) {
      const parsed = parseHash(passwordHash, hashingAlgorithm as never, widestLimits);
      if (parsed.ok && verifyParsed(parsed.parsed, Buffer.from(password), secrets)) right += 1;
    }
  }
  return [right, rows.length];
}

type Method = Readonly<Partial<Record<'email' | 'passwordHash' | 'hashingAlgorithm', string>>>;

function methodsOf(line: string): readonly Method[] {
  return (JSON.parse(line) as { readonly loginMethods?: readonly Method[] }).loginMethods ?? [];
}

describe('carryover twin of each sample', () => {
  it.each(names)('%s: the same counts, kinds and rejects, and no original value', async (name) => {
    const args = [path.join(samples, name), ...(further[name] ?? [])];
    const config = await twinOf(place, ...args);
    const [original, twin] = [await inspect(place, ...args), await inspect(place, 'twin.ndjson', ...config)];
    const { SIGNER_KEY_MISSING: withoutKey = 0 } = original.rejectedByCode;
    if (withoutKey === 0) expect(shapeOf(twin)).toEqual(shapeOf(original));
    else expect(shapeOf(await inspect(place, 'twin.ndjson'))).toEqual(shapeOf(original));
    const [right, listed] = await rightPasswords(config);
    expect(right).toBe(listed);
    const text = (await place.read('twin.ndjson')).toLowerCase();
    const sources = await Promise.all(
      [args[0] ?? '', ...(further[name] ?? []).slice(1)].map((file) => readFile(file, 'utf8')),
    );
    expect(valuesIn(sources.join('\n')).filter((value) => text.includes(value))).toEqual([]);
  });
});

/** Values of records have digits, capitals or an @; names of fields have no digit, and no @. */
function valuesIn(text: string): string[] {
  const found = text.toLowerCase().match(/[\p{L}\p{N}.@_+-]{6,}/gu) ?? [];
  return found.filter(
    (value) => /\d.*\d.*\d|@/.test(value) && !allPublicWords.has(value) && !/^\d{1,7}$/.test(value),
  );
}
