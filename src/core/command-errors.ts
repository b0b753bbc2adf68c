import { Refusal } from '../domain/errors.ts';
import { reasonOf } from '../process/log.ts';
import { StartupError } from '../process/startup-error.ts';
import { adviceOnStart, unusable } from '../database/connection/advice.ts';
import { isOfServer } from '../database/driver.ts';
import { isDiskFull, isRefusedConnection } from '../database/sqlstate.ts';

/** A command reports at once what a core would retry. */
export function explained(error: unknown): unknown {
  if (!(error instanceof Refusal)) return isOfServer(error) ? unusable(error) : error;
  if (isRefusedConnection(error.cause)) return unusable(error.cause);
  if (isDiskFull(error)) return new StartupError(error.message, { cause: error });
  const reason = reasonOf(error.cause ?? error);
  if (error.code === 'OUTCOME_UNKNOWN')
    return new StartupError(`The connection to the database was lost: ${reason}. Run the command again`, {
      cause: error,
    });
  return new StartupError(`The database cannot be reached: ${reason}. ${adviceOnStart(error.cause)}`, {
    cause: error,
  });
}
