import type { Tenant } from '../domain/model.ts';
import type { ConsumeResetTokenInput, CreateResetTokenInput } from '../schema/requests.ts';
import type { OperationsContext } from './operations.ts';
import type { EmailPair } from './ports/ports.ts';
import { hashToken, mayBeOf, newToken } from './tokens.ts';

export interface ResetOperations {
  createResetToken(
    tenant: Tenant,
    input: CreateResetTokenInput,
  ): Promise<{ status: 'OK'; token: string } | { status: 'UNKNOWN_USER_ID_ERROR' }>;
  consumeResetToken(
    tenant: Tenant,
    input: ConsumeResetTokenInput,
  ): Promise<({ status: 'OK' } & EmailPair) | { status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR' }>;
}

export function resetOperations({ stores, now }: OperationsContext): ResetOperations {
  return {
    async createResetToken(tenant, pair) {
      const token = newToken(tenant.appNo);
      const expiresAt = now() + tenant.settings.passwordResetTokenLifetimeMs;
      const known = await stores.resets.createToken({ tenant, pair, tokenHash: hashToken(token), expiresAt });
      return known ? { status: 'OK', token } : { status: 'UNKNOWN_USER_ID_ERROR' };
    },

    async consumeResetToken(tenant, { token }) {
      const isOurs = mayBeOf(token, tenant.appNo);
      const use = { tenant, tokenHash: hashToken(token), now: now() };
      const pair = isOurs ? await stores.resets.consumeToken(use) : undefined;
      return pair ? { status: 'OK', ...pair } : { status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR' };
    },
  };
}
