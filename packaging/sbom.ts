/**
 * `npm run sbom [-- folder]`: writes sbom.cdx.json (CycloneDX 1.5) and THIRD-PARTY-LICENSES for the production packages that are
 * installed on this machine, the software built into their binaries, and the Node that runs this.
 */
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { readInstalled, type InstalledPackage } from './installed.ts';
import { thirdPartyLicences } from './licences.ts';
import { vendoredIn, type Licence, type VendoredPart } from './vendored.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

const purl = ({ name, version }: InstalledPackage) => `pkg:npm/${name.replace(/^@/, '%40')}@${version}`;
/** Packages may be installed twice, so a reference is a path. */
const refOf = ({ folder }: InstalledPackage) => (folder === '' ? 'carryover' : folder);
const partRef = ({ within, name, version }: VendoredPart) =>
  `${refOf(within)}#${name}${version ? `@${version}` : ''}`;
const licences = (licence: Licence) => [
  'expression' in licence ? { expression: licence.expression } : { license: licence },
];

function declared(licence: string | undefined): Licence {
  if (licence === undefined || /^see /i.test(licence)) return { name: licence ?? 'not stated' };
  return /[\s(]/.test(licence) ? { expression: licence } : { id: licence };
}

function packageComponent(one: InstalledPackage) {
  return {
    type: one.folder === '' ? 'application' : 'library',
    'bom-ref': refOf(one),
    name: one.name,
    version: one.version,
    purl: purl(one),
    licenses: licences(declared(one.licence)),
    hashes: hashesOf(one.integrity),
    evidence: { occurrences: [{ location: one.folder === '' ? '.' : one.folder }] },
  };
}

function hashesOf(integrity: string | undefined) {
  const sha512 = /^sha512-(\S+)/.exec(integrity ?? '')?.[1];
  return sha512 === undefined
    ? []
    : [{ alg: 'SHA-512', content: Buffer.from(sha512, 'base64').toString('hex') }];
}

function versionAbsent({ unpublished }: VendoredPart): string {
  const reason = unpublished === undefined ? '' : `: ${unpublished}`;
  return `version not published, the binary does not state it${reason}`;
}

function partComponent(part: VendoredPart) {
  return {
    type: 'library',
    'bom-ref': partRef(part),
    name: part.name,
    ...(part.version === undefined ? {} : { version: part.version }),
    licenses: licences(part.licence),
    properties: [
      { name: 'carryover:inside', value: `${part.within.name}@${part.within.version}` },
      { name: 'carryover:version-from', value: part.versionFrom ?? versionAbsent(part) },
      ...(part.comment === undefined ? [] : [{ name: 'carryover:licence-comment', value: part.comment }]),
    ],
    evidence: { occurrences: part.files.map((location) => ({ location })) },
  };
}

/** Node itself reports its parts; the versions of data and interfaces among them are not software. */
function nodeComponent() {
  const { node, ...builtIn } = process.versions;
  const parts = Object.entries(builtIn).filter(([name]) => !/^(modules|napi|unicode|cldr|tz)$/.test(name));
  return {
    type: 'platform',
    'bom-ref': 'node',
    name: 'Node.js',
    version: node,
    licenses: [{ license: { id: 'MIT' } }],
    properties: [{ name: 'carryover:version-from', value: 'process.versions' }],
    components: parts.map(([name, version]) => ({ type: 'library', name, version: version ?? '' })),
  };
}

function bill(packages: readonly InstalledPackage[], parts: readonly VendoredPart[]) {
  const [project, ...others] = packages;
  if (!project) throw new Error('package-lock.json has no entry for the project itself: run `npm install`');
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${randomUUID()}`,
    version: 1,
    metadata: { timestamp: new Date().toISOString(), component: packageComponent(project) },
    components: [...others.map(packageComponent), ...parts.map(partComponent), nodeComponent()],
    dependencies: packages.map((one) => ({
      ref: refOf(one),
      dependsOn: [
        ...one.dependsOn,
        ...parts.filter(({ within }) => within === one).map(partRef),
        ...(one === project ? ['node'] : []),
      ],
    })),
  };
}

const folder = path.resolve(process.argv[2] ?? root);
const packages = readInstalled(root);
const others = packages.filter(({ folder: place }) => place !== '');
const parts = others.flatMap((one) => vendoredIn(root, one));
writeFileSync(path.join(folder, 'sbom.cdx.json'), `${JSON.stringify(bill(packages, parts), null, 2)}\n`);
writeFileSync(path.join(folder, 'THIRD-PARTY-LICENSES'), thirdPartyLicences(root, others, parts));
process.stdout.write(
  `sbom.cdx.json, THIRD-PARTY-LICENSES: ${others.length} packages, ${parts.length} parts in their binaries\n`,
);
