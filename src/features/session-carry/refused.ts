/** Reasons for refusing tokens of old systems: exact ones for the log and metrics, and those that callers get. */
const reasons = {
  'source-closed': 'SOURCE_CLOSED',
  'not-a-token': 'INVALID_TOKEN',
  algorithm: 'INVALID_TOKEN',
  critical: 'INVALID_TOKEN',
  'unknown-key': 'INVALID_TOKEN',
  signature: 'INVALID_TOKEN',
  issuer: 'INVALID_TOKEN',
  audience: 'INVALID_TOKEN',
  'not-yet-valid': 'INVALID_TOKEN',
  'issued-in-future': 'INVALID_TOKEN',
  'malformed-time': 'INVALID_TOKEN',
  undated: 'INVALID_TOKEN',
  'no-user-id': 'INVALID_TOKEN',
  'not-of-a-session': 'INVALID_TOKEN',
  'unknown-token': 'INVALID_TOKEN',
  expired: 'EXPIRED',
  'too-old': 'EXPIRED',
  used: 'USED',
  'unknown-user': 'NOT_ALLOWED',
  'other-tenant': 'NOT_ALLOWED',
  restricted: 'NOT_ALLOWED',
  revoked: 'NOT_ALLOWED',
} as const;

export type CarryReason = keyof typeof reasons;

/** The reason that callers get: enough to show the right page, too little to help to forge a token. */
export type ShownReason = (typeof reasons)[CarryReason];

export function shownReason(reason: CarryReason): ShownReason {
  return reasons[reason];
}

/** A token that is not exchanged. */
export class CarryRefused extends Error {
  override readonly name = 'CarryRefused';
  readonly reason: CarryReason;

  constructor(reason: CarryReason) {
    const { stackTraceLimit } = Error;
    Error.stackTraceLimit = 0;
    super(reason);
    Error.stackTraceLimit = stackTraceLimit;
    this.reason = reason;
  }
}
