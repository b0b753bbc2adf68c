import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'yaml';
import { CommandError, fileError } from '../command-error.ts';
import { printable } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** @param field the option that names the file @throws CommandError unless it has names and values */
export async function readYaml(
  file: string,
  field: string,
  { folder }: Pick<Surroundings, 'folder'>,
): Promise<Fields> {
  const text = await readFile(path.resolve(folder, file), 'utf8').catch((error: unknown) => {
    throw fileError(file, error);
  });
  return yamlOf(text, file, field);
}

/** As readYaml. */
export function yamlOf(text: string, file: string, field: string): Fields {
  const value = parsed(text, file, field);
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return { ...value };
  throw new CommandError(`${file}: has no names and values, such as 'name: value'`, { field });
}

function parsed(text: string, file: string, field: string): unknown {
  try {
    return parse(text) as unknown;
  } catch {
    // The cause is left out: it quotes the text, which may be a secret.
    throw new CommandError(`${printable(file)}: is no YAML: correct it, or check it with another program`, {
      field,
    });
  }
}
