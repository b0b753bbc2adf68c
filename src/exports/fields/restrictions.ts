/** Names of columns by which apps block a user, in tables that they extend themselves. */

import { guards, type Values } from './declare.ts';
import { type Disabled, disabledIf, disabledUntil } from './disabled.ts';

/** Each column separately: an absent one must not hide another that is set. */
export const restrictionFields = {
  disabled: guards.evidence('disabled'),
  isDisabled: guards.evidence('is_disabled'),
  disabledAt: guards.evidence('disabled_at'),
  banned: guards.evidence('banned'),
  isBanned: guards.evidence('is_banned'),
  bannedAt: guards.evidence('banned_at'),
  blocked: guards.evidence('blocked'),
  isBlocked: guards.evidence('is_blocked'),
  blockedAt: guards.evidence('blocked_at'),
  suspended: guards.evidence('suspended'),
  isSuspended: guards.evidence('is_suspended'),
  suspendedAt: guards.evidence('suspended_at'),
  deactivated: guards.evidence('deactivated'),
  isDeactivated: guards.evidence('is_deactivated'),
  deactivatedAt: guards.evidence('deactivated_at'),
  bannedUntil: guards.until('banned_until'),
  blockedUntil: guards.until('blocked_until'),
  suspendedUntil: guards.until('suspended_until'),
  active: guards.flag('active'),
  isActive: guards.flag('is_active'),
  enabled: guards.flag('enabled'),
  isEnabled: guards.flag('is_enabled'),
  approved: guards.flag('approved'),
  isApproved: guards.flag('is_approved'),
  status: guards.state('status', 'account_status', 'user_status'),
  state: guards.state('state', 'account_state', 'user_state'),
} as const;

/** The row exists, but the user is deleted. */
export const deletionFields = {
  deletedAt: guards.evidence('deleted_at'),
  deleted: guards.evidence('deleted'),
  isDeleted: guards.evidence('is_deleted'),
} as const;

/** Whether a user is blocked now, and until when; undefined if no column is present. */
export function isRestricted(values: Values<typeof restrictionFields>, now = Date.now()): Disabled {
  const { active, isActive, enabled, isEnabled, approved, isApproved } = values;
  const { bannedUntil, blockedUntil, suspendedUntil } = values;
  const allowing = [active, isActive, enabled, isEnabled, approved, isApproved];
  const ends = [bannedUntil, blockedUntil, suspendedUntil];
  const said = [
    values.disabled,
    values.isDisabled,
    values.disabledAt,
    values.banned,
    values.isBanned,
    values.bannedAt,
    values.blocked,
    values.isBlocked,
    values.blockedAt,
    values.suspended,
    values.isSuspended,
    values.suspendedAt,
    values.deactivated,
    values.isDeactivated,
    values.deactivatedAt,
    values.status,
    values.state,
    ...allowing.map((may) => (may === undefined ? may : !may)),
    ...ends.map((until) => disabledUntil(until, now)),
  ];
  return disabledIf(...said);
}

/** How a source marks the user as deleted, for people; undefined if it does not. */
export function deletionOf(values: Values<typeof deletionFields>): string | undefined {
  if (values.deletedAt === true) return 'deleted_at is set';
  return values.deleted === true || values.isDeleted === true ? 'deleted is set' : undefined;
}
