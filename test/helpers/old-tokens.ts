/** Tokens as an old system signs them, made by the library that signs most of them. */
import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { SignJWT } from 'jose';
import type { TestCore } from './core.ts';

export interface OldKey {
  readonly alg: string;
  readonly kid: string;
  readonly privateKey: KeyObject;
  readonly jwk: Readonly<Record<string, unknown>>;
}

export function newOldKey(kid: string, alg: 'RS256' | 'ES256' | 'EdDSA' = 'ES256'): OldKey {
  const { publicKey, privateKey } = pairFor(alg);
  return { alg, kid, privateKey, jwk: { ...publicKey.export({ format: 'jwk' }), kid, alg } };
}

function pairFor(alg: string): { readonly publicKey: KeyObject; readonly privateKey: KeyObject } {
  if (alg === 'RS256') return generateKeyPairSync('rsa', { modulusLength: 2048 });
  return alg === 'EdDSA'
    ? generateKeyPairSync('ed25519')
    : generateKeyPairSync('ec', { namedCurve: 'P-256' });
}

export function signOld(
  { alg, kid, privateKey }: OldKey,
  claims: object,
  header: object = {},
): Promise<string> {
  return new SignJWT({ ...claims }).setProtectedHeader({ alg, kid, ...header }).sign(privateKey);
}

/** Exchanges a token for a user at an address, which the backend reports: without one no exchange is repeated. */
export async function carryFrom(
  { url, apiKey }: Pick<TestCore, 'url' | 'apiKey'>,
  app: string,
  input: object,
  address: string | undefined = '192.0.2.77',
): Promise<{ readonly http: number; readonly body: Record<string, unknown> }> {
  const response = await fetch(`${url}${app}/recipe/session/carry`, {
    method: 'POST',
    headers: { 'api-key': apiKey, ...(address !== '' && { 'carryover-client-address': address }) },
    body: JSON.stringify(input),
  });
  return { http: response.status, body: (await response.json()) as Record<string, unknown> };
}

/** The day after tomorrow, in the form of a setting. */
export function soon(): string {
  return new Date(Date.now() + 2 * 86_400_000).toISOString().slice(0, 10);
}
