/**
 * Writes the files that are generated from the tables and schemas in the code: `npm run generate`. With `--check` it only reports
 * whether the committed files are up to date.
 */
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { columnsPage } from './columns.ts';
import { errorsPage } from './errors.ts';
import { pagesWithFacts } from './facts.ts';
import { httpPage } from './http.ts';
import { configFile, settingsPage } from './settings.ts';
import { validatorsText } from './validators.ts';

const root = path.resolve(import.meta.dirname, '..');

/** Every generated file, and the function that generates its text. */
export const generated: Readonly<Record<string, () => string>> = {
  'src/schema/validators.generated.cjs': validatorsText,
  'config.yaml': configFile,
  'docs/reference/settings.md': settingsPage,
  'docs/reference/columns.md': columnsPage,
  'docs/reference/errors.md': errorsPage,
  'docs/reference/http.md': httpPage,
  ...pagesWithFacts,
};

/** @returns the generated files in `folder` that are outdated or missing. */
export async function staleFiles(folder = root): Promise<string[]> {
  const checked = Object.entries(generated).map(async ([file, make]) => {
    const text = await readFile(path.join(folder, file), 'utf8').catch(() => undefined);
    return text === make() ? [] : [file];
  });
  return (await Promise.all(checked)).flat();
}

async function writeAll(): Promise<void> {
  for (const [file, make] of Object.entries(generated)) {
    await mkdir(path.dirname(path.join(root, file)), { recursive: true });
    await writeFile(path.join(root, file), make());
  }
}

async function check(): Promise<void> {
  const stale = await staleFiles();
  if (stale.length === 0) return;
  process.stderr.write(`${stale.join(', ')}: stale: run "npm run generate" and commit the result\n`);
  process.exitCode = 1;
}

if (import.meta.main) await (process.argv.includes('--check') ? check() : writeAll());
