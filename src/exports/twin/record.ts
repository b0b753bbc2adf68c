/** The rule of each field of a record. A field that no rule names does not pass. */

import { codeAlgorithms } from '../../hashes/parts/one-time-code.ts';
import { readHash } from './hash-class.ts';
import type { Listed, TwinCounts, TwinStock } from './tasks.ts';
import type { Replacer } from './values.ts';
import type { publicWords } from './vocabulary.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** One run's means of replacing, and what a record adds to its result. */
export interface Replacing {
  readonly values: Replacer;
  readonly stock: TwinStock;
  readonly counts: TwinCounts;
  /** Those of the record's known passwords that may be listed, by the email of their login method. */
  readonly known: Listed[];
}

/** @param own the object with the field */
type Rule = (value: unknown, replacing: Replacing, own: Fields) => unknown;

/** Any value, by its type and length. */
const byType: Rule = (value, replacing, own) => {
  const { values } = replacing;
  if (typeof value === 'string') return values.text(value);
  if (typeof value === 'number') return values.number(value);
  if (Array.isArray(value)) return value.map((each) => byType(each, replacing, own));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, each]) => [
    values.text(name),
    byType(each, replacing, own),
  ]);
  return Object.fromEntries(entries) as Fields;
};

const ofText =
  (replace: (text: string, replacing: Replacing, own: Fields) => string): Rule =>
  (value, replacing, own) =>
    typeof value === 'string' ? replace(value, replacing, own) : byType(value, replacing, own);

const word = (field: keyof typeof publicWords): Rule =>
  ofText((text, { values }) => values.word(text, field));

const listOf =
  (rule: Rule): Rule =>
  (value, replacing, own) =>
    Array.isArray(value) ? value.map((each) => rule(each, replacing, own)) : byType(value, replacing, own);

/** Names of fields with a rule, at byType depth. */
const declared = new Set<string>();

/** Fields whose names and values pass the scan under their own names. */
export const declaredNames: ReadonlySet<string> = declared;

const objectOf = (rules: Readonly<Record<string, Rule>>): Rule => {
  for (const name in rules) declared.add(name);
  return (value, replacing, own) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return byType(value, replacing, own);
    const entries = Object.entries(value);
    const named = entries.filter(([name]) => Object.hasOwn(rules, name));
    replacing.counts.leftOut += entries.length - named.length;
    return Object.fromEntries(
      named.map(([name, each]) => [name, rules[name]?.(each, replacing, value as Fields)]),
    );
  };
};

const time: Rule = (value, replacing, own) =>
  typeof value === 'number' ? replacing.values.time(value) : byType(value, replacing, own);

/** Numbers of a device, such as its period: they identify no one, and a code depends on them. */
const parameter: Rule = (value, replacing, own) =>
  typeof value === 'number' && Math.abs(value) < 100_000 ? value : byType(value, replacing, own);

const encoding: Rule = word('encoding');

const device = objectOf({
  secretKey: ofText((text, { values }, { secretEncoding }) => values.secret(text, secretEncoding)),
  secretEncoding: encoding,
  algorithm: (value, replacing, own) =>
    codeAlgorithms.some((each) => each === value) ? value : byType(value, replacing, own),
  digits: parameter,
  period: parameter,
  skew: parameter,
  deviceName: byType,
});

const backupCode = objectOf({
  code: byType,
  hash: ofText(
    (text, replacing, { hashingAlgorithm }) => hashLike({ hash: text, hashingAlgorithm }, replacing).hash,
  ),
  hashingAlgorithm: word('hashingAlgorithm'),
});

const tenantIds = listOf(word('tenantId'));

const method = objectOf({
  recipeId: word('recipeId'),
  email: byType,
  passwordHash: ofText(passwordHash),
  hashingAlgorithm: word('hashingAlgorithm'),
  passwordTransforms: ofText((text, { values }) => values.transforms(text)),
  plainTextPassword: ofText(plainTextPassword),
  legacy: byType,
  thirdPartyId: word('thirdPartyId'),
  thirdPartyUserId: byType,
  phoneNumber: byType,
  tenantIds,
  isVerified: byType,
  isPrimary: byType,
  timeJoinedInMSSinceEpoch: time,
});

const record = objectOf({
  externalUserId: byType,
  userMetadata: byType,
  userRoles: listOf(objectOf({ role: byType, tenantIds })),
  totpDevices: listOf(device),
  backupCodes: listOf(backupCode),
  secondFactors: listOf(word('secondFactor')),
  requiredActions: listOf(word('requiredAction')),
  isDisabled: byType,
  disabledUntil: time,
  sameIds: byType,
  restoreRemoved: byType,
  loginMethods: listOf(method),
});

/** The record of the twin. */
export function replaceRecord(own: Fields, replacing: Replacing): Fields {
  return record(own, replacing, own) as Fields;
}

function passwordHash(text: string, replacing: Replacing, own: Fields): string {
  const { hashingAlgorithm, passwordTransforms } = own;
  const { hash, index, key } = hashLike({ hash: text, hashingAlgorithm, passwordTransforms }, replacing);
  if (index !== undefined) know(own, { index, key }, replacing);
  return hash;
}

function plainTextPassword(text: string, replacing: Replacing, own: Fields): string {
  const { values, stock } = replacing;
  const index = values.choice(text, stock.passwords);
  know(own, { index, key: '' }, replacing);
  return values.password(index);
}

function know(
  { email }: Fields,
  { index, key }: { readonly index: number; readonly key: string },
  { values, stock, known, counts }: Replacing,
): void {
  counts.known += 1;
  if (typeof email !== 'string') return;
  const twin = values.text(email).trim().toLowerCase();
  if (!values.isInShare(twin, stock.listedShare)) return;
  known.push({ email: twin, password: values.password(index), hashClass: key });
}

interface HashLike {
  readonly hash: string;
  /** Of its password, if that is known. */
  readonly index?: number;
  readonly key: string;
}

const latin1 = new TextDecoder('latin1');

function hashLike(
  fields: Parameters<typeof readHash>[0] & { readonly hash: string },
  replacing: Replacing,
): HashLike {
  const { values, stock, counts } = replacing;
  const found = readHash(fields);
  const key = found?.key ?? '';
  const made = stock.classes[key];
  if (made === undefined || made.count === 0) {
    const kind = found?.parsed.kind ?? 'unreadable';
    counts.unknown[kind] = (counts.unknown[kind] ?? 0) + 1;
    return { hash: values.hash(fields.hash), key };
  }
  const index = values.choice(fields.hash.trim(), made.count);
  const start = made.at + index * made.width;
  return { hash: latin1.decode(stock.hashes.slice(start, start + made.width)), index, key };
}
