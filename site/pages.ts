/** The pages of the documentation, as the repository contains them. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('..', import.meta.url));

export interface Page {
  /** From the repository's root: `docs/start.md`. */
  readonly file: string;
  readonly text: string;
}

/** README.md and all of docs/, in the order of their names. */
export function readPages(): readonly Page[] {
  const found = readdirSync(path.join(root, 'docs'), { recursive: true, encoding: 'utf8' });
  const files = found.filter((file) => file.endsWith('.md')).map((file) => `docs/${file}`);
  return ['README.md', ...files.sort()].map((file) => ({ file, text: readPage(file) }));
}

export function readPage(file: string): string {
  return readFileSync(path.join(root, file), 'utf8');
}
