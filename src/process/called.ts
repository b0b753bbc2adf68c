import path from 'node:path';

/** How a process was started, as far as its name depends on it. */
export interface Started {
  /** Whether the sources run, and not what was built of them. */
  readonly isClone: boolean;
  /** The program, as Node has it. */
  readonly program: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * What a user types to call the command again, in the folder in which it was started: `npx --no carryover`, its name where the
 * `PATH` has it, else its path. `bin/carryover` says in `CARRYOVER_STARTED_AS` by what it was started.
 */
export function calledBy({ isClone, program = '', environment }: Started): string {
  const byNpm = 'npx --no carryover';
  if (environment.npm_command === 'exec') return byNpm;
  const script = environment.CARRYOVER_STARTED_AS ?? '';
  if (script !== '') return isOnPath(script, environment.PATH) ? 'carryover' : quotedPath(script);
  if (/[\\/]carryover\.mjs$/.test(program)) return `node ${quotedPath(program)}`;
  return isClone ? byNpm : 'carryover';
}

/** The system gives a script that it found on the `PATH` as the folder there and the name. */
function isOnPath(script: string, searched = ''): boolean {
  const { dir, base } = path.parse(script);
  return base === 'carryover' && searched.split(path.delimiter).includes(dir);
}

/** For a shell. */
function quotedPath(file: string): string {
  return /^[\w./~+:@\\-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
}

const isClone = import.meta.url.endsWith('.ts');

/** How the user calls this command. */
export const carryover = calledBy({ isClone, program: process.argv[1], environment: process.env });

/** How the user starts a core. */
export const startCore = isClone ? 'npm start' : `${carryover} serve`;
