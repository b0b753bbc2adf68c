import type { Tenant } from '../../domain/model.ts';
import type { SessionInputs } from './schema.ts';
import { signJwt } from './access-token.ts';
import type { KeyList } from './keys/keys.ts';
import type { SessionContext } from './context.ts';

export interface JwtOperations {
  /** Signs a token for other services with a key of the app. */
  createJwt(
    tenant: Tenant,
    input: SessionInputs['createJwt'],
  ): Promise<{ status: 'OK'; jwt: string } | { status: 'UNSUPPORTED_ALGORITHM_ERROR' }>;
  /** Lists the public keys of all tokens that may be valid, and for how long the list may be cached. */
  listKeys(tenant: Tenant): Promise<KeyList>;
}

export function jwtOperations({ keys, now }: Pick<SessionContext, 'keys' | 'now'>): JwtOperations {
  return {
    async createJwt(tenant, { algorithm, jwksDomain, payload, validity, useStaticSigningKey = true }) {
      if (algorithm.toUpperCase() !== 'RS256') return { status: 'UNSUPPORTED_ALGORITHM_ERROR' };
      const key = await keys.signing(tenant, useStaticSigningKey);
      const iat = Math.floor(now() / 1000);
      const claims = { iss: jwksDomain, ...payload, iat, exp: iat + validity };
      return { status: 'OK', jwt: await signJwt(key, claims) };
    },

    listKeys: (tenant) => keys.list(tenant),
  };
}
