import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Difference } from '../../../src/imports/difference.ts';
import { runCommand } from '../../load/command.ts';
import { type ChangeThere, type ComparedFiles, externalIdOf, writeComparedFiles } from '../../load/files.ts';
import type { CoreProcess } from '../../load/processes.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { importFile } from '../../load/upload.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * A million users at the source and a million here, with 137 planted differences of nine kinds: the command has to find exactly
 * these. Relative to the promised time.
 */
export const compare: Scenario = {
  name: 'compare',
  about: 'carryover compare of a million users with a million, 137 differences planted; against 20 s',
  run: (options) => withStand({}, (stand) => measure(stand, options)),
};

const promisedSeconds = 20;

/** The number of users of each kind. */
const planted = {
  missingHere: 17,
  missingThere: 17,
  removedHere: 17,
  madeHere: 17,
  passwordThere: 17,
  emailThere: 13,
  passwordHere: 13,
  emailHere: 13,
  passwordBoth: 13,
} as const;
type Planted = keyof typeof planted;

async function measure({ cluster, core }: Stand, options: BenchOptions): Promise<Measurement[]> {
  const users = options.quick ? 100_000 : 1_000_000;
  const plants = plantsAmong(users);
  const files = await writeComparedFiles(users, changesThere(plants), planted.missingHere);
  try {
    await importFile(cluster, core, files.export, { created: users });
    await changeHere(core, plants);
    const expected = expectedOf(plants, users);
    const promised = (promisedSeconds * users) / 1_000_000;
    return await untilKnown(
      options,
      { least: 3, most: 5, inWords: (seconds) => `${seconds.toFixed(1)} s` },
      () => runCompare(core, files, expected),
      (rounds) => [
        measured(
          {
            name: 'compare',
            unit: 's',
            reference: 'the promised time',
            atMost: 1,
            details: { users, planted },
          },
          rounds.map((seconds) => [seconds, promised]),
        ),
      ],
    );
  } finally {
    await files.remove();
  }
}

/** Numbers of users, spread evenly over all, by what happens to them; users who are added or made here are not among them. */
function plantsAmong(users: number): ReadonlyMap<number, Planted> {
  const kinds = (Object.keys(planted) as Planted[])
    .filter((kind) => kind !== 'missingHere' && kind !== 'madeHere')
    .flatMap((kind) => Array.from({ length: planted[kind] }, () => kind));
  const apart = Math.floor(users / kinds.length);
  return new Map(kinds.map((kind, place) => [place * apart + 7, kind]));
}

function changesThere(plants: ReadonlyMap<number, Planted>): ReadonlyMap<number, ChangeThere> {
  const changes: Partial<Record<Planted, ChangeThere>> = {
    missingThere: 'gone',
    passwordThere: 'password',
    passwordBoth: 'password',
    emailThere: 'email',
  };
  return new Map([...plants].flatMap(([n, kind]) => (changes[kind] ? [[n, changes[kind]] as const] : [])));
}

async function changeHere(core: CoreProcess, plants: ReadonlyMap<number, Planted>): Promise<void> {
  for (const [n, kind] of plants) {
    const recipeUserId = externalIdOf(n);
    if (kind === 'removedHere') await ask(core, 'POST', '/user/remove', { userId: recipeUserId });
    if (kind === 'emailHere')
      await ask(core, 'PUT', '/recipe/user', { recipeUserId, email: `here-${n}@example.com` });
    if (kind === 'passwordHere' || kind === 'passwordBoth')
      await ask(core, 'PUT', '/recipe/user', { recipeUserId, password: `set here ${n}` });
  }
  for (let n = 0; n < planted.madeHere; n++)
    await ask(core, 'POST', '/recipe/signup', { email: `made-${n}@example.com`, password: `made here ${n}` });
}

async function ask({ url, apiKey }: CoreProcess, method: string, at: string, body: object): Promise<void> {
  const headers = { 'api-key': apiKey, 'content-type': 'application/json' };
  const answer = await fetch(`${url}${at}`, { method, headers, body: JSON.stringify(body) });
  const { status } = (await answer.json()) as { readonly status: string };
  if (status !== 'OK') throw new Error(`${method} ${at} was answered with ${status}`);
}

/** What the command has to find, a text each, sorted; users who were made here have ids that only the core knows. */
function expectedOf(plants: ReadonlyMap<number, Planted>, users: number): string[] {
  const texts: Readonly<Record<Planted, string>> = {
    missingHere: 'missingHere',
    missingThere: 'missingThere',
    removedHere: 'removedHere',
    madeHere: 'madeHere',
    passwordThere: 'different loginMethods.0.passwordHash there',
    passwordHere: 'different loginMethods.0.passwordHash here',
    passwordBoth: 'different loginMethods.0.passwordHash both',
    emailThere: 'different loginMethods.0.email there',
    emailHere: 'different loginMethods.0.email here',
  };
  const changed = Array.from(plants, ([n, kind]) => `${externalIdOf(n)} ${texts[kind]}`);
  const added = Array.from(
    { length: planted.missingHere },
    (_, n) => `${externalIdOf(users + n)} missingHere`,
  );
  return [...changed, ...added, ...Array.from({ length: planted.madeHere }, () => 'madeHere')].sort();
}

function described(difference: Difference): string {
  if (difference.is === 'madeHere') return difference.is;
  const id = 'userId' in difference ? difference.userId : difference.externalUserId;
  const field = difference.is === 'different' ? [difference.field, difference.changed] : [];
  return [id, difference.is, ...field].join(' ');
}

/** @returns seconds @throws Error unless the command finds exactly what is expected */
async function runCompare(
  core: CoreProcess,
  { later }: ComparedFiles,
  expected: readonly string[],
): Promise<number> {
  const out = path.join(path.dirname(later), 'differences.ndjson');
  const { seconds } = await runCommand(['compare', later, '--json', '-o', out], { core, exitCode: 1 });
  const lines = (await readFile(out, 'utf8')).trim().split('\n');
  const found = lines.map((line) => described(JSON.parse(line) as Difference)).sort();
  const [extra, lost] = [
    found.filter((each) => !expected.includes(each)),
    expected.filter((each) => !found.includes(each)),
  ];
  if (found.length !== expected.length || extra.length + lost.length > 0)
    throw new Error(
      `found ${found.length} of ${expected.length}; extra: ${extra.join()}; lost: ${lost.join()}`,
    );
  return seconds;
}
