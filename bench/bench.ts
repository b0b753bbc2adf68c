import path from 'node:path';
import { type Arguments, parseArguments, usage, UsageError } from './arguments.ts';
import { agreementOf, describeAgreement, readEarlier } from './compare/agreement.ts';
import { runAgainst } from './compare/against.ts';
import { CommandError } from '../src/cli/command-error.ts';
import { announced, type DurationStore, listWithTimes } from './durations.ts';
import { collectStrays, interruptedExitCode, type Interruption, interruptible } from './interruption.ts';
import { type Deployed, openDeployed } from './load/deployed.ts';
import type { Machine } from './machine.ts';
import { isKept, type Results, writeJson } from './results.ts';
import { type RunOptions, runScenarios, seconds } from './run.ts';
import type { Scenario } from './scenario.ts';

export interface BenchContext {
  readonly argv: readonly string[];
  readonly scenarios: readonly Scenario[];
  /** The project's folder. */
  readonly root: string;
  readonly describeMachine: () => Machine | Promise<Machine>;
  readonly print: (line: string) => void;
  /** Of a deployed core. */
  readonly apiKey?: string | undefined;
  /** Writes the results into those that docs/measured.md shows. */
  readonly keep: (results: Results) => Promise<void>;
  readonly durations: DurationStore;
  readonly report: {
    /** The folder for the report of all scenarios. */
    readonly defaultFolder: string;
    /** @returns the path of the page */
    write(results: Results, folder: string): Promise<string>;
  };
}

/** The parts of the command once its arguments are known. */
interface Asked extends BenchContext, Pick<RunOptions, 'signal' | 'strays'> {
  readonly asked: Arguments;
}

/**
 * The command `npm run bench`.
 * @returns its exit code: 1 when something failed, or with --strict when a bar was missed; 2 for an invalid argument; 130 when it
 *   was stopped
 */
export async function bench(context: BenchContext): Promise<number> {
  const { argv, scenarios, print } = context;
  const interruption = interruptible(print);
  const strays = collectStrays();
  try {
    const asked = parseArguments(
      argv,
      scenarios.map(({ name }) => name),
    );
    return await answer({ ...context, asked, signal: interruption.signal, strays: strays.reasons });
  } catch (error) {
    return exitCodeOf(error, interruption, context);
  } finally {
    interruption.close();
    strays.close();
  }
}

function exitCodeOf(error: unknown, { signal }: Interruption, { scenarios, print }: BenchContext): number {
  if (signal.aborted) {
    print('stopped');
    return interruptedExitCode;
  }
  if (error instanceof CommandError) {
    print(error.message);
    return 2;
  }
  if (!(error instanceof UsageError)) throw error;
  print(`${error.message}\n\n${usage(scenarios)}`);
  return 2;
}

async function answer(context: Asked): Promise<number> {
  const { asked, scenarios, print } = context;
  switch (asked.action) {
    case 'help':
      print(usage(scenarios));
      return 0;
    case 'list':
      print(listWithTimes(scenarios, await context.durations.read()));
      return 0;
    case 'compare':
      return compareTrees(context);
    case 'run':
      return run(context);
  }
}

async function run(context: Asked): Promise<number> {
  const { asked, print, signal, strays } = context;
  const { quick, json, strict } = asked;
  // Before anything runs: otherwise a wrong file would be reported an hour later.
  const earlier = asked.earlier === undefined ? undefined : await readEarlier(asked.earlier);
  const deployed = await deployedIn(context);
  const timed = await timing(context, deployed);
  const startedAt = performance.now();
  const machine = await context.describeMachine();
  const options = { machine, quick, print, signal, strays, deployed, ...timed };
  const results = await runScenarios(chosen(context), options);
  print(`\n${seconds(performance.now() - startedAt)} in all`);
  if (json !== undefined) {
    await writeJson(json, results);
    print(`written to ${json}`);
  }
  if (asked.keep) {
    await context.keep(results);
    print('kept for docs/measured.md: run npm run generate');
  }
  await reportOn(results, context);
  const agreement = earlier && agreementOf(earlier, results);
  if (agreement) describeAgreement(agreement).forEach(print);
  const isAsPromised = results.scenarios.every(isKept) && !agreement?.differences.length;
  return results.failed === undefined && (isAsPromised || quick || !strict) ? 0 : 1;
}

/** Says beforehand how long it takes. A deployed core has its own pace: then nothing is said or stored. */
async function timing(
  context: Asked,
  deployed: Deployed | undefined,
): Promise<Pick<RunOptions, 'last' | 'note'>> {
  const { asked, durations, print } = context;
  if (deployed !== undefined) return { last: {}, note: () => Promise.resolve() };
  const mode = asked.quick ? 'quick' : 'full';
  const { [mode]: last } = await durations.read();
  print(`${announced(chosen(context), last)}\n`);
  return { last, note: (took) => durations.note(mode, took) };
}

/** @throws UsageError for a scenario that needs a core of its own; CommandError for a core or a key that does not fit */
async function deployedIn(context: Asked): Promise<Deployed | undefined> {
  const { asked, scenarios, signal, apiKey } = context;
  if (asked.core === undefined) return undefined;
  const able = scenarios.filter(({ onDeployed }) => onDeployed !== undefined).map(({ name }) => name);
  const unable = chosen(context).find(({ onDeployed }) => onDeployed === undefined);
  if (unable !== undefined)
    throw new UsageError(
      `'${unable.name}' needs a core of its own: with --core there are ${able.join(', ')}.`,
    );
  if (apiKey === undefined) throw new UsageError('--core needs the key of that core in CARRYOVER_API_KEY.');
  return openDeployed({ url: asked.core, apiKey }, asked.isKnown, signal);
}

/** A report of all scenarios, or one that was requested. */
async function reportOn(results: Results, context: Asked): Promise<void> {
  const { asked, report, print } = context;
  const isWhole = asked.names.length === 0 && results.failed === undefined;
  const folder = asked.report ?? (isWhole ? defaultReport(context) : undefined);
  if (folder !== undefined) print(`the report is ${await report.write(results, folder)}`);
}

/** A quick run has a separate folder: its figures must not replace real ones. */
function defaultReport({ report, asked }: Asked): string {
  return asked.quick ? path.join(report.defaultFolder, 'quick') : report.defaultFolder;
}

async function compareTrees(context: Asked): Promise<number> {
  const { root, asked, print, signal } = context;
  const { against: ref, rounds, quick, json } = asked;
  const { [quick ? 'quick' : 'full']: last } = await context.durations.read();
  print(`${announced(chosen(context), last)}; each runs ${2 * rounds} times`);
  const names = chosen(context).map(({ name }) => name);
  const machine = await context.describeMachine();
  const results = await runAgainst({ machine, root, ref, names, rounds, quick, print, signal });
  if (json !== undefined) {
    await writeJson(json, results);
    print(`\nwritten to ${json}`);
  }
  return results.failed === undefined ? 0 : 1;
}

/** In the order of the list. */
function chosen({ asked: { names, quick }, scenarios }: Asked): Scenario[] {
  return scenarios.filter(({ name, isOnlyNamed = false }) =>
    names.length === 0 ? quick || !isOnlyNamed : names.includes(name),
  );
}
