import { hash, randomBytes } from 'node:crypto';
import type { Tenant } from '../../domain/model.ts';
import type { ConsumeResetTokenInput, CreateResetTokenInput } from '../../schema/requests.ts';
import type { OperationsContext } from '../context.ts';
import type { EmailPair } from '../ports/ports.ts';

/**
 * A token begins with the number of its app, so that its place is known without a look-up: `app-` and eight hexadecimal
 * digits.
 */
const named = /^app-([0-9a-f]{8})/;

/** 87 random bytes are 116 characters of base64url: with the 12 of the name exactly 128. */
const randomPartBytes = 87;

/** @returns a fresh single-use token of this app, URL-safe, 128 characters; only its hash is ever stored */
export function newToken(appNo: number): string {
  const number = appNo.toString(16).padStart(8, '0');
  return `app-${number}${randomBytes(randomPartBytes).toString('base64url')}`;
}

/** Whether the token may be one of this app: it names the app. */
export function mayBeOf(token: string, appNo: number): boolean {
  const digits = named.exec(token)?.[1];
  return digits !== undefined && Number.parseInt(digits, 16) === appNo;
}

/** SHA-256, hexadecimal. No salt is needed: the token itself has 696 random bits. */
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
   * Spends the token and sets the password, both or neither.
   * @param signal aborted when the caller has hung up: before the password is computed, nothing is done then
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
