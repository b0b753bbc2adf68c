/** Results as a run on a small machine leaves them, with every picture; made up, and the same each time. */
import type { Results } from '../../bench/report-page/report.ts';
import { measured, type Measurement, type Series } from '../../bench/scenario.ts';

/** A wave in place of noise: between -1 and 1, without a generator of random numbers. */
function wave(n: number): number {
  return Math.sin(n * 1.7) * 0.6 + Math.sin(n * 0.37 + 1) * 0.4;
}

function over(name: string, count: number, point: (n: number) => readonly [number, number]): Series {
  return { name, points: Array.from({ length: count }, (_, n) => point(n)) };
}

function rate(name: string, { seconds, perSecond }: { seconds: number; perSecond: number }): Series {
  const step = seconds / 60;
  return over(name, 60, (n) => [(n + 1) * step, perSecond * (1 + 0.06 * wave(n) - (n === 0 ? 0.4 : 0))]);
}

/** ms at p50, p75, p90, p95, p99, p99.9 and the slowest. */
function percentiles(name: string, ms: readonly number[]): Series {
  return { name, points: [50, 75, 90, 95, 99, 99.9, 100].map((p, n) => [p, ms[n] ?? NaN] as const) };
}

const hashCosts: Series['points'] = [
  ['MD5, salted', 0.011],
  ['SHA-256, salted', 0.012],
  ['PBKDF2-SHA256, 600,000 rounds (Django)', 158],
  ['PBKDF2-SHA256, 27,500 rounds (Keycloak)', 7.4],
  ['PBKDF2-SHA512, 100,000 rounds (ASP.NET Core)', 49],
  ['bcrypt, cost 10', 52],
  ['bcrypt, cost 12', 207],
  ['Argon2id, 19 MiB, t=2, p=1', 21],
  ['Argon2id, 64 MiB, t=3, p=4', 118],
  ['scrypt, N=2^14, r=8', 44],
  ['Firebase scrypt, 8 rounds', 41],
  ['SHA-512-crypt, 5,000 rounds', 3.1],
];

const cpu: readonly (readonly [process: string, points: Series['points']])[] = [
  [
    'core, main thread',
    [
      ['import-http', 41],
      ['bulk', 2.9],
      ['sign-in', 160],
      ['verify-email', 88],
    ],
  ],
  [
    'workers',
    [
      ['import-http', 6.2],
      ['bulk', 7.6],
      ['sign-in', 52_400],
      ['verify-email', 0.4],
    ],
  ],
  [
    'PostgreSQL',
    [
      ['import-http', 47],
      ['bulk', 11.8],
      ['sign-in', 210],
      ['verify-email', 130],
    ],
  ],
  [
    'client',
    [
      ['import-http', 29],
      ['bulk', 0.6],
      ['sign-in', 95],
      ['verify-email', 61],
    ],
  ],
];

const scenarios: readonly Measurement[] = [
  measured(
    {
      name: 'bulk',
      unit: 'users/s',
      reference: 'COPY of finished rows, one connection',
      atLeast: 1.1,
      details: { users: 1_000_000, postgresCpu: { share: 0.52 } },
      plots: [
        {
          id: 'throughput',
          series: [
            rate('bulk', { seconds: 11.4, perSecond: 88_000 }),
            rate('bulk, the COPY', { seconds: 12.6, perSecond: 79_000 }),
          ],
        },
        { id: 'cpu-split', series: cpu.map(([name, points]) => ({ name, points: points.slice(1, 2) })) },
      ],
    },
    [
      [88_100, 79_400],
      [86_900, 77_600],
      [90_300, 80_100],
    ],
  ),
  measured(
    { name: 'bulk-again', unit: 'users/s', reference: 'the first import of the same file', atLeast: 3 },
    [
      [415_000, 88_100],
      [402_000, 86_900],
      [431_000, 90_300],
    ],
  ),
  measured(
    {
      name: 'bulk-growth',
      unit: 's for 100000 users',
      reference: 'the same at the start',
      atMost: 1.3,
      details: { memoryMbAfterAFifth: 500.6, memoryMbAtTheEnd: 554.2 },
      plots: [
        {
          id: 'growth',
          series: [
            over('bulk', 50, (n) => [(n + 1) * 100_000, 84_000 * (1 + 0.04 * wave(n) - n * 0.0018)]),
            over('import-http', 40, (n) => [
              (n + 1) * 125_000,
              16_900 * (1 + 0.03 * wave(n + 5) - n * 0.001),
            ]),
          ],
        },
      ],
    },
    [
      [1.43, 1.64],
      [1.39, 1.51],
      [1.52, 1.38],
    ],
  ),
  measured(
    {
      name: 'import-http',
      unit: 'users/s',
      reference: 'bare batch statement',
      atLeast: 0.35,
      details: {
        connections: 64,
        latencyMs: { p50: 3, p90: 5, p99: 10, max: 56 },
        clientShareOfOneCore: 0.47,
      },
      plots: [
        { id: 'throughput', series: [rate('import-http', { seconds: 60, perSecond: 22_600 })] },
        { id: 'percentiles', series: [percentiles('import-http', [2.6, 3.1, 4.4, 5.6, 9.8, 24, 56])] },
        { id: 'cpu-split', series: cpu.map(([name, points]) => ({ name, points: points.slice(0, 1) })) },
      ],
    },
    [
      [22_600, 64_300],
      [21_800, 63_900],
      [23_100, 65_000],
    ],
  ),
  measured({ name: 'import-http', unit: 'users/s', reference: 'batches of one', atLeast: 8 }, [
    [22_600, 1_866],
    [21_800, 1_903],
    [23_100, 1_841],
  ]),
  measured(
    {
      name: 'sign-in',
      unit: 'sign-ins/s',
      reference: 'the raw hashing library on as many threads',
      atLeast: 0.9,
      details: { mix: 'bcrypt 10 60 %, Argon2id 30 %, PBKDF2 10 %', errors: { OK: 2214 } },
      plots: [
        { id: 'throughput', series: [rate('sign-in', { seconds: 60, perSecond: 36.9 })] },
        {
          id: 'percentiles',
          series: [
            percentiles('sign-in', [58, 74, 121, 148, 196, 262, 301]),
            percentiles('mixed: sign-in beside an import', [64, 82, 139, 171, 246, 390, 512]),
            percentiles('sign-in in the storm, of those answered', [61, 90, 188, 260, 702, 1310, 1540]),
          ],
        },
        {
          id: 'hash-cost',
          series: [
            { name: 'here', points: hashCosts },
            { name: 'raw', points: hashCosts.map(([kind, ms]) => [kind, ms * 0.97 - 0.002] as const) },
          ],
        },
        { id: 'cpu-split', series: cpu.map(([name, points]) => ({ name, points: points.slice(2, 3) })) },
      ],
    },
    [
      [36.9, 38.6],
      [36.2, 38.9],
      [37.4, 38.8],
    ],
  ),
  measured(
    {
      name: 'verify-email',
      unit: 'visits/s',
      reference: 'node:http echo, two requests',
      plots: [
        { id: 'percentiles', series: [percentiles('verify-email', [6.1, 7.4, 9.3, 11.2, 17.5, 41, 73])] },
        { id: 'cpu-split', series: cpu.map(([name, points]) => ({ name, points: points.slice(3) })) },
      ],
    },
    [
      [6_940, 19_800],
      [6_810, 19_500],
      [7_020, 20_300],
    ],
  ),
  measured(
    {
      name: 'mixed-sign-in-in-time',
      unit: 'of 1,000 within 1.5 times p99 at rest',
      reference: 'promised',
      atLeast: 1,
    },
    [
      [946, 990],
      [971, 990],
      [902, 990],
    ],
  ),
  ...['bcrypt', 'argon2id', 'scrypt', 'pbkdf2', 'sha-crypt', 'md5'].map((kind, n) =>
    measured({ name: `micro/password/${kind}`, unit: 'µs', reference: '2 µs allowed', atMost: 1 }, [
      [0.61 + n * 0.13, 2],
      [0.58 + n * 0.13, 2],
    ]),
  ),
  measured({ name: 'micro/ids', unit: 'ns/call', reference: 'calibrating loop, ns' }, [
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
  scenarios,
};
