import { secretFrom } from '../../process/secret-file.ts';
import { StartupError } from '../../process/startup-error.ts';
import { type DialectOption, dialects } from './dialects.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/**
 * Replaces `<field>_env` and `<field>_file` by the secret, for `ca` as well. For the core's own settings only: a caller who
 * configures a tenant must not read the core's environment or files.
 * @param raw anything; a value that is not a list is returned unchanged and refused later
 * @throws StartupError when one is missing, unreadable or given twice; never with a value
 */
export function withSecrets(raw: unknown, environment: Environment): unknown {
  if (!Array.isArray(raw)) return raw;
  return raw.map((each: unknown) =>
    typeof each === 'object' && each !== null && !Array.isArray(each)
      ? sourceWithSecrets(each as Readonly<Record<string, unknown>>, environment)
      : each,
  );
}

function sourceWithSecrets(written: Readonly<Record<string, unknown>>, environment: Environment): unknown {
  const secrets = secretsOf(written.speaks);
  const found = secrets.map((key) => [key, secretOf(key, written, environment)] as const);
  const elsewhere = secrets.flatMap((key) => [`${key}_env`, `${key}_file`]);
  const kept = Object.entries(written).filter(([key]) => !elsewhere.includes(key));
  return {
    ...Object.fromEntries(kept),
    ...Object.fromEntries(found.filter(([, value]) => value !== undefined)),
  };
}

function secretOf(
  key: string,
  written: Readonly<Record<string, unknown>>,
  environment: Environment,
): unknown {
  const { [key]: own, [`${key}_env`]: variable, [`${key}_file`]: file } = written;
  if ([own, variable, file].filter((each) => each !== undefined).length > 1)
    throw new StartupError(`legacy_sources: '${key}' is given twice: give it once, or by _env, or by _file`);
  if (variable !== undefined) return fromVariable(key, variable, environment);
  return file === undefined ? own : fromFile(key, file);
}

function secretsOf(speaks: unknown): string[] {
  const known: Readonly<Record<string, { readonly options: Readonly<Record<string, DialectOption>> }>> =
    dialects;
  const options =
    typeof speaks === 'string' && Object.hasOwn(known, speaks) ? (known[speaks]?.options ?? {}) : {};
  return [...Object.keys(options).filter((key) => options[key]?.isSecret === true), 'ca'];
}

function fromVariable(key: string, variable: unknown, environment: Environment): string {
  const value = typeof variable === 'string' ? environment[variable] : undefined;
  if (value !== undefined && value !== '') return value;
  throw new StartupError(
    `legacy_sources: '${key}_env' names a variable that is not set: set it, or name another`,
  );
}

function fromFile(key: string, file: unknown): string | undefined {
  if (typeof file !== 'string')
    throw new StartupError(`legacy_sources: '${key}_file' must be the path of a file`);
  return secretFrom({ [`${key}_FILE`]: file }, key);
}
