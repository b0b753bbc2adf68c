/** A user with a hash of each kind whose password is known, and any number of others. */
import { loadConfig } from '../../src/config/load.ts';
import { parseHash } from '../../src/hashes/recognise.ts';
import { type HashKindName, kinds } from '../../src/hashes/registry.ts';
import { readVectors, scryptVariantString, type Vector } from '../helpers/vectors.ts';

export interface KnownUser {
  readonly kind: HashKindName;
  readonly email: string;
  readonly password: string;
  readonly passwordHash: string;
}

const vectors = readVectors().filter(({ valid, expect, password }) => valid && !expect && password);
/** 64 MiB, the default of PHP and passlib, which memory limits affect most. */
const isUsualCost = ({ hash }: Vector): boolean => hash.includes('m=65536');
const { hashLimits } = loadConfig({ environment: {}, memoryBytes: 2 ** 33 }).defaults;

function pepperOf(vector: Vector | undefined): string {
  const pepper = vector?.params?.pepper;
  return typeof pepper === 'string' ? pepper : '';
}

/** Settings that some of the hashes need. */
export const secrets: Readonly<Record<string, string>> = {
  PROVIDER_PASSWORD_HASHING_SIGNER_KEY:
    vectors.find(({ kind }) => kind === 'firebase-scrypt-supertokens')?.signerKey ?? '',
  BCRYPT_PEPPER: pepperOf(vectors.find(({ kind }) => kind === 'bcrypt-peppered')),
};

function hashOf(vector: Vector): string {
  return vector.kind === 'firebase-scrypt-supertokens' ? scryptVariantString(vector) : vector.hash;
}

function isOf(kind: HashKindName, vector: Vector): boolean {
  if (kind === 'bcrypt_peppered') return vector.kind === 'bcrypt-peppered';
  if (kind === 'provider_scrypt') return vector.kind === 'firebase-scrypt-supertokens';
  if (kind === 'better_auth') return vector.kind === 'scrypt-betterauth';
  // Values next to a vector's hash are not in the record.
  if (vector.params !== undefined || vector.kind === 'bcrypt-peppered') return false;
  const isNamed = vector.kind.split('-')[0] === kind.split('_')[0];
  const read = parseHash(vector.hash, undefined, hashLimits);
  if (read.ok) return read.parsed.kind === kind;
  const given = isNamed ? parseHash(vector.hash, kind, hashLimits) : read;
  return given.ok && given.parsed.kind === kind;
}

export const knownUsers: readonly KnownUser[] = (Object.keys(kinds) as HashKindName[]).flatMap((kind) => {
  const candidates = vectors.filter((vector) => isOf(kind, vector));
  const found = candidates.find(isUsualCost) ?? candidates[0];
  if (found === undefined) return [];
  const email = `${kind.replaceAll('_', '-')}@kinds.example.com`;
  return [{ kind, email, password: found.password ?? '', passwordHash: hashOf(found) }];
});

/** Lines of an import. The others have a bcrypt hash against which no password is tried. */
export function* linesOf(count: number): Generator<string> {
  const line = (email: string, hash: object): string =>
    `${JSON.stringify({ loginMethods: [{ recipeId: 'emailpassword', email, isVerified: true, ...hash }] })}\n`;
  for (const { email, kind, passwordHash } of knownUsers)
    yield line(email, { passwordHash, hashingAlgorithm: kind });
  const passwordHash = knownUsers.find(({ kind }) => kind === 'bcrypt')?.passwordHash;
  for (let at = knownUsers.length; at < count; at++)
    yield line(`user${at}@example.com`, { passwordHash, hashingAlgorithm: 'bcrypt' });
}
