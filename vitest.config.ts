import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: ['test/helpers/global-setup.ts'],
    // Worker threads, native modules and signals behave in a process of their own as they do in production.
    pool: 'forks',
    maxWorkers: 2,
    // They tell what hangs. A busy machine takes ten times as long as a quiet one.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
