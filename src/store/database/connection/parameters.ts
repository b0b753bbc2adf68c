import { StartupError } from '../../../process/startup-error.ts';

/** Removes a parameter of a connection URI. Of several of one name the last counts, as in libpq. */
export function take(parameters: URLSearchParams, name: string): string | undefined {
  const value = parameters.getAll(name).at(-1);
  parameters.delete(name);
  return value;
}

/** @param what wrong, and the cure; never a value that may be secret */
export function refused(name: string, what: string, cause?: unknown): StartupError {
  return new StartupError(`postgresql_connection_uri: ${name} ${what}`, { cause });
}
