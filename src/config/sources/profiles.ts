import type { JwtProfile } from '../../domain/model.ts';

/** Known properties of a system's tokens. A source may override them, except those that restrict access. */
export interface ProfileDefaults {
  /** The field from which issuer and audience follow, if the system has one. */
  readonly project?: { readonly issuer: (project: string) => string };
  readonly keysUrl?: (issuer: string) => string;
  readonly algorithms: readonly string[];
  readonly userId: string;
  readonly audienceClaims: readonly string[];
  /** Default audience; `none` for systems whose tokens name no audience. */
  readonly audience?: 'issuer' | 'none' | readonly string[];
}

const under = (path: string) => (issuer: string) => `${issuer.replace(/\/$/, '')}/${path}`;
const google = 'https://www.googleapis.com';
const usual = {
  keysUrl: under('.well-known/jwks.json'),
  algorithms: ['RS256'],
  userId: 'sub',
  audienceClaims: ['aud'],
} as const;

/** From the systems' own documentation of their tokens. */
export const profiles: Readonly<Record<JwtProfile, ProfileDefaults>> = {
  auth0: usual,
  firebase: {
    ...usual,
    project: { issuer: (project) => `https://securetoken.google.com/${project}` },
    keysUrl: () => `${google}/service_accounts/v1/jwk/securetoken@system.gserviceaccount.com`,
  },
  /** Made by createSessionCookie of its Admin SDK. */
  'firebase-cookie': {
    ...usual,
    project: { issuer: (project) => `https://session.firebase.google.com/${project}` },
    keysUrl: () => `${google}/identitytoolkit/v3/relyingparty/publicKeys`,
  },
  /** An access token names its client in a separate claim. */
  cognito: { ...usual, audienceClaims: ['aud', 'client_id'] },
  supabase: { ...usual, algorithms: ['ES256', 'RS256'], audience: ['authenticated'] },
  /** azp holds the origin of the page. */
  clerk: { ...usual, audienceClaims: ['azp'] },
  /** `aud` of an access token is a resource, `azp` the client. */
  keycloak: { ...usual, keysUrl: under('protocol/openid-connect/certs'), audienceClaims: ['azp', 'aud'] },
  /** `sub` differs between apps; exports identify users by `oid`. */
  entra: {
    ...usual,
    keysUrl: (issuer) => `${issuer.replace(/\/v2\.0\/?$/, '')}/discovery/v2.0/keys`,
    userId: 'oid',
  },
  supertokens: { ...usual, keysUrl: under('jwt/jwks.json'), audience: 'none' },
  'better-auth': {
    ...usual,
    keysUrl: under('api/auth/jwks'),
    algorithms: ['EdDSA'],
    audience: 'issuer',
  },
  none: { algorithms: [], userId: 'sub', audienceClaims: ['aud'] },
};
