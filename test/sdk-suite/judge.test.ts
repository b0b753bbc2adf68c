/** Results that make a run of an SDK's suite fail, and results that do not. */
import { expect, test } from 'vitest';
import { readArguments } from './arguments.ts';
import { runBounded } from './bounded.ts';
import type { Expected } from './expected.ts';
import { readAllExpected, readExpected } from './expected.ts';
import { judge, noResults, type Outcome, type Result } from './judge.ts';
import { listOf, tableOf } from './table.ts';

const known = { suite: 'node', versions: ['24'], file: 'test/a/x.test.js' } as const;
const expected: Expected[] = [
  { ...known, test: 'old tokens', reason: 'of a version that is not served' },
  { ...known, test: 'a page', reason: 'hides its error', needsInternet: true },
];
const result = (name: string, outcome: Outcome, error = ''): Result => ({
  directory: 'a',
  file: 'test/a/x.test.js',
  name,
  outcome,
  error,
});
const judged = (...results: Result[]) => judge(results, expected);
const faults = ({ unexpected, unexpectedPasses }: ReturnType<typeof judge>) => [
  unexpected.map(({ name }) => name),
  unexpectedPasses.map(({ test }) => test),
];

test('a failure is counted apart when it is expected, and where a name was not found', () => {
  const verdict = judged(
    result('old tokens', 'failed', 'status code: 400'),
    result('a page', 'failed', "'OK' is not undefined"),
    result('discovery', 'failed', 'getaddrinfo ENOTFOUND accounts.example'),
    result('new tokens', 'passed'),
    result('later', 'skipped'),
  );
  expect(faults(verdict)).toEqual([[], []]);
  expect(verdict.counts.get('a')).toEqual({ passed: 1, expected: 1, internet: 2, unexpected: 0, skipped: 1 });
  expect(listOf(verdict)).toBe('');
});

test('any other failure is reported, with the beginning of its error', () => {
  const verdict = judged(result('new tokens', 'failed', 'Expected 200\n\n got 500'));
  expect(faults(verdict)).toEqual([['new tokens'], []]);
  expect(listOf(verdict)).toMatch(/FAILED {2}test\/a\/x\.test\.js: new tokens\n +Expected 200\n +got 500/);
  expect(tableOf(verdict)).toMatch(/^a +0 +0 +0 +1 +0$/m);
});

test('an expected failure that passes is reported, but not if another of its name fails', () => {
  expect(faults(judged(result('old tokens', 'passed')))).toEqual([[], ['old tokens']]);
  expect(faults(judged(result('old tokens', 'passed'), result('old tokens', 'failed')))).toEqual([[], []]);
  expect(faults(judged(result('a page', 'passed')))).toEqual([[], []]);
  expect(faults(judged())).toEqual([[], []]);
});

test('a directory without results is a failure', () => {
  expect(faults(judged(noResults('a', { output: 'no such file', isOverdue: false })))[0]).toEqual([
    'ended without results',
  ]);
});

test('what takes longer than its time ends with all that it started', async () => {
  const child = "require('node:child_process').spawn('sleep', ['600'], { stdio: 'inherit' })";
  const hanging = {
    file: process.execPath,
    arguments: ['-e', child],
    cwd: '/',
    environment: {},
    limitMs: 300,
  };
  expect((await runBounded(hanging)).isOverdue).toBe(true);
  const said = { ...hanging, arguments: ['-e', 'console.log(process.env.A)'], environment: { A: 'b' } };
  expect(await runBounded({ ...said, limitMs: 60_000 })).toEqual({
    output: 'b\n',
    isOverdue: false,
    code: 0,
  });
});

test('the arguments are a checkout and directories', () => {
  expect(readArguments(['x', '--only', 'jwt', 'totp', '--minutes', '2'])).toEqual({
    checkout: 'x',
    only: ['jwt', 'totp'],
    minutes: 2,
    python: undefined,
  });
  for (const wrong of [[], ['x', 'y'], ['x', '--minutes', '0'], ['x', '--what']])
    expect(() => readArguments(wrong)).toThrow(/Usage: npm run sdk-suite/);
});

test('no more is expected to fail than can be looked through, each once and with its reason', async () => {
  const all = await readAllExpected();
  const suites = new Map(
    all.flatMap(({ suite, versions }) =>
      versions.map((version) => [`${suite} ${version}`, { name: suite, version }]),
    ),
  );
  for (const suite of suites.values()) {
    const ofCore = (await readExpected(suite)).filter((each) => each.needsInternet !== true);
    expect(ofCore.length).toBeLessThanOrEqual(25);
  }
  expect(await readExpected({ name: 'node', version: '1' })).toEqual([]);
  for (const { reason } of all) expect(reason.length).toBeGreaterThan(10);
  expect(new Set(all.map((each) => `${each.suite} ${each.file} ${each.test}`)).size).toBe(all.length);
});
