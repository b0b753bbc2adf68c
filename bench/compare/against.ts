import { access, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { UsageError } from '../arguments.ts';
import type { Machine } from '../machine.ts';
import { type Failure, readResults } from '../results.ts';
import { seconds } from '../run.ts';
import {
  compare,
  type ComparedResults,
  describeComparison,
  describeMissing,
  type Pair,
} from './comparison.ts';
import { lastLines, runToEnd } from './processes.ts';
import { withWorktree } from './worktree.ts';

export interface AgainstOptions {
  readonly machine: Machine;
  /** Of this tree's repository. */
  readonly root: string;
  readonly ref: string;
  /** Scenarios by name. */
  readonly names: readonly string[];
  readonly rounds: number;
  readonly quick: boolean;
  readonly print: (line: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The entry in both trees, relative to the project's root. */
const entry = path.join('bench', 'main.ts');
/** The exit code of bench/main.ts for an unknown scenario. */
const usageExitCode = 2;

interface Trees {
  readonly here: string;
  readonly there: string;
}

/**
 * Runs scenarios in this tree and in another commit's in turns, here-there, there-here and so on, so that a machine that becomes
 * slower or faster favours neither, and prints here/there of each ratio.
 * @throws UsageError when there is no such commit, or it has no benchmarks
 */
export async function runAgainst(options: AgainstOptions): Promise<ComparedResults> {
  const { machine, root, ref, names, rounds, print, signal } = options;
  return withWorktree({ root, ref, say: print, signal }, async ({ folder, commit }) => {
    await access(path.join(folder, entry)).catch(() => {
      throw new UsageError(`'${ref}' has no ${entry}.`);
    });
    print(`this tree against ${ref} (${commit.slice(0, 12)}), ${rounds} pairs of runs`);
    const found: Pick<ComparedResults, 'scenarios' | 'missing'>[] = [];
    const failed: Failure[] = [];
    for (const name of names) {
      print(`\n${name}`);
      try {
        const compared = compare(name, await runPairs(name, { here: root, there: folder }, options));
        for (const each of compared.scenarios) print(`  ${describeComparison(each)}`);
        for (const each of compared.missing) print(`  ${describeMissing(each)}`);
        found.push(compared);
      } catch (error) {
        signal?.throwIfAborted();
        const text = error instanceof Error ? error.message : String(error);
        failed.push({ name, error: text });
        print(`  FAILED: ${text}`);
      }
    }
    return {
      machine,
      against: { ref, commit },
      rounds,
      scenarios: found.flatMap(({ scenarios }) => scenarios),
      missing: found.flatMap(({ missing }) => missing),
      ...(failed.length > 0 && { failed }),
    };
  });
}

/** Only the first when a tree has no such scenario: there is nothing to repeat. @throws Error when a run fails */
async function runPairs(name: string, trees: Trees, options: AgainstOptions): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (let round = 0; round < options.rounds; round++) {
    const pair = await runPair(name, trees, { ...options, round });
    pairs.push(pair);
    if (pair.here === undefined || pair.there === undefined) break;
  }
  return pairs;
}

type RoundOptions = AgainstOptions & { /** From 0. */ readonly round: number };

async function runPair(name: string, trees: Trees, options: RoundOptions): Promise<Pair> {
  const pair: { here?: Pair['here']; there?: Pair['there'] } = {};
  for (const side of orderOf(options.round)) pair[side] = await runSide(name, side, trees, options);
  return { here: pair.here, there: pair.there };
}

/** A B B A A B …: each tree is equally often first and second. @param round from 0 */
export function orderOf(round: number): readonly (keyof Trees)[] {
  return round % 2 === 0 ? ['here', 'there'] : ['there', 'here'];
}

async function runSide(
  name: string,
  side: keyof Trees,
  trees: Trees,
  { quick, round, print, signal }: RoundOptions,
): Promise<Pair['here']> {
  const temporary = await mkdtemp(path.join(os.tmpdir(), 'carryover-results-'));
  const file = path.join(temporary, 'results.json');
  const startedAt = performance.now();
  try {
    const args = [entry, name, '--json', file, ...(quick ? ['--quick'] : [])];
    const ended = await runToEnd({ file: process.execPath, args, cwd: trees[side], signal });
    signal?.throwIfAborted();
    const results = await readResults(file);
    if (ended.code === usageExitCode && results === undefined) return undefined;
    if (ended.code !== 0 || results === undefined) {
      throw new Error(`${name} failed ${side}:\n${lastLines(ended.output)}`);
    }
    print(`  round ${round + 1}, ${side}: ${seconds(performance.now() - startedAt)}`);
    return results.scenarios;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}
