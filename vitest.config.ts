import { defineConfig } from 'vitest/config';

const common = {
  // Worker threads, native modules and signals behave in a process of their own as they do in production.
  pool: 'forks',
  // They tell what hangs. A busy machine takes ten times as long as a quiet one.
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 60_000 } },
} as const;

/** Files of test/http about hashes, imports and the database behind the routes: their requests are like any other's. */
const behindHttp = [
  ...['faults-database', 'former-heads', 'hash-report', 'hash-upgrades', 'hashing-memory', 'import-advice'],
  ...['import-hashes', 'other-people', 'password-checks', 'pepper', 'place', 'purge', 'queue-order'],
  ...['queue-passwords', 'races', 'restrictions', 'rules', 'session-cores', 'sign-in-timing', 'three-way'],
];

export default defineConfig({
  test: {
    globalSetup: ['test/helpers/global-setup.ts'],
    // On two cores: a worker waits a third of its time, for commits, timers and the processes that it has started.
    maxWorkers: 3,
    projects: [
      { test: { ...common, name: 'core', include: ['test/**/*.test.ts'] } },
      // What is promised over HTTP holds whichever library speaks it.
      {
        test: {
          ...common,
          name: 'node:http',
          include: ['test/http/**/*.test.ts'],
          exclude: behindHttp.map((name) => `test/http/${name}.test.ts`),
          env: { TESTED_FRONT_END: 'NODE_HTTP' },
        },
      },
    ],
  },
});
