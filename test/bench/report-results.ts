/** Results of a run on a small machine, with every picture; made up, and the same each time. */
import type { Results } from '../../bench/report-page/report.ts';
import { measured, type Measurement, type Plot } from '../../bench/scenario.ts';

const rounds = [
  [88_100, 79_400],
  [86_900, 77_600],
  [90_300, 80_100],
] as const;

const percentiles = [50, 90, 99, 99.9, 100].map((share, n) => [share, 3 * 4 ** n] as const);

export const plots: readonly Plot[] = [
  { id: 'growth', series: [{ name: 'bulk', points: [100, 200, 300].map((x) => [x, 84_000 - x]) }] },
  { id: 'throughput', series: [{ name: 'bulk', points: [1, 2, 3].map((x) => [x, 88_000 + x]) }] },
  { id: 'percentiles', series: [{ name: 'sign-in', points: percentiles }] },
  {
    id: 'hash-cost',
    series: ['by the pool', 'bare'].map((name, n) => ({
      name,
      points: [
        ['bcrypt, cost 10', 52 + n],
        ['MD5, salted', 0.011],
      ],
    })),
  },
  {
    id: 'cpu-split',
    series: ['core', 'client'].map((name, n) => ({ name, points: [['bulk', 2.9 + n]] })),
  },
];

const scenarios: readonly Measurement[] = [
  measured(
    {
      name: 'bulk',
      scenario: 'bulk',
      unit: 'users/s',
      reference: 'COPY of finished rows, one connection',
      atLeast: 1.1,
      details: { users: 1_000_000, postgresCpu: { share: 0.52 } },
      plots,
    },
    rounds,
  ),
  measured(
    {
      name: 'bulk-again',
      scenario: 'bulk',
      unit: 'users/s',
      reference: 'the first import of the same file',
      atLeast: 3,
    },
    [
      [415_000, 88_100],
      [402_000, 86_900],
    ],
  ),
  measured(
    {
      name: 'bulk-growth',
      scenario: 'bulk-growth',
      unit: 's for 100000 users',
      reference: 'the same at the start',
      atMost: 1.3,
    },
    [
      [1.43, 1.64],
      [1.52, 1.38],
    ],
  ),
  measured({ name: 'storm', scenario: 'storm', unit: 'sign-ins/s', reference: 'capacity', atLeast: 0.9 }, [
    [44.4, 50.4],
  ]),
  measured({ name: 'micro/ids', scenario: 'micro', unit: 'ns/call', reference: 'calibrating loop' }, [
    [212, 990],
    [209, 1002],
  ]),
];

export const exampleResults: Results = {
  machine: {
    cpu: 'AMD EPYC 7763 64-Core Processor',
    cores: 2,
    memoryGiB: 24,
    node: 'v22.23.3',
    platform: 'Linux 6.18.44',
    postgresql: 'PostgreSQL 18.4',
    fsync: 'on',
    fsyncsPerSecond: 8754,
  },
  date: '2026-11-20',
  version: '0.2.0',
  about: { bulk: 'a file of users as one upload', storm: 'everybody signs in the morning after' },
  scenarios,
};
