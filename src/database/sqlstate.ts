import { Refusal } from '../domain/errors.ts';
import { closedAtOnce } from './connection/sockets.ts';

/**
 * Kinds of failure that callers distinguish. Only this file knows the driver's error codes and PostgreSQL's SQLSTATEs (PostgreSQL
 * manual, appendix A).
 */
export type Failure =
  /** The statement's data is invalid (class 22, 23, 54): repeating it does not help, splitting it does. */
  | 'data'
  /** Rolled back for another reason than the data (deadlock, serialization, an outdated plan): repeat it. */
  | 'conflict'
  /** Refused before anything ran (no connection, not admitted, server starting or full), or cancelled. Nothing was written. */
  | 'unavailable'
  /** The connection broke during the statement: it may have been committed. */
  | 'unknown'
  /** A bug or a broken database. */
  | 'other';

/** read_only_sql_transaction: a standby after a failover. */
export const readOnly = '25006';

const unavailable = new Set([
  'CONNECT_TIMEOUT',
  'CONNECTION_ENDED',
  'NO_SUCH_SERVER', // none of several servers accepts writes
  closedAtOnce,
  'ECONNREFUSED',
  'ENOENT', // the socket file of a stopped server
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EAI_AGAIN',
  '53300', // too_many_connections
  '57P03', // cannot_connect_now
  readOnly,
  '53200', // out_of_memory
  '57014', // query_canceled: by pg_cancel_backend, which rolls back the statement
]);

const unknown = new Set([
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  // A session that the server ended by a timeout; the driver may report it for the next statement.
  '25P03', // idle_in_transaction_session_timeout
  '25P04', // transaction_timeout
  '57P05', // idle_session_timeout
]);

const diskFull = '53100';
const diskFullMessage =
  "The database's disk is full, and nothing was written: make room on it, then try again";

export const movingMessage = 'The app is moving to another place: try again in a second';

/** OpenSSL's codes for a certificate from an unknown CA. */
const untrusted = new Set([
  'CERT_UNTRUSTED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_GET_ISSUER_CERT',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
]);

/** Connection faults that settings can fix: see connection/advice.ts. */
export type ConnectionFault =
  'maybe wants TLS' | 'maybe has no TLS' | 'untrusted' | 'other name' | 'pooler without settings';

export function connectionFaultOf(error: unknown): ConnectionFault | undefined {
  const code = codeOf(error);
  const message = error instanceof Error ? error.message : '';
  // invalid_authorization_specification
  if (code === '28000' && message.endsWith('no encryption')) return 'maybe wants TLS';
  if (code === 'ECONNRESET' && message.includes('before secure TLS connection')) return 'maybe has no TLS';
  if (untrusted.has(code)) return 'untrusted';
  // A pooler's message; a server names an unknown setting differently.
  if (code === '08P01' && message.startsWith('unsupported startup parameter'))
    return 'pooler without settings';
  return code === 'ERR_TLS_CERT_ALTNAME_INVALID' ? 'other name' : undefined;
}

/**
 * Classes 28 (authorization) and 3D (no such database), and certificate errors of Node and OpenSSL
 * (https://nodejs.org/api/tls.html#x509-certificate-error-codes).
 */
const refusal =
  /^(28|3D|CERT_|CRL_|DEPTH_ZERO_|ERROR_IN_C|ERR_SSL_|ERR_TLS_|HOSTNAME_|INVALID_CA|INVALID_PURPOSE|PATH_LENGTH_|SELF_SIGNED_|UNABLE_TO_)/;

/** True if the server or its certificate refused the connection: one of them must be changed. */
export function isRefusedConnection(error: unknown): boolean {
  return refusal.test(codeOf(error));
}

/** The code of a driver's, server's or system's error; empty without one, as in refusals. */
export function codeOf(error: unknown): string {
  if (error instanceof Refusal) return '';
  const code: unknown = error instanceof Error && 'code' in error ? error.code : undefined;
  return typeof code === 'string' ? code : '';
}

export function failureOf(error: unknown): Failure {
  const code = codeOf(error);
  if (unknown.has(code) || isLost(code)) return 'unknown';
  if (unavailable.has(code) || isRefusedConnection(error)) return 'unavailable';
  if (code === '40001' || code === '40P01' || isOutdatedPlan(error)) return 'conflict';
  if (/^(22|23|54)/.test(code) || isOfMovingApp(error)) return 'data';
  return 'other';
}

/**
 * A table's columns have changed since the statement was prepared, as when the next version of the core migrates while this one
 * serves. The driver prepares it once more, which does not help a transaction that has failed, and helps its repetition.
 */
function isOutdatedPlan(error: unknown): boolean {
  return (
    codeOf(error) === '0A000' &&
    error instanceof Error &&
    'routine' in error &&
    error.routine === 'RevalidateCachedQuery'
  );
}

/**
 * Class 08 is a broken connection, but 08P01 (protocol violation) is an incompatible server. TLS may fail in the handshake or at
 * any later byte, without a distinction.
 */
function isLost(code: string): boolean {
  return (code.startsWith('08') && code !== '08P01') || code.startsWith('ERR_SSL_');
}

/** The error of refuse_held_app, or the refusal that callers get for it. */
export function isOfMovingApp(error: unknown): boolean {
  return codeOf(error) === '22M01' || (error instanceof Refusal && codeOf(error.cause) === '22M01');
}

/** lock_not_available */
export function isLockTimeout(error: unknown): boolean {
  return codeOf(error) === '55P03';
}

/** True for a write that failed for lack of disk space. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === diskFull || (error instanceof Refusal && codeOf(error.cause) === diskFull);
}

export function isUniqueViolation(error: unknown): boolean {
  return codeOf(error) === '23505';
}

/** insufficient_privilege */
export function isMissingRight(error: unknown): boolean {
  return codeOf(error) === '42501';
}

/** True after a failed statement in the transaction: in_failed_sql_transaction. */
export function isAborted(error: unknown): boolean {
  return codeOf(error) === '25P02';
}

/**
 * The error of a single statement for its caller: a refusal when the database is unreachable, else the error itself.
 * @param writes whether the statement changes data; after a lost connection its outcome is unknown
 */
export function explained(error: unknown, writes: boolean): unknown {
  if (isDiskFull(error)) return new Refusal('DATABASE_UNAVAILABLE', diskFullMessage, { cause: error });
  if (isOfMovingApp(error)) return new Refusal('DATABASE_UNAVAILABLE', movingMessage, { cause: error });
  const failure = failureOf(error);
  if (failure === 'unavailable') return new Refusal('DATABASE_UNAVAILABLE', undefined, { cause: error });
  if (failure !== 'unknown') return error;
  return new Refusal(writes ? 'OUTCOME_UNKNOWN' : 'DATABASE_UNAVAILABLE', undefined, { cause: error });
}
