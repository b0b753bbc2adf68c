import { writeSync } from 'node:fs';
import { pino } from 'pino';
import type { DestinationStream, LevelWithSilent, Logger } from 'pino';

export type { Logger };

/** Fields whose values never reach the log, at the top level of a line or the two below it. */
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

/** Data of an error; `code` is an SQLSTATE or a code of the system. */
interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code: unknown;
  readonly query: unknown;
  readonly cause: unknown;
}

/**
 * A structured log: one JSON object a line, with an ISO time.
 * @param options.stream default: standard output, written line by line, so that no line is lost when the process ends
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

/** Lists the fields to log instead of copying all: parameters, `detail` and `where` of an SQL error hold users' data. */
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

/** Wait for a slow reader, such as a full pipe. */
const retryMs = 20;

/**
 * Writes each line before it returns. A line that cannot be written (full disk, closed pipe) is dropped, since logging must not
 * fail a sign-in; the next line written is preceded by the number of dropped ones.
 * @param write as `fs.writeSync`: returns the bytes written
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
      // Begins with a line end, because the last line may be incomplete.
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

/** The reason of an error for the log; for several addresses that were tried, the reason of each. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ');
  return error instanceof Error && error.message !== '' ? error.message : String(error);
}
