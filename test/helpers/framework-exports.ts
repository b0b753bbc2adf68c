/** Shared by the tests of providers: sample exports, verifying their results, and records of nonsense. */

import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect } from 'vitest';
import { isEmail } from '../../src/domain/email.ts';
import type { NativeLoginMethod } from '../../src/imports/record/native-record.ts';
import { type ConvertedRecord, RecordConverter } from '../../src/exports/convert/convert-record.ts';
import type { Account } from '../../src/exports/fields/account.ts';
import { ExportFault } from '../../src/exports/providers/provider.ts';
import type {
  Conversion,
  ConvertOptions,
  Provider,
  Related,
  Sample,
  SourceRow,
} from '../../src/exports/providers/provider.ts';
import { readSamples } from '../../src/exports/readers/sample.ts';
import { asTyped, statedBeside } from '../../src/hashes/transforms/transforms.ts';
import { verifyParsed } from '../../src/hashes/verify/verifiers.ts';
import type { HashSecrets } from '../../src/hashes/kind.ts';
import { requireHash } from './require-hash.ts';
import { hashKindNamed } from '../../src/hashes/registry.ts';
import { defaultLimits } from './hash-limits.ts';
import { randomNumbers } from './mutations.ts';

const folder = fileURLToPath(new URL('../exports/files/', import.meta.url));

/** The password of every user in the samples. */
export const samplePassword = 'correct horse battery staple';

/** The beginning of a sample export, in each form in which it can be read. */
export async function samplesOf(file: string): Promise<readonly Sample[]> {
  return readSamples(`${folder}${file}`);
}

/** The first record of a sample export. */
export async function firstRow(file: string): Promise<SourceRow> {
  const [sample] = await samplesOf(file);
  if (sample === undefined) throw new Error(`${file} is empty`);
  return sample.first;
}

/** The arrays of a sample export that is one JSON object. */
export function exportOf(file: string): Readonly<Record<string, readonly SourceRow[]>> {
  return JSON.parse(readFileSync(`${folder}${file}`, 'utf8')) as Readonly<
    Record<string, readonly SourceRow[]>
  >;
}

/** Sample exports that `provider` recognises as its own, without `own`. */
export async function claimedBy(provider: Provider, own: readonly string[]): Promise<readonly string[]> {
  const claimed: string[] = [];
  for (const file of readdirSync(folder)) {
    const samples = own.includes(file) ? [] : await samplesOf(file);
    if (samples.some((sample) => provider.recognises(sample) > 0)) claimed.push(file);
  }
  return claimed;
}

/** The login methods of a successful conversion. */
export function methodsOf(conversion: Conversion): readonly NativeLoginMethod[] {
  if (!conversion.ok) throw new Error(`rejected: ${conversion.reason.field}: ${conversion.reason.message}`);
  return conversion.user.loginMethods;
}

/** Whether the core's own rules accept the first method's hash and `password` is right by it. */
export function isRight(
  conversion: Conversion,
  password: string,
  secrets: HashSecrets = { signerKey: undefined },
): boolean {
  const [method] = methodsOf(conversion);
  if (method?.recipeId !== 'emailpassword' || method.passwordHash === undefined) return false;
  const { passwordHash, hashingAlgorithm, passwordTransforms = asTyped } = method;
  const kind = hashingAlgorithm === undefined ? undefined : hashKindNamed(hashingAlgorithm);
  const stated = statedBeside(passwordHash, passwordTransforms);
  if (typeof stated !== 'string') throw new Error(stated.message);
  return verifyParsed(requireHash(stated, kind, defaultLimits), Buffer.from(password), secrets);
}

/** One row alone, as a run converts it. */
export function convertRow(
  provider: Provider,
  row: SourceRow,
  related: Related,
  options: ConvertOptions,
): Conversion {
  const rules = { provider: provider.name, options, tenant: undefined };
  return new RecordConverter(provider, rules).conversionOf(row, related).conversion;
}

/** One row alone, with the run's result and the account of its columns. */
export function recordOf(
  provider: Provider,
  row: SourceRow,
  related: Related = {},
  options: ConvertOptions = {},
): ConvertedRecord & { readonly account: Account } {
  const converter = new RecordConverter(provider, { provider: provider.name, options, tenant: undefined });
  return { ...converter.convert({ is: 'row', row }, related, 0), account: converter.account() };
}

/** Columns of a table that no field declares. */
export function undeclared({ tables }: Account, table = 'users'): readonly string[] {
  return Object.entries(tables[table] ?? {}).flatMap(([name, { field }]) =>
    field === undefined ? [name] : [],
  );
}

/** The code and the field of a refusal, or of the reason why a user is imported without the password. */
export function refusalOf(conversion: Conversion): readonly [code: string, field: string] {
  if (conversion.ok) {
    const { lostPassword } = conversion;
    if (lostPassword === undefined) throw new Error('it was converted');
    return [lostPassword.code, lostPassword.field];
  }
  return [conversion.reason.code, conversion.reason.field];
}

const nonsense: readonly unknown[] = [
  undefined,
  null,
  true,
  false,
  0,
  -1,
  1e308,
  Number.NaN,
  '',
  ' ',
  '\u0000',
  '\ud800',
  '[',
  '[1,',
  '{"a":',
  '[[],{},null,"@"]',
  '["md5",["@"],""]',
  '["pbkdf2",[null],"x"]',
  '{bcrypt}',
  '{sha256}zz',
  '$2b$',
  '!',
  'otpauth://totp/%',
  '0000-00-00 00:00:00',
  'a@b',
  'x'.repeat(100_000),
  '$'.repeat(5000),
  '('.repeat(5000),
  [],
  [[]],
  [null, 1, 'a', {}],
  {},
  { toString: 1, valueOf: null },
  JSON.parse('{"__proto__":{"email":"a@b"},"constructor":1}'),
];

/** Converts `count` records whose values are nonsense under the names of `real`, which must never throw. */
export function convertNonsense(
  provider: Provider,
  real: SourceRow,
  related: Related = {},
  count = 800,
): void {
  const random = randomNumbers(count);
  for (let round = 0; round < count; round += 1) {
    const user = damaged(real, random);
    const others = Object.entries(related).map(([name, rows]) => [
      name,
      rows.map((row) => damaged(row, random)),
    ]);
    const conversion = convertRow(provider, user, Object.fromEntries(others) as Related, {});
    expectSound(conversion);
    expect(() => provider.recognises({ format: 'ndjson', columns: [], root: [], first: user })).not.toThrow();
    for (const table of provider.tables) orUnusable(() => [table.holds?.(user), table.idOf(user)]);
  }
}

/** For any record: no empty hash, at least one way to sign in, at most one primary, a reason without hashes. */
function expectSound(conversion: Conversion): void {
  if (!conversion.ok) {
    const { message } = conversion.reason;
    expect(message.length).toBeGreaterThan(0);
    expect(message.length).toBeLessThan(600);
    return;
  }
  const { loginMethods, externalUserId } = conversion.user;
  expect(externalUserId).not.toBe('');
  expect(loginMethods.length).toBeGreaterThan(0);
  expect(loginMethods.filter(({ isPrimary }) => isPrimary).length).toBe(loginMethods.length > 1 ? 1 : 0);
  for (const method of loginMethods) {
    if (method.recipeId === 'emailpassword') expect(method.passwordHash).not.toBe('');
    if (method.recipeId !== 'passwordless' || method.phoneNumber === undefined)
      expect(method.email).toSatisfy(isEmail);
  }
}

function orUnusable(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(ExportFault);
  }
}

/** `value` with parts of it, at any depth, replaced by nonsense. */
function damaged<T>(value: T, random: (bound: number) => number): T {
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([key, each]) => [
    key,
    random(4) === 0 ? nonsense[random(nonsense.length)] : damaged<unknown>(each, random),
  ]);
  return (Array.isArray(value) ? entries.map(([, each]) => each) : Object.fromEntries(entries)) as T;
}
