import { readFileSync } from 'node:fs';
import { StartupError } from './startup-error.ts';

/**
 * The value of an environment variable, or of the file that `<NAME>_FILE` names, as Docker and Kubernetes give secrets. One
 * line end behind it is dropped. Empty variables count as not set.
 * @throws StartupError when both are set, or the file cannot be read or is empty; never with the value
 */
export function secretFrom(
  environment: Readonly<Record<string, string | undefined>>,
  name: string,
): string | undefined {
  const [text, file] = [environment[name] ?? '', environment[`${name}_FILE`] ?? ''];
  if (file === '') return text === '' ? undefined : text;
  if (text !== '') throw new StartupError(`${name} and ${name}_FILE are both set: set only one of them`);
  const content = read(name, file).replace(/\r?\n$/, '');
  if (content === '') throw new StartupError(`${name}_FILE: ${file} is empty: write the secret into it`);
  return content;
}

function read(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unreadable';
    throw new StartupError(
      `${name}_FILE: ${file} cannot be read (${code}): check the path, and who may read it`,
      { cause: error },
    );
  }
}
