/** Several files as one import: a folder, a pattern, or names. */

import { stat } from 'node:fs/promises';
import path from 'node:path';
import type { Provider } from '../../../exports/providers/provider.ts';
import type { Reading } from '../../../exports/readers/reading.ts';
import { CommandError } from '../../command-error.ts';
import { plural, printable } from '../../output/format.ts';
import type { Output, Surroundings } from '../../surroundings.ts';
import { chooseFiles, isNoUsersByName } from './choose.ts';
import { areSeveral, expandFiles } from './expand.ts';
import { isUnchanged, type KnownFile } from './known-file.ts';

/** Stored for several files, so that the same ones are read when the import continues later. */
export interface Several {
  readonly given: readonly string[];
  /** The folder in which they were given. */
  readonly folder: string;
  /** After the first, in their order. */
  readonly more: readonly KnownFile[];
  /** Absolute; includes files that other flags name. */
  readonly passedOver: readonly string[];
}

export interface FoundSeveral {
  readonly provider: Provider;
  /** The first. */
  readonly file: KnownFile;
  readonly several: Several;
  /** Given files with a further table, by its name. */
  readonly further: Readonly<Record<string, KnownFile>>;
}

/** How the files are to be read. */
export interface Asked {
  readonly named: Provider | undefined;
  readonly reading: Reading | undefined;
  /** All options of the command: a file named by a flag is not a file of users. */
  readonly options: Readonly<Record<string, unknown>>;
}

/**
 * Finds the files and their system, and reports which are skipped. undefined if one file was named.
 * @throws CommandError
 */
export async function findSeveral(
  given: readonly string[],
  { named, reading, options }: Asked,
  { folder, stderr }: Surroundings,
): Promise<FoundSeveral | undefined> {
  if (!(await areSeveral(given, folder))) return undefined;
  const expanded = await expandFiles(given, folder);
  const otherwise = namedByFlags(options, folder);
  const isOther = (file: string): boolean => otherwise.has(file);
  const candidates = expanded.files.filter((file) => !isOther(file));
  if (candidates.length === 0) throw new CommandError(`${given.join(' ')}: holds no file of users`);
  const { provider, alternatives, files, further, passedOver } = await chooseFiles(
    candidates,
    named,
    reading,
  );
  notePassedOver('they hold no users', passedOver, stderr);
  notePassedOver('they are folders', expanded.folders, stderr);
  notePassedOver('another flag names them', expanded.files.filter(isOther), stderr);
  const doubt = alternatives.map(({ name }) => name).join(' or ');
  stderr.write(
    `Reading ${plural(files.length, 'file')} as ${provider.name} (${provider.title})${doubt === '' ? '' : `; if they are ${doubt}, say so with --from`}\n`,
  );
  for (const [table, known] of Object.entries(further))
    stderr.write(`Reading ${printable(path.basename(known.path))} as its table ${table}\n`);
  const [first, ...more] = files;
  const others = [...expanded.files.filter(isOther), ...Object.values(further).map((known) => known.path)];
  return {
    provider,
    file: first,
    further,
    several: {
      given,
      folder,
      more,
      passedOver: [...passedOver, ...others],
    },
  };
}

function namedByFlags(options: Asked['options'], folder: string): ReadonlySet<string> {
  const texts = Object.values(options).filter((value) => typeof value === 'string');
  return new Set(texts.map((text) => path.resolve(folder, text)));
}

const namesShown = 5;

function notePassedOver(why: string, files: readonly string[], stderr: Output): void {
  if (files.length === 0) return;
  const names = files.slice(0, namesShown).map((file) => printable(path.basename(file)));
  const others = files.length > namesShown ? ` and ${files.length - namesShown} more` : '';
  stderr.write(`Passed over, as ${why}: ${names.join(', ')}${others}\n`);
}

/**
 * The order and the bytes of an upload depend on all of the files.
 * @throws CommandError which states what has changed since the import began
 */
export async function requireSameFiles(
  first: KnownFile,
  { given, folder, more, passedOver }: Several,
  rejectsFile: string,
): Promise<void> {
  const known = [first, ...more];
  const before = new Set([...known.map((file) => file.path), ...passedOver, rejectsFile]);
  const now = await filesNow(given, folder);
  const changes: string[] = [];
  for (const file of known) {
    const isThere = (await stat(file.path).catch(() => undefined)) !== undefined;
    if (!isThere) changes.push(`${file.path} is gone`);
    else if (!(await isUnchanged(file))) changes.push(`${file.path} has changed`);
  }
  for (const file of now) if (!before.has(file) && !isNoUsersByName(file)) changes.push(`${file} is new`);
  if (changes.length === 0) return;
  const others = changes.length > namesShown ? `; and ${changes.length - namesShown} more changes` : '';
  throw new CommandError(
    `The files are not those that this import began with: ${changes.slice(0, namesShown).join('; ')}${others}. Make them as they were, or import them again (who is there already counts as unchanged)`,
  );
}

/** The files that the same arguments mean now; none if a folder is empty or gone. */
async function filesNow(given: readonly string[], folder: string): Promise<readonly string[]> {
  const found = await Promise.all(
    given.map((each) => expandFiles([each], folder).catch(() => ({ files: [] as string[] }))),
  );
  return found.flatMap(({ files }) => files);
}
