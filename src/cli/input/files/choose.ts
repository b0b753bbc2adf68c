/** Finds the files of users among several, and their system: all are of one system, and files without users are skipped. */

import path from 'node:path';
import { lookAt, type LookedAt } from '../../../exports/convert/convert.ts';
import { ExportFault, NeedsChoice, type Provider } from '../../../exports/providers/provider.ts';
import type { Reading } from '../../../exports/readers/reading.ts';
import { CommandError } from '../../command-error.ts';
import { plural, printable } from '../../output/format.ts';
import { foundFile, type KnownFile } from './known-file.ts';

export interface Chosen {
  readonly provider: Provider;
  /** Other providers that all of the files may be of. */
  readonly alternatives: readonly Provider[];
  readonly files: readonly [KnownFile, ...KnownFile[]];
  /** Files of further tables of the same provider, by the names of the tables. */
  readonly further: Readonly<Record<string, KnownFile>>;
  /** Absolute. */
  readonly passedOver: readonly string[];
}

/** Names of files that do not contain exported users. */
const documents =
  /^\.|^(readme|license|licence|notice|changelog)\b|^(thumbs\.db|desktop\.ini)$|\.(md|html?|pdf|log|sha\d*|sha\d+sums?|md5|asc|sig|sh|ya?ml|toml)$/i;

/** Written by earlier imports, into the folder in which they ran. */
const formerRejects = /^carryover-rejects.*\.ndjson$/;

/** Whether a name shows that a file has no users. */
export function isNoUsersByName(file: string): boolean {
  const name = path.basename(file);
  return documents.test(name) || formerRejects.test(name);
}

/**
 * @param named the value of --from; undefined: recognised from the files' content
 * @throws CommandError for files of two systems, for data of an unknown format, and if no file has users
 */
export async function chooseFiles(
  candidates: readonly string[],
  named: Provider | undefined,
  reading: Reading | undefined,
): Promise<Chosen> {
  const passedOver: string[] = [];
  const looks: Look[] = [];
  const beside: Look[] = [];
  for (const [file, look] of await lookAtAll(candidates, reading)) {
    if (look === undefined || look.advice !== undefined) passedOver.push(file);
    else if (look.further !== undefined) beside.push(look);
    else {
      requireKnown(look, named);
      looks.push(look);
    }
  }
  const [first, ...more] = looks.map(({ known }) => known);
  if (first === undefined)
    throw new CommandError(withoutUsers([...passedOver, ...beside.map(({ known }) => known.path)]));
  const [provider, ...alternatives] = named === undefined ? commonTo(looks) : [named];
  if (provider === undefined) throw new CommandError(mixed(looks));
  const asLikely = alternatives.filter((each) => surenessOf(each, looks) === surenessOf(provider, looks));
  if (asLikely.length > 0) {
    const others = more.length === 0 ? '' : ` and ${plural(more.length, 'more file')}`;
    throw severalFormats(`${printable(path.basename(first.path))}${others}`, [provider, ...asLikely]);
  }
  if (named !== undefined) requireNoOther(looks, named);
  requireOneRealm(looks);
  return {
    provider,
    alternatives,
    files: [first, ...more],
    further: furtherOf(provider, beside),
    passedOver,
  };
}

/** @throws CommandError for a table of another system, and for two files of one table */
function furtherOf(provider: Provider, looks: readonly Look[]): Record<string, KnownFile> {
  const found: Record<string, KnownFile> = {};
  for (const { known, further } of looks) {
    if (further === undefined) continue;
    const { table } = further;
    if (further.provider !== provider)
      throw new CommandError(
        `${known.path}: is of ${further.provider.name} (${table}), and the users are of ${provider.name}: take it out`,
      );
    const other = found[table];
    if (other !== undefined)
      throw new CommandError(`${other.path} and ${known.path} are both the table ${table}: give one of them`);
    found[table] = known;
  }
  return found;
}

interface Look extends LookedAt {
  readonly known: KnownFile;
}

/** Files examined concurrently: there may be thousands, and most of the time is spent waiting for them. */
const atOnce = 16;

type Looked = readonly [file: string, look: Look | undefined];

/** A file of users, or a possible one, shows what to expect of the others. */
async function lookAtAll(
  candidates: readonly string[],
  reading: Reading | undefined,
): Promise<readonly Looked[]> {
  const looked: Looked[] = [];
  let expected: Provider | undefined;
  for (let from = 0; from < candidates.length; from = looked.length) {
    const group = candidates.slice(from, from + (expected === undefined ? 1 : atOnce));
    looked.push(...(await Promise.all(group.map((file) => lookAtFile(file, reading, expected)))));
    const look = looked.at(-1)?.[1];
    expected ??= look && surest(look);
  }
  return looked;
}

async function lookAtFile(
  file: string,
  reading: Reading | undefined,
  expected: Provider | undefined,
): Promise<Looked> {
  if (isNoUsersByName(file)) return [file, undefined];
  const known = await foundFile(file);
  if (known.bytes === 0) throw new CommandError(`${file}: is empty: export it again, or take it out`);
  const look = await lookAt(file, reading, expected).catch((error: unknown) => {
    if (!(error instanceof ExportFault)) throw error;
    throw new CommandError(error.message.startsWith(file) ? error.message : `${file}: ${error.message}`);
  });
  return [file, { ...look, known }];
}

/** A named format applies to all files, also if they do not show it. */
function requireKnown({ scores, known }: Look, named: Provider | undefined): void {
  if (scores.size > 0 || named !== undefined) return;
  throw new CommandError(
    `${known.path}: its format is not recognised: take it out, name only the files of users, or say what all of them are with --from. A file of hashes or identities goes with the users by a flag that 'carryover providers' lists`,
  );
}

/** The providers that every file may be of, the surest first. */
function commonTo(looks: readonly Look[]): Provider[] {
  const [first, ...others] = looks.map(({ scores }) => scores);
  const common = [...(first?.keys() ?? [])].filter((each) => others.every((scores) => scores.has(each)));
  return common.sort((one, other) => surenessOf(other, looks) - surenessOf(one, looks));
}

function surenessOf(provider: Provider, looks: readonly Look[]): number {
  return looks.reduce((sum, { scores }) => sum + (scores.get(provider) ?? 0), 0);
}

/** Only a person can choose between several formats. @param shown the file, or the files */
export function severalFormats(shown: string, formats: readonly Provider[]): CommandError {
  const names = formats.map(({ title }) => title).join(' and ');
  const choices = formats.map(({ name, title }) => ({
    flags: ['--from', name],
    reason: `reads it as ${title}`,
  }));
  const cause = new NeedsChoice(`${shown}: the columns are as much those of ${names}`, choices);
  const cure = `say which with --from ${formats.map(({ name }) => name).join(' or ')}`;
  return new CommandError(cause.message, { cause, code: 'AMBIGUOUS_FORMAT', field: '--from', cure });
}

/** Users of two systems need two jobs: their flags differ, and an undo rolls back one of them. */
function mixed(looks: readonly Look[]): string {
  const [first] = looks;
  const own = first && surest(first);
  const other = looks.find(({ scores }) => own !== undefined && !scores.has(own));
  if (first === undefined || own === undefined || other === undefined)
    return 'The files are of several systems';
  return twoSystems(first, own, other);
}

function requireNoOther(looks: readonly Look[], named: Provider): void {
  const other = looks.find(({ scores }) => scores.size > 0 && !scores.has(named));
  const own = looks.find(({ scores }) => scores.has(named));
  if (own && other) throw new CommandError(twoSystems(own, named, other));
}

function twoSystems(first: Look, own: Provider, other: Look): string {
  const name = surest(other)?.name ?? '';
  return `These files are of two systems: ${first.known.path} is of ${own.name}, ${other.known.path} of ${name}. Import the files of each by themselves`;
}

/** Administrators of the old system would become users of the app. */
function requireOneRealm(looks: readonly Look[]): void {
  const [first, ...others] = looks.filter(({ realm }) => realm !== undefined);
  const other = others.find(({ realm }) => realm !== first?.realm);
  if (first === undefined || other === undefined) return;
  const [one, two] = [first, other].map(({ realm = '' }) => printable(realm));
  throw new CommandError(
    `These files are of two realms: ${first.known.path} is of ${one}, ${other.known.path} of ${two}. Import those of one realm by themselves, such as '${two}-users-*.json'`,
  );
}

function surest({ scores }: Look): Provider | undefined {
  return [...scores].sort(([, one], [, other]) => other - one)[0]?.[0];
}

function withoutUsers(passedOver: readonly string[]): string {
  const names = passedOver.slice(0, 3).map((file) => path.basename(file));
  return `None of these files has users: ${names.join(', ')}${passedOver.length > 3 ? ' and others' : ''}`;
}
