import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { link, mkdir, open, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { StartupError } from './startup-error.ts';

const secretBytes = 32;

export interface SecretFile {
  /** 43 URL-safe characters if this call made it. */
  readonly secret: string;
  readonly created: boolean;
}

/**
 * Reads a secret from a file, or makes one of 256 random bits with mode 0600, synced before this returns. Processes that start
 * together get the same secret: a hard link publishes the finished file, or fails.
 * @throws StartupError when the file is empty; errors of the file system unchanged
 */
export async function ensureSecretFile(file: string): Promise<SecretFile> {
  const existing = await readSecret(file);
  if (existing !== undefined) return { secret: existing, created: false };
  await mkdir(path.dirname(file), { recursive: true, mode: 0o700 });
  const made = randomBytes(secretBytes).toString('base64url');
  if (await createOnce(file, made)) return { secret: made, created: true };
  return { secret: (await readSecret(file)) ?? made, created: false };
}

async function readSecret(file: string): Promise<string | undefined> {
  const text = await readFile(file, 'utf8').catch(unlessCode('ENOENT'));
  if (text?.trim() === '')
    throw new StartupError(`${file}: is empty: remove it, and the next start makes a new one`);
  return text?.trim();
}

/**
 * The content is complete and synced when the name appears.
 * @returns false when the name exists already
 */
export async function createOnce(file: string, content: string): Promise<boolean> {
  const draft = `${file}.${randomBytes(6).toString('hex')}`;
  try {
    await writeSynced(draft, content);
    await link(draft, file);
    return true;
  } catch (error) {
    unlessCode('EEXIST')(error);
    return false;
  } finally {
    await rm(draft, { force: true });
  }
}

async function writeSynced(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(`${content}\n`);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** @returns a rejection handler that ignores one code of the system and rethrows the rest. */
export function unlessCode(code: string): (error: unknown) => undefined {
  return (error) => {
    if (error instanceof Error && 'code' in error && error.code === code) return undefined;
    throw error;
  };
}

/**
 * The value of an environment variable, or of the file that `<NAME>_FILE` names, as Docker and Kubernetes provide secrets. One
 * trailing line end is dropped. Empty variables count as not set.
 * @throws StartupError, without the value, when both are set, or the file cannot be read or is empty
 */
export function secretFrom(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const [text, file] = [environment[name] ?? '', environment[`${name}_FILE`] ?? ''];
  if (file === '') return text === '' ? undefined : text;
  if (text !== '') throw new StartupError(`${name} and ${name}_FILE are both set: set only one of them`);
  const content = readNamed(`${name}_FILE`, file).replace(/\r?\n$/, '');
  if (content === '') throw new StartupError(`${name}_FILE: ${file} is empty: write the secret into it`);
  return content;
}

/** Reads the secrets of `<field>_env` and `<field>_file`. @throws StartupError without the value */
export function namedSecret(environment: Readonly<Record<string, string | undefined>>) {
  const present = (where: string, what: string, value: string): string => {
    const text = value.replace(/\r?\n$/, '');
    if (text === '') throw new StartupError(`${where}: ${what} is empty: put the secret there`);
    return text;
  };
  return {
    env: (where: string, name: string) => present(where, `the variable ${name}`, environment[name] ?? ''),
    file: (where: string, file: string) => present(where, file, readNamed(where, file)),
  };
}

function readNamed(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new StartupError(`${name}: ${file} cannot be read (${code}): check the path and its permissions`, {
      cause: error,
    });
  }
}
