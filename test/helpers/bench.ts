/** A benchmark command with scenarios of a test. */
import type { BenchContext } from '../../bench/bench.ts';
import type { Durations, Seconds } from '../../bench/durations.ts';
import type { Machine } from '../../bench/machine.ts';
import { measured, type Measurement, type Scenario } from '../../bench/scenario.ts';

export const machine: Machine = {
  cpu: 'some CPU',
  cores: 2,
  memoryGiB: 4,
  node: 'v22',
  platform: 'some system',
  postgresql: 'PostgreSQL 18.4',
  fsync: 'on',
  synchronousCommit: 'on',
  fsyncsPerSecond: 1000,
};

/** With a ratio of 0.5. */
export function half(
  name: string,
  promise: Pick<Measurement, 'atLeast' | 'atMost' | 'error'> = {},
): Measurement {
  return measured({ name, unit: 'users/s', reference: 'another', ...promise }, [[10, 20]]);
}

export function scenario(name: string, run: Scenario['run']): Scenario {
  return { name, about: `about ${name}`, run };
}

/** The command's output, report, kept figures and durations are in `lines`, `reports`, `kept` and `noted`. */
export function benchContext(
  scenarios: readonly Scenario[],
  argv: readonly string[],
  last: Durations = { full: {}, quick: {} },
) {
  const lines: string[] = [];
  const reports: (readonly [results: object, folder: string])[] = [];
  const kept: object[] = [];
  const noted: (readonly [mode: string, seconds: Seconds])[] = [];
  const context: BenchContext = {
    argv,
    scenarios,
    root: '/nowhere',
    describeMachine: () => machine,
    print: (line) => {
      lines.push(line);
    },
    keep: (results) => {
      kept.push(results);
      return Promise.resolve();
    },
    durations: {
      read: () => Promise.resolve(last),
      note: (...each) => {
        noted.push(each);
        return Promise.resolve();
      },
    },
    report: {
      defaultFolder: '/reports',
      write: (results, folder) => {
        reports.push([results, folder]);
        return Promise.resolve(`${folder}/index.html`);
      },
    },
  };
  return { context, lines, reports, kept, noted };
}
