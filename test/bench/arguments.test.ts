import { describe, expect, it } from 'vitest';
import { listOf, parseArguments, usage, UsageError } from '../../bench/arguments.ts';

const parse = (...argv: string[]) => parseArguments(argv, ['bulk', 'mixed']);

describe('the command line of the benchmarks', () => {
  it('asks for all scenarios when it is empty', () => {
    expect(parse()).toEqual({
      action: 'run',
      core: undefined,
      isKnown: false,
      names: [],
      quick: false,
      strict: false,
      json: undefined,
      keep: false,
      earlier: undefined,
      report: undefined,
      against: '',
      rounds: 3,
    });
  });

  it('names scenarios, each once, between options', () => {
    expect(
      parse(
        'mixed',
        '--quick',
        'bulk',
        'mixed',
        '--json',
        'a.json',
        '--report=b',
        '--earlier',
        'c.json',
        '--strict',
      ),
    ).toMatchObject({
      action: 'run',
      names: ['mixed', 'bulk'],
      quick: true,
      strict: true,
      json: 'a.json',
      earlier: 'c.json',
      report: 'b',
    });
  });

  it('keeps the figures of whole runs only', () => {
    expect(parse('bulk', '--keep').keep).toBe(true);
    expect(() => parse('--keep', '--quick')).toThrow('--keep takes whole runs');
    expect(() => parse('--keep', '--against', 'HEAD')).toThrow('--keep takes whole runs');
  });

  it('names a ref to run against', () => {
    expect(parse('--against', 'HEAD~1', 'bulk', '--rounds', '5')).toMatchObject({
      action: 'compare',
      names: ['bulk'],
      against: 'HEAD~1',
      rounds: 5,
    });
  });

  it.each([
    ['--help', 'help'],
    ['--list', 'list'],
  ])('%s is answered whatever else is asked', (option, action) => {
    expect(parse(option, 'nonsense', '--rounds', '2').action).toBe(action);
  });

  it.each([
    { argv: ['nonsense'], message: "There is no scenario 'nonsense'." },
    { argv: ['--nonsense'], message: '--nonsense' },
    { argv: ['--json'], message: '--json' },
    { argv: ['--rounds', '2'], message: '--rounds goes with --against.' },
    { argv: ['--core', 'there'], message: '--core takes an address, such as https://core.test.example.' },
    {
      argv: ['--core', 'http://a.example', '--keep'],
      message: '--core does not go with --against or --keep: their figures are of a core on this machine.',
    },
    { argv: ['--against', ''], message: '--against takes a git ref.' },
    { argv: ['--against', 'main', '--report', 'x'], message: '--report does not go with --against.' },
    { argv: ['--against', 'main', '--earlier', 'x'], message: '--earlier does not go with --against.' },
    ...['0', '-1', '1.5', 'three', '100'].map((rounds) => ({
      argv: ['--against', 'main', `--rounds=${rounds}`],
      message: 'a number from 1 to 99',
    })),
  ])('$argv is refused', ({ argv, message }) => {
    expect(() => parse(...argv)).toThrow(UsageError);
    expect(() => parse(...argv)).toThrow(message);
  });

  it('is explained with every scenario and option', () => {
    const scenarios = [
      { name: 'a', about: 'the first' },
      { name: 'longer', about: 'the second' },
    ];
    expect(listOf(scenarios)).toBe('  a       the first\n  longer  the second');
    const text = usage(scenarios);
    expect(text).toContain(listOf(scenarios));
    for (const option of [
      'quick',
      'json',
      'earlier',
      'report',
      'strict',
      'against',
      'rounds',
      'list',
      'help',
    ])
      expect(text).toContain(`\n  --${option} `);
  });
});
