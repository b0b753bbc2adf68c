/** THIRD-PARTY-LICENSES: the texts that the packages contain, and a note for packages without one. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { InstalledPackage } from './installed.ts';
import type { Licence, VendoredPart } from './vendored.ts';

const licenceFile = /^(un)?(licen[cs]e|notice|copying|copyright)/i;
const line = '='.repeat(80);

export function thirdPartyLicences(
  root: string,
  packages: readonly InstalledPackage[],
  parts: readonly VendoredPart[],
): string {
  return [
    'Software of others that carryover is distributed with: the packages, what is built into their binaries, and Node.js.',
    ...packages.map((one) =>
      section(`${one.name} ${one.version}`, one.licence ?? 'not stated', one.folder, packageText(root, one)),
    ),
    ...parts.map((part) =>
      section(
        `${part.name} ${part.version ?? '(version not stated)'}, inside ${part.within.name} ${part.within.version}`,
        wordsOf(part.licence),
        part.files.length > 3 ? `${part.within.folder}, ${part.files.length} files` : part.files.join(', '),
        partText(root, part),
      ),
    ),
    section(`Node.js ${process.versions.node}`, 'MIT, and those of its parts', 'the runtime', nodeText()),
  ].join('\n\n');
}

export function wordsOf(licence: Licence): string {
  if ('id' in licence) return licence.id;
  return 'expression' in licence ? licence.expression : licence.name;
}

function section(title: string, licence: string, where: string, text: string | undefined): string {
  const absent = 'The package does not ship the text of this licence.';
  return `${line}\n${title}\nLicence: ${licence}\nWhere: ${where}\n${line}\n\n${(text ?? absent).trim()}\n`;
}

/** Its licence and notice files; or else its README's section with that heading. */
function packageText(root: string, { folder }: InstalledPackage): string | undefined {
  const names = readdirSync(path.join(root, folder));
  const read = (name: string) => readFileSync(path.join(root, folder, name), 'utf8').trim();
  const texts = names.filter((name) => licenceFile.test(name)).map(read);
  if (texts.length > 0) return texts.join('\n\n');
  const readme = names.find((name) => /^readme/i.test(name));
  return readme === undefined
    ? undefined
    : /^#+\s*licen[cs]e\b[^\n]*\n([^]+?)(?=\n#|$(?![^]))/im.exec(read(readme))?.[1];
}

/** Apache's licence names no author in its text, so this project's copy can be used; the others apply to one author each. */
function partText(root: string, { licence, licenceIn }: VendoredPart): string | undefined {
  if (licenceIn.length > 0) return licenceIn.map((file) => firstComments(path.join(root, file))).join('\n\n');
  return wordsOf(licence).includes('Apache-2.0')
    ? readFileSync(path.join(root, 'LICENSE'), 'utf8')
    : undefined;
}

function firstComments(file: string): string {
  return /^(\s*\/\*[^]*?\*\/)+/.exec(readFileSync(file, 'utf8'))?.[0] ?? '';
}

/** Next to the folder of the program, as in Node's own archives and images, or in the package that contained it. */
function nodeText(): string | undefined {
  const prefix = path.join(path.dirname(process.execPath), '..');
  const packages = path.join(prefix, 'node_modules');
  const folders = existsSync(packages) ? readdirSync(packages).map((name) => path.join(packages, name)) : [];
  const file = [prefix, ...folders.filter((name) => /[\\/]node-(bin-)?(linux|darwin|win)-/.test(name))]
    .map((folder) => path.join(folder, 'LICENSE'))
    .find((name) => existsSync(name));
  return file === undefined ? undefined : readFileSync(file, 'utf8');
}
