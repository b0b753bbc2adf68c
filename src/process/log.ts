import { writeSync } from 'node:fs';
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
 *   lost because the process ends.
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
  return pino(settings, options.stream ?? lossyOutput((text) => writeSync(1, text)));
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

/** For a reader that is slow: a pipe that takes nothing now. */
const retryMs = 20;

/**
 * Writes line by line, before it returns. A line that cannot be written (a full disk, a reader that is gone) is lost and counted: a
 * sign-in is worth more. The next line that can be written comes after one that says how many were lost.
 * @param write as `fs.writeSync`: how many bytes were written
 */
export function lossyOutput(write: (text: Buffer) => number): DestinationStream {
  let lost = 0;
  const writeAll = (text: string): boolean => {
    let rest = Buffer.from(text);
    while (rest.length > 0)
      try {
        rest = rest.subarray(write(rest));
      } catch (error) {
        if (!isBusy(error)) return false;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
      }
    return true;
  };
  return {
    write: (line) => {
      // A line end first: what could be written of the last one has none.
      const note = {
        level: 'warn',
        time: new Date().toISOString(),
        lost,
        msg: 'lines of this log were lost',
      };
      if (lost > 0 && writeAll(`\n${JSON.stringify(note)}\n`)) lost = 0;
      if (lost > 0 || !writeAll(line)) lost++;
    },
  };
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EAGAIN';
}

/** What went wrong, for the log: of several addresses that were tried, why each was of no use. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
