import type { SessionSource } from '../../domain/model.ts';
import { CarryRefused } from './refused.ts';

/** A token of an old system that was found genuine. Times in ms since the epoch. */
export interface OpenedToken {
  readonly userId: string;
  /** What makes it one token, however it is written: what was signed or sealed, not its encoding. */
  readonly fingerprint: string | Uint8Array;
  readonly issuedAt: number | undefined;
  /** false where `issuedAt` is only a time by which it had been. */
  readonly isIssueKnown?: boolean;
  readonly expiresAt: number | undefined;
  /** When the user signed in there. */
  readonly authTime: number | undefined;
  /** How the user signed in: RFC 8176, or the system's own values. */
  readonly amr: readonly string[] | undefined;
}

export type TimeRules = Pick<SessionSource, 'maxAgeMs' | 'acceptsExpired' | 'acceptsUndated' | 'skewMs'>;

/**
 * Fails closed: a token without a time counts as too old.
 * @throws CarryRefused
 */
export function requireInTime({ issuedAt, expiresAt }: OpenedToken, rules: TimeRules, now: number): void {
  if (issuedAt === undefined && !rules.acceptsUndated) throw new CarryRefused('undated');
  if (issuedAt !== undefined && issuedAt > now + rules.skewMs) throw new CarryRefused('issued-in-future');
  if (issuedAt !== undefined && issuedAt + rules.maxAgeMs <= now) throw new CarryRefused('too-old');
  const hasExpired = expiresAt !== undefined && expiresAt + rules.skewMs <= now;
  // Only its end bounds the age of a token without the time of its issue.
  const isBounded = rules.acceptsExpired && issuedAt !== undefined;
  if (hasExpired && !isBounded) throw new CarryRefused('expired');
}

/** A time before the token was issued, however far the old system's clock is off; 0 when that is unknown. */
export function earliestIssue(
  { issuedAt, authTime, isIssueKnown = true }: OpenedToken,
  { skewMs }: Pick<TimeRules, 'skewMs'>,
): number {
  if (issuedAt === undefined || !isIssueKnown) return 0;
  return Math.max(0, Math.min(issuedAt, authTime ?? issuedAt) - skewMs);
}

/** Reads the old system's id of a user, a text or a number. @throws CarryRefused */
export function userIdOf(value: unknown): string {
  const id = typeof value === 'number' && Number.isSafeInteger(value) ? String(value) : value;
  if (typeof id !== 'string' || id === '' || id.length > 128 || id.includes('\0'))
    throw new CarryRefused('no-user-id');
  return id;
}
