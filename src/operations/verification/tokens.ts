import { hash, randomBytes } from 'node:crypto';
import type { Tenant } from '../../domain/model.ts';
import type { ConsumeResetTokenInput, CreateResetTokenInput } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { EmailPair } from '../ports/ports.ts';

/**
 * A token begins with `app-` and its app's number in eight hexadecimal digits, so its place is known without a look-up.
 */
const named = /^app-([0-9a-f]{8})/;

/** 87 random bytes are 116 characters of base64url; with the 12 of the prefix exactly 128. */
const randomPartBytes = 87;

/** @returns a new single-use token of the app, URL-safe, 128 characters; only its hash is stored */
export function newToken(appNo: number): string {
  const number = appNo.toString(16).padStart(8, '0');
  return `app-${number}${randomBytes(randomPartBytes).toString('base64url')}`;
}

/** @returns whether the token names this app */
export function mayBeOf(token: string, appNo: number): boolean {
  const digits = named.exec(token)?.[1];
  return digits !== undefined && Number.parseInt(digits, 16) === appNo;
}

/** SHA-256, hexadecimal; without a salt, because a token has 696 random bits. */
export function hashToken(token: string): string {
  return hash('sha256', token, 'hex');
}

export interface ResetOperations {
  createResetToken(
    tenant: Tenant,
    input: CreateResetTokenInput,
  ): Promise<{ status: 'OK'; token: string } | { status: 'UNKNOWN_USER_ID_ERROR' }>;
  consumeResetToken(
    tenant: Tenant,
    input: ConsumeResetTokenInput,
  ): Promise<({ status: 'OK' } & EmailPair) | InvalidToken>;
  /**
   * Redeems the token and sets the password, in one transaction.
   * @param signal aborted when the caller hangs up; nothing is done if the password is not computed yet
   */
  resetPassword(
    tenant: Tenant,
    input: { readonly token: string; readonly newPassword: string },
    signal?: AbortSignal,
  ): Promise<{ status: 'OK'; userId: string } | InvalidToken>;
}

interface InvalidToken {
  readonly status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR';
}

const invalidToken: InvalidToken = { status: 'RESET_PASSWORD_INVALID_TOKEN_ERROR' };

export function resetOperations({ stores, now, hasher }: OperationsContext): ResetOperations {
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
      return pair ? { status: 'OK', ...pair } : invalidToken;
    },

    async resetPassword(tenant, { token, newPassword }, signal) {
      const { appNo, settings } = tenant;
      if (!mayBeOf(token, appNo)) return invalidToken;
      const passwordHash = await hasher.hash(newPassword, { signal, party: appNo });
      const userId = await stores.resets.resetPassword({
        tenant,
        tokenHash: hashToken(token),
        now: now(),
        passwordHash,
        endsSessions: settings.endSessionsOnPasswordChange,
      });
      return userId === undefined ? invalidToken : { status: 'OK', userId };
    },
  };
}
