import type { Tenant } from '../../domain/model.ts';
import type {
  CreateVerificationTokenInput,
  RedeemVerificationTokenInput,
  VerificationPairInput,
  VerificationQuery,
} from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { EmailPair } from '../ports/ports.ts';
import { hashToken, mayBeOf, newToken } from './tokens.ts';

export interface VerificationOperations {
  createToken(
    tenant: Tenant,
    input: CreateVerificationTokenInput,
  ): Promise<{ status: 'OK'; token: string } | { status: 'EMAIL_ALREADY_VERIFIED_ERROR' }>;
  redeem(
    tenant: Tenant,
    input: RedeemVerificationTokenInput,
  ): Promise<({ status: 'OK' } & EmailPair) | { status: 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR' }>;
  isVerified(tenant: Tenant, query: VerificationQuery): Promise<{ status: 'OK'; isVerified: boolean }>;
  unverify(tenant: Tenant, input: VerificationPairInput): Promise<{ status: 'OK' }>;
  removeTokens(tenant: Tenant, input: VerificationPairInput): Promise<{ status: 'OK' }>;
}

export function verificationOperations({ stores, now }: OperationsContext): VerificationOperations {
  const { verification } = stores;
  return {
    async createToken(tenant, pair) {
      const token = newToken(tenant.appNo);
      const expiresAt = now() + tenant.settings.emailVerificationTokenLifetimeMs;
      const outcome = await verification.createToken({
        tenant,
        pair,
        tokenHash: hashToken(token),
        expiresAt,
      });
      return outcome === 'created' ? { status: 'OK', token } : { status: 'EMAIL_ALREADY_VERIFIED_ERROR' };
    },

    async redeem(tenant, { token }) {
      const isOurs = mayBeOf(token, tenant.appNo);
      const use = { tenant, tokenHash: hashToken(token), now: now() };
      const pair = isOurs ? await verification.redeemToken(use) : undefined;
      return pair ? { status: 'OK', ...pair } : { status: 'EMAIL_VERIFICATION_INVALID_TOKEN_ERROR' };
    },

    async isVerified({ appNo }, pair) {
      return { status: 'OK', isVerified: await verification.isVerified(appNo, pair) };
    },

    async unverify({ appNo }, pair) {
      await verification.setVerified(appNo, pair, false);
      return { status: 'OK' };
    },

    async removeTokens(tenant, pair) {
      await verification.removeTokens(tenant, pair);
      return { status: 'OK' };
    },
  };
}
