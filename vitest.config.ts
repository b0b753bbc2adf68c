import { configDefaults, defineConfig } from 'vitest/config';

const common = {
  // Worker threads, native modules and signals behave in a process of their own as they do in production.
  pool: 'forks',
  // They tell what hangs. A busy machine takes ten times as long as a quiet one.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
  // CI has a limit in time.
  runner: './test/helpers/timed-runner.ts',
} as const;

/**
 * Files of test/http whose promises depend on the library that speaks HTTP: bodies, limits, streams, hang-ups, headers,
 * addresses, errors, the end of a core, and every route once. What is behind the routes is the same with both libraries.
 */
const overHttp = [
  'audit',
  'bulk-queue',
  'bulk-streams.long',
  'discovery',
  'export',
  'faults-pool',
  'framing',
  'front-end',
  'hooks',
  'import',
  'large-bodies.long',
  'named-keys',
  'overload',
  'probes',
  'secrets',
  'shutdown',
  'sign-in',
  'throttle',
  'tus',
  'users',
  'versions',
  'wrong-file',
];

/**
 * Files that share their worker's process, and so load Node's modules and the core's once for many files: what they test has no
 * state outside of itself, and they do not measure the process. Of 136 files loading was a quarter of the CPU time.
 */
const inOneProcess = ['unit', 'exports', 'store', 'sources'].map((folder) => `test/${folder}/**/*.test.ts`);

/** Kills, full disks, random histories, and what repeats much of the rest as a reader, a package or a file from the field does. */
const long = 'test/**/*.long.test.ts';

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/global-setup.ts'],
    // On two cores: a worker waits a third of its time, for commits, timers and the processes that it has started.
    maxWorkers: 3,
    projects: [
      {
        test: {
          ...common,
          name: 'core',
          include: ['test/**/*.test.ts'],
          exclude: [...configDefaults.exclude, ...inOneProcess, long],
        },
      },
      { test: { ...common, name: 'one-process', include: inOneProcess, isolate: false } },
      { test: { ...common, name: 'long', include: [long] } },
      {
        test: {
          ...common,
          name: 'node:http',
          include: overHttp.map((name) => `test/http/${name}.test.ts`),
          env: { TESTED_FRONT_END: 'NODE_HTTP' },
        },
      },
    ],
  },
});
