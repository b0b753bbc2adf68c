import { parseArgs } from 'node:util';

/** The options of the command line. */
export interface Arguments {
  readonly action: 'run' | 'compare' | 'help' | 'list';
  /** Scenarios by name; empty means all. */
  readonly names: readonly string[];
  readonly quick: boolean;
  /** Whether a missed bar makes the run fail. */
  readonly strict: boolean;
  readonly json: string | undefined;
  /** A file of an earlier run's results, whose ratios are compared with the new ones. */
  readonly earlier: string | undefined;
  /** Whether the figures replace those of docs/measured.md. */
  readonly keep: boolean;
  /** A folder. */
  readonly report: string | undefined;
  /** For `compare`: a git ref. */
  readonly against: string;
  readonly rounds: number;
  /** The address of a deployed core; undefined: scenarios start their own. */
  readonly core: string | undefined;
  /** Whether users of that core may wait for the load. */
  readonly isKnown: boolean;
}

/** An invalid option or argument. */
export class UsageError extends Error {}

const defaultRounds = 3;

const options = {
  quick: { type: 'boolean', default: false },
  strict: { type: 'boolean', default: false },
  json: { type: 'string' },
  keep: { type: 'boolean', default: false },
  earlier: { type: 'string' },
  report: { type: 'string' },
  against: { type: 'string' },
  rounds: { type: 'string' },
  core: { type: 'string' },
  'i-know': { type: 'boolean', default: false },
  list: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const;

/**
 * Reads a command line.
 * @param argv without the program
 * @param known names of scenarios
 * @throws UsageError
 */
export function parseArguments(argv: readonly string[], known: readonly string[]): Arguments {
  const { values, positionals } = read(argv);
  const { quick, strict, json, keep, earlier, report, against = '', rounds, list, help, core } = values;
  const action = help ? 'help' : list ? 'list' : values.against === undefined ? 'run' : 'compare';
  const unknown = positionals.find((name) => !known.includes(name));
  if (action === 'run' || action === 'compare') {
    if (unknown !== undefined) throw new UsageError(`There is no scenario '${unknown}'.`);
    refuseContradictions(values, action);
  }
  const names = [...new Set(positionals)];
  const isKnown = values['i-know'];
  const deployed = { core, isKnown };
  return {
    action,
    names,
    quick,
    strict,
    json,
    keep,
    earlier,
    report,
    against,
    rounds: roundsOf(rounds),
    ...deployed,
  };
}

/** @throws UsageError for options that exclude each other */
function refuseContradictions(values: ReturnType<typeof read>['values'], action: 'run' | 'compare'): void {
  const isComparison = action === 'compare';
  if (values.rounds !== undefined && !isComparison) throw new UsageError('--rounds goes with --against.');
  const alone = (['report', 'earlier'] as const).find((name) => name in values);
  if (isComparison && alone !== undefined) throw new UsageError(`--${alone} does not go with --against.`);
  if (values.keep && (values.quick || isComparison))
    throw new UsageError('--keep takes whole runs: it does not go with --quick or --against.');
  if (values.core !== undefined && (isComparison || values.keep))
    throw new UsageError(
      '--core does not go with --against or --keep: their figures are of a core on this machine.',
    );
  if (values.core !== undefined && !URL.canParse(values.core))
    throw new UsageError('--core takes an address, such as https://core.test.example.');
  if (values.against === '') throw new UsageError('--against takes a git ref.');
}

function read(argv: readonly string[]) {
  try {
    return parseArgs({ args: [...argv], allowPositionals: true, options });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function roundsOf(text: string | undefined): number {
  if (text === undefined) return defaultRounds;
  if (!/^[1-9]\d?$/.test(text)) throw new UsageError('--rounds takes a number from 1 to 99.');
  return Number(text);
}

/** @param scenarios in the order in which they run */
export function usage(scenarios: readonly { readonly name: string; readonly about: string }[]): string {
  return `npm run bench [-- <scenario> …] [--quick] [--json FILE] [--keep] [--earlier FILE] [--report FOLDER] [--strict]
npm run bench -- <scenario> … --core URL [--i-know] [--quick] [--json FILE]
npm run bench -- --against <git ref> [<scenario> …] [--rounds N] [--quick] [--json FILE]

${listOf(scenarios)}

Without a name all run. Each figure is printed with a reference that was measured in the same run: compare ratios, not
figures, between machines.

Before a run stands how long each scenario took the last time, here or on the machine of docs/measured.md. No rounds are
added that would end after 1.5 times of that, and a scenario that takes longer is reported.

  --quick          a small version of everything, within 2 minutes, to see that it works: too short and cold for its
                   ratios to count
  --json FILE      writes machine and results to a file
  --keep           replaces the figures of docs/measured.md (bench/kept/results.json); then run npm run generate
  --earlier FILE   reports which ratios are more than 10 % from those that --json wrote to the file before
  --report FOLDER  writes the page and its pictures there; when all scenarios have run it is written anyway, to
                   bench/report, or bench/report/quick with --quick
  --strict         ends with exit code 1 where a promise is not kept, or a ratio is not the earlier one; ignored
                   with --quick
  --core URL       against a core that runs elsewhere, with the key of CARRYOVER_API_KEY, in an app that is removed
                   afterwards: sign-in, sessions, import-http and bulk
  --i-know         that core has users of its own, who may wait
  --against REF    runs this tree and that commit by turns, and prints here/there of each ratio
  --rounds N       pairs of runs for --against, ${defaultRounds} by default
  --list           the scenarios, and how long each took the last time, whole and with --quick
  --help           this text`;
}

export function listOf(scenarios: readonly { readonly name: string; readonly about: string }[]): string {
  const width = Math.max(...scenarios.map(({ name }) => name.length)) + 2;
  return scenarios.map(({ name, about }) => `  ${name.padEnd(width)}${about}`).join('\n');
}
