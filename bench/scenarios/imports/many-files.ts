import { randomBytes, randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { emailOf } from '../../../src/load/made-up.ts';
import { runCommand } from '../../load/command.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/** The folder that Keycloak writes, 50 users a file, against the same users in one file: the whole command each. */
export const manyFiles: Scenario = {
  name: 'many-files',
  about: 'carryover import of a folder with 50 users a file, against one file of the same users',
  run: (options) => withStand({}, (stand) => compare(stand, options)),
};

const usersOfAFile = 50;

interface Export {
  readonly users: number;
  readonly folder: string;
  readonly file: string;
  remove(): Promise<void>;
}

interface Round {
  readonly ofFolder: number;
  readonly ofFile: number;
}

async function compare(stand: Stand, options: BenchOptions): Promise<Measurement[]> {
  const files = options.quick ? 100 : 1000;
  const made = await writeExport(files);
  try {
    return await untilKnown(
      options,
      { least: 3, most: 6, inWords },
      async (n) => {
        // In turns: the first one warms the caches for the second.
        if (n % 2 === 0)
          return { ofFile: await timed(stand, made.file), ofFolder: await timed(stand, made.folder) };
        return { ofFolder: await timed(stand, made.folder), ofFile: await timed(stand, made.file) };
      },
      (rounds) => [comparison(rounds, made.users, files)],
    );
  } finally {
    await made.remove();
  }
}

function inWords({ ofFolder, ofFile }: Round): string {
  return `folder ${ofFolder.toFixed(1)} s, one file ${ofFile.toFixed(1)} s`;
}

function comparison(rounds: readonly Round[], users: number, files: number): Measurement {
  return measured(
    {
      name: 'many-files',
      unit: 's',
      reference: 'one file of the same users',
      atMost: 1.2,
      details: { users, files },
    },
    rounds.map(({ ofFolder, ofFile }) => [ofFolder, ofFile]),
  );
}

/** @returns seconds that the command took, including start and end */
async function timed({ cluster, core }: Stand, file: string): Promise<number> {
  await cluster.reset();
  const environment = { XDG_STATE_HOME: path.join(path.dirname(file), 'state') };
  const { seconds } = await runCommand(['import', '--yes', file], { core, environment });
  return seconds;
}

async function writeExport(files: number): Promise<Export> {
  const at = await mkdtemp(path.join(os.tmpdir(), 'carryover-bench-files-'));
  const [folder, file] = [path.join(at, 'export'), path.join(at, 'shop-realm.json')];
  await mkdir(folder);
  const everybody: object[] = [];
  for (let n = 0; n < files; n += 1) {
    const users = Array.from({ length: usersOfAFile }, (_, place) => userOf(n * usersOfAFile + place));
    everybody.push(...users);
    await writeFile(path.join(folder, `shop-users-${n}.json`), textOf(users));
  }
  await writeFile(file, textOf(everybody));
  return { users: everybody.length, folder, file, remove: () => rm(at, { recursive: true, force: true }) };
}

/** Indented, as Keycloak writes it. */
function textOf(users: readonly object[]): string {
  return JSON.stringify({ realm: 'shop', users }, undefined, 2);
}

function userOf(n: number): object {
  const password = { value: randomBytes(64).toString('base64'), salt: randomBytes(16).toString('base64') };
  const kind = { hashIterations: 210_000, algorithm: 'pbkdf2-sha512', additionalParameters: {} };
  const credential = { id: randomUUID(), type: 'password', createdDate: 1_704_067_200_000 };
  return {
    id: randomUUID(),
    username: `user${n}`,
    email: emailOf(n),
    emailVerified: true,
    enabled: true,
    firstName: 'Ada',
    lastName: `User ${n}`,
    createdTimestamp: 1_704_067_200_000,
    totp: false,
    credentials: [
      { ...credential, secretData: JSON.stringify(password), credentialData: JSON.stringify(kind) },
    ],
    requiredActions: [],
    realmRoles: ['default-roles-shop'],
    notBefore: 0,
    groups: [],
  };
}
