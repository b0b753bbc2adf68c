/**
 * A backup of several places: a folder with a file of each, as `backup` writes it for one, and a manifest, which is written last. So
 * a folder without one is not finished.
 */
import { access, mkdir, readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { firstPlaceName, isPlaceName } from '../../domain/app-place.ts';
import { once } from '../../exports/readers/input.ts';
import { CommandError, fileError, systemCode } from '../command-error.ts';
import { writeOut } from '../output/sink.ts';
import type { Surroundings, WrittenBackup } from '../surroundings.ts';
import type { Outcome } from './each.ts';

const manifestName = 'manifest.json';
const format = 'carryover backup of places';
const formatVersion = 1;

export interface Manifest {
  readonly format: typeof format;
  readonly formatVersion: number;
  /** ISO 8601 */
  readonly madeAt: string;
  /** With the digest of each backup. */
  readonly places: readonly { readonly name: string; readonly sha256: string }[];
  /** Places that could not be backed up. */
  readonly missing: readonly string[];
}

export function fileOf(folder: string, place: string): string {
  return path.join(folder, `${place}.carryover`);
}

/** Makes the folder, for its owner only. @throws CommandError if it has files */
export async function makeSetFolder(folder: string, surroundings: Surroundings): Promise<void> {
  const at = path.resolve(surroundings.folder, folder);
  let found: string[];
  try {
    await mkdir(at, { recursive: true, mode: 0o700 });
    found = await readdir(at);
  } catch (error) {
    throw fileError(folder, error, true);
  }
  if (found.length > 0)
    throw new CommandError(`${folder}: has files: name a new or an empty folder, for a file of each place`, {
      code: 'FILE_ERROR',
      field: folder,
    });
}

export function writeManifest(
  folder: string,
  outcomes: readonly Outcome<WrittenBackup>[],
  surroundings: Surroundings,
): Promise<void> {
  const manifest: Manifest = {
    format,
    formatVersion,
    madeAt: new Date(surroundings.now()).toISOString(),
    places: outcomes.flatMap((each) =>
      'result' in each ? [{ name: each.place, sha256: each.result.sha256 }] : [],
    ),
    missing: outcomes.flatMap((each) => ('reason' in each ? [each.place] : [])),
  };
  const text = `${JSON.stringify(manifest, undefined, 2)}\n`;
  return writeOut(once(Buffer.from(text)), path.join(folder, manifestName), surroundings);
}

/**
 * @returns undefined for a file, which is the backup of one place
 * @throws CommandError for a folder without a manifest, with an invalid one, or without a file that it names
 */
export async function readManifest(
  file: string,
  { folder }: Pick<Surroundings, 'folder'>,
): Promise<Manifest | undefined> {
  const at = path.resolve(folder, file);
  const isFolder = await stat(at).then(
    (found) => found.isDirectory(),
    () => false,
  );
  if (!isFolder) return undefined;
  const text = await readFile(path.join(at, manifestName), 'utf8').catch((error: unknown) => {
    if (systemCode(error) !== 'ENOENT') throw fileError(path.join(file, manifestName), error);
    throw unusable(file, `it has no ${manifestName}, so it is not finished: take another one`);
  });
  const manifest = parsed(text);
  if (manifest === undefined)
    throw unusable(
      file,
      `its ${manifestName} is not one that this carryover backup writes: take another one`,
    );
  for (const { name } of manifest.places)
    await access(fileOf(at, name)).catch((error: unknown) => {
      throw fileError(fileOf(file, name), error);
    });
  return manifest;
}

/**
 * The places of a backup that are to be restored.
 * @param chosen of the settings; one of them with --place
 * @throws CommandError for an incomplete backup, or a place that the settings lack
 */
export function placesToRestore(
  file: string,
  { places, missing }: Manifest,
  { chosen, place }: { readonly chosen: readonly string[]; readonly place: string | undefined },
): readonly string[] {
  const names = places.map(({ name }) => name);
  if (place !== undefined) {
    if (names.includes(place)) return [place];
    throw unusable(file, `it lacks the place '${place}': it has ${names.join(', ')}`);
  }
  if (missing.length > 0)
    throw unusable(
      file,
      `it lacks ${missing.join(', ')}, which could not be backed up: take another one, or restore a place alone with --place`,
    );
  const unknown = names.find((name) => !chosen.includes(name));
  if (unknown !== undefined)
    throw unusable(
      file,
      `the setting 'places' lacks '${unknown}', which it has: add it with the address of an empty database, or restore a place alone with --place`,
    );
  return names;
}

/**
 * Apps that are in another place by their name, and have no data of their own there: they were made, moved or removed while the
 * places were backed up one after the other, or such a change was left half done.
 */
export function tornApps(outcomes: readonly Outcome<WrittenBackup>[]): readonly string[] {
  const appsOf = new Map(
    outcomes.flatMap((each) => ('result' in each ? [[each.place, each.result.apps] as const] : [])),
  );
  return (appsOf.get(firstPlaceName) ?? []).flatMap(({ appId, home }) => {
    const there = home === null ? undefined : appsOf.get(home);
    const isWhole = there === undefined || there.some((app) => app.appId === appId && !app.isHeld);
    return isWhole ? [] : [appId];
  });
}

function unusable(file: string, why: string): CommandError {
  return new CommandError(`The backup ${file} cannot be restored: ${why}`, {
    code: 'BACKUP_UNUSABLE',
    field: file,
  });
}

function parsed(text: string): Manifest | undefined {
  try {
    const value = JSON.parse(text) as Partial<Manifest> | null;
    const isKnown = value?.format === format && value.formatVersion === formatVersion;
    return isKnown && hasPlaces(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Names are parts of paths. */
function hasPlaces(value: Partial<Manifest>): value is Manifest {
  const { places, missing } = value as { readonly places?: unknown; readonly missing?: unknown };
  const isName = (name: unknown): boolean =>
    typeof name === 'string' && (name === firstPlaceName || isPlaceName(name));
  return (
    Array.isArray(places) &&
    places.every(
      (each: Partial<Manifest['places'][number]> | null) =>
        isName(each?.name) && typeof each?.sha256 === 'string',
    ) &&
    Array.isArray(missing) &&
    missing.every(isName)
  );
}
