/** Each option that a run can have, as the parser of its command takes it. */
import { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { addCompare } from '../../src/cli/commands/compare.ts';
import { addDoctor } from '../../src/cli/commands/doctor.ts';
import { addExportFrom } from '../../src/cli/commands/exports/export-from.ts';
import { addImport } from '../../src/cli/commands/import.ts';
import { addInspect } from '../../src/cli/commands/inspect.ts';
import { addPlan } from '../../src/cli/commands/plan.ts';
import type { Frame } from '../../src/cli/commands/command.ts';
import type { Surroundings } from '../../src/cli/surroundings.ts';
import { commandLine } from '../../src/features/console/command-line.ts';
import { type RunKind, runKinds } from '../../src/features/console/model.ts';
import { type ConsoleInputs, consoleBodies } from '../../src/features/console/schema.ts';
import { choices, flags, texts } from '../../src/features/console/pages/import/more-options.ts';

type RunInput = ConsoleInputs['startRun'];

const { properties } = consoleBodies.startRun;

/** A value of each option, and for those with a list of values the last. */
const values: Readonly<Record<string, unknown>> = {
  address: 'postgres://reader:secret@db.example.com/shop',
  map: ['email=mail', 'passwordHash=pwd'],
  from: 'laravel',
  hashAs: 'md5',
  withoutPassword: 'passwordless',
  idPrefix: 'forum:',
  tenant: 'public',
  encoding: 'latin1',
  table: 'users',
  dates: 'mdy',
  country: 'DE',
  rolesFrom: 'app_metadata.roles',
  onConflict: 'reject',
  secondFactor: 'drop',
  absent: 'remove',
  source: 'shop',
  schema: 'shop',
  tablePrefix: 'wp_',
  usersTable: 'members',
  realm: 'main',
  partial: true,
  includeDeleted: true,
  showSamples: true,
};

/** Not options: what is run, of which files, and what is in its environment. */
const others = ['kind', 'files', 'canaries', 'related', 'secrets'];

const files = {
  files: ['/files/users.ndjson'],
  canaries: '/files/known.csv',
  related: Object.fromEntries(
    Object.keys(properties.related.properties).map((name) => [name, `/files/${name}`]),
  ),
  folder: '/run',
  out: '/files/out.ndjson',
};

interface Parsed {
  readonly command: string;
  readonly args: readonly unknown[];
  readonly options: Readonly<Record<string, unknown>>;
}

/** By the parsers of the commands themselves, which then do nothing. */
async function parse(args: readonly string[]): Promise<Parsed> {
  const program = new Command().exitOverride();
  const surroundings = { environment: {}, stdout: process.stdout } as unknown as Surroundings;
  const frame: Frame = { args, version: '0.0.0', surroundings, action: () => () => Promise.resolve() };
  for (const add of [addImport, addInspect, addDoctor, addPlan, addCompare, addExportFrom])
    add(program, frame);
  for (const command of program.commands)
    command.exitOverride().configureOutput({ writeErr: () => undefined });
  await program.parseAsync(args, { from: 'user' });
  const command = program.commands.find((each) => each.name() === args[0]);
  return { command: command?.name() ?? '', args: command?.args ?? [], options: command?.opts() ?? {} };
}

function lineOf(input: object, kind: RunKind): readonly string[] {
  const core = { url: 'http://localhost:3567', appId: 'shop' };
  // A run that lacks them is refused before.
  const needed = kind === 'read-database' ? { from: values.from, address: values.address } : {};
  return commandLine({ kind, ...needed, ...input } as RunInput, files, core).args;
}

describe('the command of a run', () => {
  it('is tried with each option that a run can have', () => {
    expect([...Object.keys(values), ...others].toSorted()).toEqual(Object.keys(properties).toSorted());
  });

  const inputs = Object.entries(values).map(([name, value]) => [name, { [name]: value }] as const);
  const all = [['all of them', values], ['none', {}], ...inputs] as const;

  it.each(runKinds.flatMap((kind) => all.map(([name, input]) => ({ kind, name, input }))))(
    'of $kind with $name is accepted by its parser',
    async ({ kind, input }) => {
      const line = lineOf(input, kind);
      const { args, options } = await parse(line);
      expect(args.length).toBeGreaterThan(kind === 'doctor' ? -1 : 0);
      expect(options.json).toBe(true);
    },
  );

  it.each(runKinds)('of %s takes all further files of formats', async (kind) => {
    const { options } = await parse(lineOf({ files: [] }, kind));
    const names = Object.keys(files.related).map((name) =>
      name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    );
    const given = names.filter((name) => name in options);
    expect(given).toEqual(kind === 'read-database' ? [] : names);
  });

  it('has each option of the pages with a value that the page offers', async () => {
    const offered = choices.flatMap(([name, , of]) => of.map(([value]) => ({ [name]: value })));
    const typed = texts.map(([name]) => ({ [name]: values[name] }));
    const ticked = flags.map(([name]) => ({ [name]: true }));
    for (const input of [...offered, ...typed, ...ticked])
      for (const kind of ['dry-run', 'import', 'inspect', 'plan', 'doctor', 'compare'] as const)
        await parse(lineOf(input, kind));
    expect(typed.every((input) => Object.values(input).every((value) => value !== undefined))).toBe(true);
  });

  it('keeps each value in one argument with its option', async () => {
    const { options } = await parse(lineOf({ idPrefix: '--yes', source: '--absent=remove' }, 'dry-run'));
    expect(options).toMatchObject({ idPrefix: '--yes', source: '--absent=remove', dryRun: true });
    expect(options).not.toHaveProperty('yes');
    expect(options).not.toHaveProperty('absent');
  });
});
