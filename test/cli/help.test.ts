/** Help fits a screen, and everything that it leaves out is one flag away. */
import { beforeAll, describe, expect, it } from 'vitest';
import { providers } from '../../src/exports/providers/index.ts';
import { flagNames } from '../../src/cli/input/flags/provider-flags.ts';
import { runHere } from '../helpers/command.ts';

async function helpOf(...args: string[]): Promise<string> {
  const { code, stdout } = await runHere([...args, '--help'], { folder: '.' });
  expect(code).toBe(0);
  return stdout;
}

/** Long names, each once. */
function optionsIn(help: string): string[] {
  return [...help.matchAll(/^ {2}(?:-\w, )?--([\w-]+)/gm)].map(([, name = '']) => name);
}

const ofFiles = ['import', 'inspect', 'plan', 'convert', 'doctor'];

describe.each(ofFiles)('%s --help', (name) => {
  let short: string;
  let whole: string;
  beforeAll(async () => {
    short = await helpOf(name);
    whole = await helpOf(name, '--all');
  });

  it('fits a screen of 40 lines with 80 columns', () => {
    const lines = short.trimEnd().split('\n');
    expect(lines.length).toBeGreaterThanOrEqual(24);
    expect(lines.length).toBeLessThanOrEqual(40);
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
  });

  it('explains every option that it names, and names only what there is', () => {
    const named = optionsIn(short);
    expect(named.length).toBeGreaterThan(8);
    expect(new Set(named).size).toBe(named.length);
    expect(optionsIn(whole)).toEqual(expect.arrayContaining(named));
    expect(short).not.toMatch(/^ {2}--\S+(?: <\S+>)?\s*$/m);
  });

  it('has every option behind --all, those of all formats too', () => {
    const flags = providers.flatMap(flagNames);
    expect(optionsIn(whole)).toEqual(expect.arrayContaining(flags));
    expect(short).toContain(`carryover ${name} --help --all\n`);
  });
});

describe('the options of a format', () => {
  it.each(providers.filter((each) => flagNames(each).length > 0))(
    'are in `import --from $name --help`, without those of others',
    async (provider) => {
      const help = await helpOf('import', '--from', provider.name);
      expect(optionsIn(help).toSorted()).toEqual(flagNames(provider).toSorted());
      expect(help).toContain(`docs/from/${provider.name}.md`);
    },
  );

  it('are not in the short help', async () => {
    expect(await helpOf('import')).not.toContain('--auth0-hashes');
    expect(await helpOf('import', '--from', 'auth0')).toContain('--auth0-hashes <file>');
  });
});

describe('carryover --help', () => {
  it('groups the commands by when they are used, each on one line', async () => {
    const help = await helpOf();
    const titles = [...help.matchAll(/^(\w[\w ]+:)\n {2}\w/gm)].map(([, title]) => title);
    expect(titles).toEqual(['Before an import:', 'Import:', 'After an import:', 'Operate a core:']);
    expect(help).toMatch(
      /Before an import:\n {2}providers [^]* inspect [^]* doctor [^]*\n\nImport:\n {2}import /,
    );
    expect(help).toMatch(
      /After an import:\n {2}jobs [^]* undo [^]*\n\nOperate a core:\n {2}serve [^]* backup /,
    );
    const lines = help.split('\n');
    expect(lines.filter((line) => line.length > 80)).toEqual([]);
    expect(lines.filter((line) => /^ {6}/.test(line))).toEqual([]);
  });
});

it('help is in plain English', async () => {
  const program = await helpOf();
  const names = [...program.matchAll(/^ {2}([a-z-]+) {2}/gm)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(20);
  const texts = await Promise.all(names.map((name) => helpOf(name, '--all')));
  const odd = texts.flatMap(
    (text) => text.match(/\b(?:nobody|somebody|everybody|whoever|tells?|told)\b/gi) ?? [],
  );
  expect(odd).toEqual([]);
});
