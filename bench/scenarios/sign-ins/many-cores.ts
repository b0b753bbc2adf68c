import {
  type ControlGroup,
  hasControlGroups,
  makeControlGroup,
} from '../../../test/helpers/control-group.ts';
import { madeUpMix, mixInWords } from '../../../src/load/made-up.ts';
import { importMix, settingsFor, signInAtCapacity } from '../../load/mix.ts';
import { type CoreProcess, startCoreProcess } from '../../load/processes.ts';
import { withCluster } from '../../load/stand.ts';
import { untilKnown } from '../../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../../scenario.ts';

/**
 * Sign-ins through one, two and three cores on one database: the work of all, relative to that of the first one. A machine of the
 * benchmarks has few processors, so each core gets a third of one, and client and database have the rest.
 */
export const manyCores: Scenario = {
  name: 'many-cores',
  about: `sign-ins of two and three cores on one database against one; ${mixInWords}`,
  run: async (options) => {
    if (!hasControlGroups)
      throw new Error(
        'it gives each core a share of a processor by a control group, which needs root and Linux',
      );
    return withCluster(({ uri }) => withCores(uri, (cores) => compare(cores, options)));
  },
};

const counts = [1, 2, 3] as const;
const cpusOfEach = 1 / 3;
/** Not a limit here: a group has to have one. */
const memoryBytes = 2 ** 32;
const people = 600;
/** Sign-ins a second of one core, about. */
const expectedRate = 4;

async function withCores<Result>(
  uri: string,
  work: (cores: readonly CoreProcess[]) => Promise<Result>,
): Promise<Result> {
  const cores: CoreProcess[] = [];
  const groups: ControlGroup[] = [];
  try {
    for (const count of counts) {
      const core = await startCoreProcess(uri, undefined, {
        ...settingsFor(madeUpMix, false),
        HASHING_THREADS: '1',
      });
      cores.push(core);
      if (count === 1) await importMix(core, people, madeUpMix);
      const group = makeControlGroup(memoryBytes, cpusOfEach);
      groups.push(group);
      group.add(core.pid);
    }
    return await work(cores);
  } finally {
    await Promise.all(cores.map((core) => core.stop()));
    for (const group of groups) group.remove();
  }
}

/** Sign-ins a second, by the number of cores. */
type Round = Readonly<Record<number, number>>;

function compare(cores: readonly CoreProcess[], options: BenchOptions): Promise<Measurement[]> {
  return untilKnown(
    options,
    { least: 3, most: 8, inWords: (round) => counts.map((count) => inWords(count, round)).join(', ') },
    async () => {
      const round: Record<number, number> = {};
      for (const count of counts) round[count] = await allAtOnce(cores.slice(0, count), options);
      return round;
    },
    (rounds) => counts.slice(1).map((count) => scaled(count, rounds)),
  );
}

function inWords(count: number, round: Round): string {
  return `${count} ${count === 1 ? 'core' : 'cores'} ${(round[count] ?? 0).toFixed(1)}/s`;
}

async function allAtOnce(cores: readonly CoreProcess[], { quick, say }: BenchOptions): Promise<number> {
  const seconds = quick ? 2 : 10;
  const results = await Promise.all(
    cores.map((core) => signInAtCapacity(core, { people, expectedRate, seconds, say })),
  );
  return results.reduce((sum, { perSecond }) => sum + perSecond, 0);
}

function scaled(count: number, rounds: readonly Round[]): Measurement {
  return measured(
    {
      name: `many-cores-${count}`,
      unit: `sign-ins/s of ${count} cores`,
      reference: `${count} times one core, each with a third of a processor`,
      atLeast: 0.9,
      details: { cpusOfEach, mix: mixInWords },
    },
    rounds.map((round) => [round[count] ?? 0, count * (round[1] ?? 0)]),
  );
}
