import { mostTimes, type Seconds, timeTaken } from './durations.ts';
import type { Deployed } from './load/deployed.ts';
import type { Machine } from './machine.ts';
import { describe, type Failure, type Results } from './results.ts';
import type { BenchOptions, Measurement, Scenario } from './scenario.ts';

export interface RunOptions {
  readonly machine: Machine;
  readonly quick: boolean;
  readonly print: (line: string) => void;
  readonly signal: AbortSignal;
  /** Unhandled rejections so far. */
  readonly strays: readonly unknown[];
  /** Left out: scenarios start cores of their own. */
  readonly deployed?: Deployed | undefined;
  /** How long scenarios took before, as this run has said. */
  readonly last: Seconds;
  /** Called after each scenario that did not throw. */
  readonly note: (took: Seconds) => Promise<void>;
}

/**
 * Runs scenarios in turn and prints their results. One that throws does not end the others.
 * @throws the signal's reason when the run is stopped
 */
export async function runScenarios(scenarios: readonly Scenario[], options: RunOptions): Promise<Results> {
  const { machine, print, signal } = options;
  const { cpu, cores, memoryGiB, node, postgresql, fsync, fsyncsPerSecond } = machine;
  print(`${cpu}, ${cores} cores, ${memoryGiB} GiB, Node ${node}`);
  print(`${postgresql}, fsync ${fsync}, ${fsyncsPerSecond} fsyncs/s`);
  const measurements: Measurement[] = [];
  const failed: Failure[] = [];
  const took: Record<string, number> = {};
  for (const scenario of scenarios) {
    signal.throwIfAborted();
    print(`\n${scenario.name}: ${scenario.about}`);
    try {
      // Unhandled rejections after a scenario has failed may belong to that one.
      const found = await runScenario(scenario, failed.length > 0 ? { ...options, strays: [] } : options);
      measurements.push(...found.measurements.map((each) => ({ ...each, scenario: scenario.name })));
      took[scenario.name] = found.seconds;
      await options.note({ [scenario.name]: found.seconds });
    } catch (error) {
      signal.throwIfAborted();
      const text = error instanceof Error ? error.message : String(error);
      failed.push({ name: scenario.name, error: text });
      print(`  FAILED: ${error instanceof Error ? (error.stack ?? text) : text}`);
    }
  }
  return {
    machine,
    scenarios: measurements,
    about: Object.fromEntries(scenarios.map(({ name, about }) => [name, about])),
    took,
    ...(options.quick && { quick: true }),
    ...(failed.length > 0 && { failed }),
  };
}

interface Ran {
  readonly measurements: readonly Measurement[];
  readonly seconds: number;
}

/** @throws the error of the scenario, or an unhandled rejection */
async function runScenario(scenario: Scenario, options: RunOptions): Promise<Ran> {
  const { quick, print, signal, strays, deployed } = options;
  const startedAt = performance.now();
  const last = options.last[scenario.name];
  const endBy = last === undefined ? undefined : startedAt + mostTimes * last * 1000;
  const say = (line: string): void => {
    signal.throwIfAborted();
    print(`  ${line}`);
  };
  const measurements = await runOn(deployed, scenario, { quick, say, signal, endBy });
  signal.throwIfAborted();
  if (strays.length > 0) throw strays[0];
  for (const measurement of measurements) print(`  ${describe(measurement, quick)}`);
  const taken = (performance.now() - startedAt) / 1000;
  print(`  ${timeTaken(taken, last)}`);
  return { measurements, seconds: taken };
}

function runOn(
  deployed: Deployed | undefined,
  scenario: Scenario,
  options: BenchOptions,
): Promise<Measurement[]> {
  if (deployed === undefined) return scenario.run(options);
  if (scenario.onDeployed === undefined) throw new Error(`${scenario.name} needs a core of its own`);
  return scenario.onDeployed(deployed, options);
}

/** @param ms a duration */
export function seconds(ms: number): string {
  return `${(ms / 1000).toFixed(1)} s`;
}
