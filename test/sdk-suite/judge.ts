import type { Ended } from './bounded.ts';
import type { Expected } from './expected.ts';

export type Outcome = 'passed' | 'failed' | 'skipped';

/** The outcome of one test. */
export interface Result {
  readonly directory: string;
  readonly file: string;
  readonly name: string;
  readonly outcome: Outcome;
  readonly error: string;
}

/** How a result is counted. */
export type Count = 'passed' | 'expected' | 'internet' | 'unexpected' | 'skipped';

export interface Verdict {
  /** By directory, in the order in which they ran. */
  readonly counts: ReadonlyMap<string, Readonly<Record<Count, number>>>;
  readonly unexpected: readonly Result[];
  readonly unexpectedPasses: readonly Expected[];
}

/** Resolvers' errors for an unknown name; the core itself is called at an address or as localhost. */
const unknownName =
  /ENOTFOUND|EAI_AGAIN|Name or service not known|Temporary failure in name resolution|nodename nor servname provided|lookup \S+ on \S+: |lookup \S+: no such host/;

/** Judges results by the expectations for their suite. Directories that did not run are ignored. */
export function judge(results: readonly Result[], expected: readonly Expected[]): Verdict {
  const counts = new Map<string, Record<Count, number>>();
  const unexpected: Result[] = [];
  for (const result of results) {
    const count = countOf(result, expected);
    const row = counts.get(result.directory) ?? {
      passed: 0,
      expected: 0,
      internet: 0,
      unexpected: 0,
      skipped: 0,
    };
    counts.set(result.directory, { ...row, [count]: row[count] + 1 });
    if (count === 'unexpected') unexpected.push(result);
  }
  const unexpectedPasses = expected.filter((each) => each.needsInternet !== true && passes(each, results));
  return { counts, unexpected, unexpectedPasses };
}

/** How one result is counted. */
export function countOf(result: Result, expected: readonly Expected[]): Count {
  if (result.outcome !== 'failed') return result.outcome;
  if (unknownName.test(result.error)) return 'internet';
  const known = expected.find((each) => isOf(each, result));
  if (known === undefined) return 'unexpected';
  return known.needsInternet === true ? 'internet' : 'expected';
}

/** The result of a directory whose process reported none, or not all. */
export function noResults(directory: string, ended: Pick<Ended, 'output' | 'isOverdue'>): Result {
  const why = ended.isOverdue ? 'ended after its time' : 'ended without results';
  return { directory, file: directory, name: why, outcome: 'failed', error: ended.output };
}

/** Several tests may have one name: one failure is enough. */
function passes(expected: Expected, results: readonly Result[]): boolean {
  const own = results.filter((each) => isOf(expected, each));
  return own.length > 0 && own.every(({ outcome }) => outcome === 'passed');
}

function isOf({ file, test }: Expected, result: Result): boolean {
  return file === result.file && test === result.name;
}
