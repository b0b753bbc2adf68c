import path from 'node:path';

export interface Started {
  /** Whether the sources run, and not the built package. */
  readonly isClone: boolean;
  readonly program: string | undefined;
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/**
 * The command as a user types it in the folder where it was started: `npx --no carryover`, its name if it is on the `PATH`, else
 * its path. `bin/carryover` states how it was started in `CARRYOVER_STARTED_AS`.
 */
export function calledBy({ isClone, program = '', environment }: Started): string {
  const byNpm = 'npx --no carryover';
  if (environment.npm_command === 'exec') return byNpm;
  const script = environment.CARRYOVER_STARTED_AS ?? '';
  if (script !== '') return isOnPath(script, environment.PATH) ? 'carryover' : quotedPath(script);
  if (/[\\/]carryover\.mjs$/.test(program)) return `node ${quotedPath(program)}`;
  return isClone ? byNpm : 'carryover';
}

/** For a script found on the `PATH` the system passes its folder and name. */
function isOnPath(script: string, searched = ''): boolean {
  const { dir, base } = path.parse(script);
  return base === 'carryover' && searched.split(path.delimiter).includes(dir);
}

function quotedPath(file: string): string {
  return /^[\w./~+:@\\-]+$/.test(file) ? file : `'${file.replaceAll("'", `'\\''`)}'`;
}

const isClone = import.meta.url.endsWith('.ts');

export const carryover = calledBy({ isClone, program: process.argv[1], environment: process.env });

export const startCore = isClone ? 'npm start' : `${carryover} serve`;
