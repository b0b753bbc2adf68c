import { createPublicKey, type JsonWebKey } from 'node:crypto';
import type { JwtProfile, JwtRules, TokenKeys } from '../../domain/model.ts';
import type { SourceFields } from './fields.ts';
import { type ProfileDefaults, profiles } from './profiles.ts';

/** Signed by a private key of the issuer; the others by a shared secret. */
const asymmetric = ['RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'PS512', 'ES256', 'ES384', 'ES512', 'EdDSA'];
const symmetric = ['HS256', 'HS384', 'HS512'];
const leastSecretBytes = 32;
const mostKeys = 50;

/** @throws SourceFault */
export function readJwtRules(fields: SourceFields): JwtRules {
  const profile = fields.word('profile', Object.keys(profiles) as JwtProfile[], 'none');
  const known = profiles[profile];
  const project = known.project && fields.optionalText('project');
  const issuers = issuersOf(fields, known, project);
  const keys = keysOf(fields, known, issuers);
  return {
    profile,
    issuers,
    keys,
    audiences: audiencesOf(fields, known, { project, issuers }),
    audienceClaims: fields.optionalTexts('audience_claim') ?? known.audienceClaims,
    algorithms: algorithmsOf(fields, known, keys),
    userId: fields.optionalText('user_id') ?? known.userId,
  };
}

/** @throws SourceFault */
export function readRefresh(fields: SourceFields) {
  return {
    speaks: 'refresh' as const,
    tokenUrl: fields.url('token_url'),
    clientId: fields.text('client_id'),
    clientSecret: fields.optionalText('client_secret'),
    ca: fields.optionalLines('ca'),
    ...readJwtRules(fields),
  };
}

function issuersOf(
  fields: SourceFields,
  { project: ofProject }: ProfileDefaults,
  project: string | undefined,
): readonly string[] {
  if (ofProject && project !== undefined) return [ofProject.issuer(project)];
  if (ofProject && !fields.has('issuer')) fields.fail('project', 'is missing: add the id of the project');
  return fields.texts('issuer');
}

function audiencesOf(
  fields: SourceFields,
  { audience }: ProfileDefaults,
  { project, issuers }: { readonly project: string | undefined; readonly issuers: readonly string[] },
): readonly string[] | undefined {
  const written = fields.optionalTexts('audience');
  if (written) return written;
  if (project !== undefined) return [project];
  if (audience === 'none') return undefined;
  if (audience === 'issuer') return issuers;
  return (
    audience ??
    fields.fail(
      'audience',
      'is missing: state the audience of the tokens, or tokens of any app would be accepted',
    )
  );
}

function keysOf(
  fields: SourceFields,
  { keysUrl }: ProfileDefaults,
  [issuer = '']: readonly string[],
): TokenKeys {
  const given = ['jwks', 'keys', 'secret'].filter((name) => fields.has(name));
  if (given.length > 1)
    fields.fail(given[0] ?? '', `and '${given[1] ?? ''}' are both there: keep one of jwks, keys and secret`);
  if (fields.has('secret')) return { from: 'secret', secret: secretOf(fields) };
  if (fields.has('keys')) return { from: 'pinned', keys: pinnedKeys(fields) };
  const ca = fields.optionalLines('ca');
  const written = fields.optionalUrl('jwks');
  if (written !== undefined) return { from: 'url', url: written, ca };
  if (keysUrl === undefined) fields.fail('jwks', 'is missing: give the URL of the keys, or pin them as keys');
  const url = keysUrl(issuer);
  if (!url.startsWith('https://'))
    fields.fail('jwks', 'is missing, and does not follow from an issuer without https://: add it');
  return { from: 'url', url, ca };
}

function secretOf(fields: SourceFields): string {
  const secret = fields.text('secret');
  if (Buffer.byteLength(secret) < leastSecretBytes)
    fields.fail(
      'secret',
      `must have ${leastSecretBytes} bytes or more: a shorter one can be found by trying; pin public keys instead`,
    );
  return secret;
}

function pinnedKeys(fields: SourceFields): readonly Readonly<Record<string, unknown>>[] {
  const written = fields.raw('keys');
  const list: readonly unknown[] =
    typeof written === 'object' && written !== null && 'keys' in written && Array.isArray(written.keys)
      ? written.keys
      : Array.isArray(written)
        ? written
        : [written];
  if (list.length === 0) fields.fail('keys', 'holds no key: copy the answer of the old JWKS URL into it');
  if (list.length > mostKeys)
    fields.fail('keys', `holds more than ${mostKeys} keys: leave out keys that no longer sign`);
  return list.map((each) => publicJwk(fields, each));
}

/** Converts a JWK or PEM to a JWK of the public key. */
function publicJwk(fields: SourceFields, key: unknown): Readonly<Record<string, unknown>> {
  try {
    if (typeof key === 'string') return { ...createPublicKey(key).export({ format: 'jwk' }) };
    if (typeof key === 'object' && key !== null) {
      const { kid, alg } = key as { readonly kid?: unknown; readonly alg?: unknown };
      const jwk = createPublicKey({ key: key as JsonWebKey, format: 'jwk' }).export({ format: 'jwk' });
      return { ...jwk, ...(typeof kid === 'string' && { kid }), ...(typeof alg === 'string' && { alg }) };
    }
  } catch {
    // No cause: its message may quote the key.
  }
  return fields.fail('keys', 'must hold public keys as JWK, or as PEM');
}

function algorithmsOf(fields: SourceFields, known: ProfileDefaults, keys: TokenKeys): readonly string[] {
  const allowed = keys.from === 'secret' ? symmetric : asymmetric;
  const usual = keys.from === 'secret' ? ['HS256'] : known.algorithms;
  const written = fields.optionalTexts('algorithms') ?? usual;
  if (written.length === 0)
    fields.fail('algorithms', `is missing: list those of the tokens: ${allowed.join(', ')}`);
  if (!written.every((each) => allowed.includes(each)))
    fields.fail(
      'algorithms',
      keys.from === 'secret'
        ? `may list ${allowed.join(', ')} with a secret: others need keys or jwks`
        : `may list ${allowed.join(', ')} with public keys: HS256 needs a secret, and "none" means no signature`,
    );
  return written;
}
