import { writeBulkFiles } from '../../load/files.ts';
import { runCommand } from '../../load/command.ts';
import { noLimits } from '../../load/mix.ts';
import type { CoreProcess } from '../../load/processes.ts';
import { type Stand, withStand } from '../../load/stand.ts';
import { importFile } from '../../load/upload.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';
import { judge, judgedBy } from './judge.ts';
import { createLaravel, type Laravel } from './laravel.ts';
import { stepsOf } from './move.ts';
import { People } from './people.ts';

/**
 * A move that leads. Users are imported from a Laravel app's database, change here, and are written back into it: each of them is then
 * read there and their password verified as the app would, and a comparison must find nothing. Relative to bare updates of rows there.
 * Then imports while a move leads, relative to imports without one.
 */
export const wayBack: Scenario = {
  name: 'way-back',
  about:
    '10,000 changes among a million users, written back to Laravel in PostgreSQL, against bare updates of its rows; an import while a move leads, against one without',
  run: async (options) => [...(await writeBackAll(options)), ...(await importWhileLeading(options))],
};

interface Amounts {
  readonly users: number;
  /** In each round, of which there are at least three. */
  readonly changes: number;
  /** Of an import while a move leads. */
  readonly imported: number;
}
const full: Amounts = { users: 1_000_000, changes: 3334, imported: 300_000 };
const quick: Amounts = { users: 5000, changes: 150, imported: 20_000 };
const amountsOf = ({ quick: isQuick }: BenchOptions): Amounts => (isQuick ? quick : full);

/** Users a second. */
interface Round {
  readonly written: number;
  readonly bare: number;
}

function writeBackAll(options: BenchOptions): Promise<Measurement[]> {
  const { users, changes } = amountsOf(options);
  return withStand({ ...noLimits, ALLOW_HASH_EXPORT: 'true' }, async (stand) => {
    const laravel = await createLaravel(stand.cluster, users);
    try {
      await importAll(stand, laravel);
      options.say(
        `${users.toLocaleString('en')} users are imported; their passwords are judged by ${judgedBy}`,
      );
      const people = new People(stand.core, users, changes);
      return await untilKnown(
        options,
        { least: 3, most: 5, inWords },
        () => runRound(stand, laravel, people, amountsOf(options)),
        (rounds) => [
          measured(
            {
              name: 'way-back/written',
              unit: 'users/s',
              reference: 'bare updates of rows there, a commit each',
              details: { users, changes, judgedBy },
            },
            rounds.map(({ written, bare }) => [written, bare]),
          ),
        ],
      );
    } finally {
      await laravel.remove();
    }
  });
}

/** By the follower, as in every move. */
async function importAll({ core }: Stand, laravel: Laravel): Promise<void> {
  const steps = stepsOf(core, laravel.address);
  await steps.toFollowing();
  await followOnce(core, laravel);
  await steps.toLeading();
}

async function followOnce(core: CoreProcess, { address }: Laravel): Promise<void> {
  await runCommand(['follow', address, '--from', 'laravel', '--once', '--yes'], { core });
}

async function runRound(
  { core }: Stand,
  laravel: Laravel,
  people: People,
  { users, changes }: Amounts,
): Promise<Round> {
  const noted = await people.change(changes);
  const from = [laravel.address, '--from', 'laravel', '--json'];
  const { stdout, seconds } = await runCommand(['write-back', ...from, '--once', '--yes'], { core });
  const tally = JSON.parse(stdout) as Readonly<Record<'written' | 'conflicts' | 'mustReset', number>>;
  // A user with several changes, in several pages, is written several times.
  const { written, conflicts, mustReset } = tally;
  if (written < noted || conflicts + mustReset > 0)
    throw new Error(`not all ${noted} users were written back: ${stdout}`);
  await judge(laravel, people.all, users);
  // Rows that were made there have keys by now, which the follower brings, as all along a move.
  await followOnce(core, laravel);
  const compared = await runCommand(['compare', ...from], { core });
  requireEqual(compared.stdout, people.all.filter(({ isGone }) => isGone).length);
  return { written: written / seconds, bare: await updateBarely(laravel, Math.min(written, 2000)) };
}

/** @param gone users who were removed here: the app marks their rows as deleted */
function requireEqual(answer: string, gone: number): void {
  const { users } = JSON.parse(answer) as { readonly users: Readonly<Record<string, number>> };
  const found = Object.entries(users).filter(([kind, count]) => count !== (kind === 'leftOut' ? gone : 0));
  if (found.length > 0) throw new Error(`the comparison found differences: ${answer}`);
}

/** @returns rows a second */
async function updateBarely({ sql }: Laravel, rows: number): Promise<number> {
  const startedAt = performance.now();
  for (let id = 1; id <= rows; id++)
    await sql`update users set remember_token = ${`token ${id}`} where id = ${id}`;
  return rows / ((performance.now() - startedAt) / 1000);
}

function inWords({ written, bare }: Round): string {
  const [ofWritten, ofBare] = [written, bare].map((rate) => Math.round(rate).toLocaleString('en'));
  return `${ofWritten} users/s written, ${ofBare} rows/s updated; nothing differs`;
}

/** Users a second. */
interface Imports {
  readonly leading: number;
  readonly alone: number;
}

/** Each round runs both, every other one in the other order. */
async function importWhileLeading(options: BenchOptions): Promise<Measurement[]> {
  const files = await writeBulkFiles(amountsOf(options).imported);
  const { users } = files;
  try {
    return await withStand({}, async ({ cluster, core }) => {
      const steps = stepsOf(core, 'postgres://localhost/shop');
      const alone = async (): Promise<number> => {
        await cluster.reset();
        return (await importFile(cluster, core, files.export, { created: users })).rate;
      };
      const leading = async (): Promise<number> => {
        await steps.toFollowing();
        await steps.toLeading();
        const rate = await alone();
        await steps.close();
        return rate;
      };
      const runBoth = async (n: number): Promise<Imports> => {
        const first = n % 2 === 0 ? await leading() : undefined;
        const without = await alone();
        return { alone: without, leading: first ?? (await leading()) };
      };
      // The code of both is warm in every round that counts.
      await runBoth(1);
      const limits = { least: 4, most: 12, inWords: importsInWords };
      return untilKnown(options, limits, runBoth, (rounds) => [comparison(rounds, users)]);
    });
  } finally {
    await files.remove();
  }
}

function comparison(rounds: readonly Imports[], users: number): Measurement {
  return measured(
    {
      name: 'way-back/import',
      unit: 'users/s',
      reference: 'the same import without a move',
      atLeast: 0.95,
      details: { users },
    },
    rounds.map(({ leading, alone }) => [leading, alone]),
  );
}

function importsInWords({ leading, alone }: Imports): string {
  return `import ${(leading / alone).toFixed(3)} × ${Math.round(alone).toLocaleString('en')}/s`;
}
