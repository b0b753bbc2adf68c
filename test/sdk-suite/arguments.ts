import { parseArgs } from 'node:util';

/** Ends the command with a message for its caller. */
export class CommandError extends Error {}

export interface Arguments {
  readonly checkout: string;
  /** Directories of the suite; empty means all. */
  readonly only: readonly string[];
  /** The time limit of one directory. */
  readonly minutes: number;
  /** The Python environment with the packages of the suite. */
  readonly python: string | undefined;
}

const usage =
  'Usage: npm run sdk-suite -- <checkout of supertokens-node, supertokens-python or supertokens-golang> [--only directory…] [--minutes 15] [--python file]';

/** @throws CommandError */
export function readArguments(words: readonly string[]): Arguments {
  const { values, positionals } = parse(words);
  const [checkout, ...more] = positionals;
  if (checkout === undefined) throw new CommandError(usage);
  if (more.length > 0 && values.only === undefined)
    throw new CommandError(`One checkout at a time: ${more.join(', ')} is too many\n${usage}`);
  const minutes = Number(values.minutes ?? 15);
  if (!(minutes > 0)) throw new CommandError(`--minutes must be a number greater than 0\n${usage}`);
  return { checkout, only: [...(values.only ?? []), ...more], minutes, python: values.python };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      allowPositionals: true,
      options: {
        only: { type: 'string', multiple: true },
        minutes: { type: 'string' },
        python: { type: 'string' },
      },
    });
  } catch (error) {
    throw new CommandError(`${(error as Error).message}\n${usage}`);
  }
}
