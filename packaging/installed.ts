/** The production packages in node_modules, by package-lock.json: npm omits those that development needs, too. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';

/** One entry of `packages` in package-lock.json (version 3). */
interface LockEntry {
  readonly name?: string;
  readonly version: string;
  readonly integrity?: string;
  readonly license?: string;
  readonly dev?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

type Entries = Readonly<Record<string, LockEntry>>;

export interface InstalledPackage {
  /** Its name in the registry, which an alias is not. */
  readonly name: string;
  readonly version: string;
  /** From the root of the project, with forward slashes. */
  readonly folder: string;
  readonly integrity: string | undefined;
  /** As the package declares it: usually an SPDX id or expression. */
  readonly licence: string | undefined;
  /** The folders of the installed packages that it depends on. */
  readonly dependsOn: readonly string[];
}

/** The project itself comes first, with the folder ''. */
export function readInstalled(root: string): readonly InstalledPackage[] {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as {
    packages: Entries;
  };
  const present = Object.entries(lock.packages).filter(
    ([folder, { dev }]) => !dev && existsSync(path.join(root, folder, 'package.json')),
  );
  const entries: Entries = Object.fromEntries(present);
  return present.map(([folder, entry]) => ({
    name: entry.name ?? nameIn(folder),
    version: entry.version,
    folder,
    integrity: entry.integrity,
    licence: entry.license ?? declaredLicence(path.join(root, folder)),
    dependsOn: dependenciesOf(folder, entry, entries),
  }));
}

/** The name by which a package is imported: `node_modules/a/node_modules/@b/c` is `@b/c`. */
export function nameIn(folder: string): string {
  return folder.slice(folder.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

/** Paths of machine code within the package, without symbolic links and packages inside of it. */
export function binariesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).replaceAll(path.sep, '/'))
    .filter((file) => !file.startsWith('node_modules/'))
    .filter((file) => /\.(node|dll|dylib)$|\.so(\.|$)|^native\/bin\//.test(file))
    .sort();
}

function declaredLicence(folder: string): string | undefined {
  const { license } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as {
    license?: unknown;
  };
  return typeof license === 'string' ? license : undefined;
}

function dependenciesOf(folder: string, entry: LockEntry, entries: Entries): readonly string[] {
  const names = Object.keys({ ...entry.dependencies, ...entry.optionalDependencies });
  return names.map((name) => resolve(name, folder, entries)).filter((found) => found !== undefined);
}

/** As Node resolves: in the folder's own node_modules first, then in those of the folders above. */
function resolve(name: string, from: string, entries: Entries): string | undefined {
  const candidate = path.posix.join(from, 'node_modules', name);
  if (candidate in entries) return candidate;
  const above = from.lastIndexOf('node_modules/');
  return above < 0 ? undefined : resolve(name, from.slice(0, above).replace(/\/$/, ''), entries);
}
