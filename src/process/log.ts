import { pino } from 'pino';
import type { DestinationStream, LevelWithSilent, Logger } from 'pino';

export type { Logger };

/** Field names whose values never reach the log, at the top of a line or one level or two below it. */
const secretFields = [
  'password',
  'passwordHash',
  'password_hash',
  'plainTextPassword',
  'token',
  'apiKey',
  'apiKeys',
  'api-key',
  'authorization',
  'signerKey',
  'provider_password_hashing_signer_key',
  'firebase_password_hashing_signer_key',
  'pepper',
  'bcrypt_pepper',
  'secretKey',
  'postgresqlConnectionUri',
];
const nesting = ['', '*.', '*.*.'];
const maxCauses = 5;

/** Plain data of an error; `code` is an SQLSTATE or a code of the system. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: unknown;
  readonly query: unknown;
  readonly cause: unknown;
}

/**
 * A structured log: one JSON object a line, with an ISO time and no process or host noise.
 * @param options.stream where lines go; standard output when left out, line by line: few are written, and none may be
 *   lost when the process ends.
 */
export function createLogger(options: {
  readonly level: LevelWithSilent;
  readonly stream?: DestinationStream;
}): Logger {
  const settings = {
    level: options.level,
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: secretFields.flatMap(redactPaths), censor: '***' },
    serializers: { err: serializeError, error: serializeError },
  };
  return pino(settings, options.stream ?? pino.destination({ dest: 1, sync: true }));
}

function redactPaths(field: string): string[] {
  return nesting.map((above) =>
    field.includes('-') ? `${above.replace(/\.$/, '')}["${field}"]` : `${above}${field}`,
  );
}

/**
 * Keeps what finds a fault and drops what could be a user's: an SQL error carries its parameters and, in `detail`
 * and `where`, the row's values. So fields are listed here, never copied.
 */
function serializeError(error: unknown, depth = 0): unknown {
  if (!(error instanceof Error)) return error;
  const fields: Error & Partial<Record<'code' | 'query', unknown>> = error;
  return {
    type: error.name,
    message: error.message,
    stack: error.stack,
    code: fields.code,
    query: fields.query,
    cause:
      depth < maxCauses && error.cause instanceof Error ? serializeError(error.cause, depth + 1) : undefined,
  } satisfies LoggedError;
}

/** What went wrong, for the log: of several addresses that were tried, why each was of no use. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
