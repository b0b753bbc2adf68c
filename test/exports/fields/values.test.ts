import { describe, expect, it } from 'vitest';
import { parseFlag } from '../../../src/exports/fields/flags.ts';
import { ambiguous, unparsable } from '../../../src/exports/fields/parsed.ts';
import { parsePython } from '../../../src/exports/fields/python.ts';
import { parseState } from '../../../src/exports/fields/state-words.ts';
import {
  parseId,
  parseInteger,
  parseObjects,
  parsePhone,
  parsePhones,
  parseText,
  parseTexts,
} from '../../../src/exports/fields/texts.ts';
import { parseEvidence, parseMoment, parseUntil } from '../../../src/exports/fields/times.ts';

const absents = [
  undefined,
  null,
  '',
  ' ',
  '\\N',
  'NULL',
  'null',
  '(null)',
  'None',
  'nil',
  'NaN',
  'NaT',
  '-',
  '[NULL]',
  '(Null)',
  '#N/A',
];

it.each([
  parseText,
  parseFlag,
  parseMoment,
  parseEvidence,
  parseUntil,
  parsePhone,
  parsePhones,
  parseTexts,
  parseObjects,
])('%o: an absent value is spelt in many ways', (parse) => {
  expect(absents.map((each) => parse(each))).toEqual(absents.map(() => undefined));
});

describe('a flag', () => {
  it.each(['true', 'T', 'yes', '1', 'WAHR', 'VRAI', 'VERDADERO', 'Ja', "b'1'", '\u0001', 1, true])(
    'is set: %j',
    (value) => {
      expect(parseFlag(value)).toBe(true);
    },
  );

  it.each(['false', 'F', 'no', '0', 'FALSCH', 'FAUX', 'FALSO', 'nein', "b'0'", '\u0000', 0, false])(
    'is not set: %j',
    (value) => {
      expect(parseFlag(value)).toBe(false);
    },
  );

  it.each(['disabled', 'banned', '2', 2, [], {}, 'maybe'])('is neither: %j', (value) => {
    expect(parseFlag(value)).toBe(unparsable);
  });
});

describe('a time', () => {
  const instant = Date.UTC(2023, 0, 5, 9, 7);
  it.each([
    ['2023-01-05T09:07:00Z'],
    ['2023-01-05 09:07:00.000+00'],
    ['2023-01-05 10:07 +0100'],
    ['2023-01-05 09:07:00 UTC'],
    ['2023/01/05 09:07:00'],
    ['05.01.2023 09:07'],
    ['5.1.2023, 09:07:00'],
    ['Thu, 05 Jan 2023 09:07:00 +0000'],
    ['Thu, 5 Jan 2023 09:07:00 GMT'],
    ['Thu Jan 05 2023 10:07:00 GMT+0100 (Central European Standard Time)'],
    ['Jan 5 2023 9:07AM'],
    ['January 5, 2023 9:07 AM'],
    ['05-JAN-23 09:07:00'],
    ['05-JAN-23 09.07.00.000000000 AM'],
    ['05-JAN-23 10.07.00.000000 AM +01:00'],
    ['/Date(1672909620000)/'],
    ['/Date(1672909620000+0100)/'],
    [1_672_909_620],
    ['1672909620000'],
    [1_672_909_620_000_000],
    // .NET: new DateTime(2023, 1, 5, 9, 7, 0).Ticks
    ['638085064200000000'],
    // MediaWiki; LDAP's GeneralizedTime; Windows' FILETIME.
    ['20230105090700'],
    [20_230_105_090_700],
    ['20230105090700Z'],
    ['20230105100700.0+0100'],
    ['133173832200000000'],
    // Excel: =DATE(2023,1,5)+TIME(9,7,0)
    [44_931.379_861_111_1],
  ])('is read from %j', (value) => {
    expect(parseMoment(value)).toBe(instant);
  });

  it('has its day and month in the order that is said, where both are possible', () => {
    expect(parseMoment('3/4/2023')).toBe(ambiguous);
    expect(parseMoment('3/4/2023', 'dmy')).toBe(Date.UTC(2023, 3, 3));
    expect(parseMoment('3/4/2023', 'mdy')).toBe(Date.UTC(2023, 2, 4));
    expect(parseMoment('13/4/2023', 'mdy')).toBe(Date.UTC(2023, 3, 13));
    expect(parseMoment('4/13/2023 1:05 PM')).toBe(Date.UTC(2023, 3, 13, 13, 5));
    expect(parseMoment('4/4/2023')).toBe(Date.UTC(2023, 3, 4));
  });

  const sentinels = [
    '0000-00-00 00:00:00',
    '0000-00-00',
    '0001-01-01T00:00:00Z',
    '1900-01-01',
    '9999-12-31',
    'infinity',
    '9223372036854775807',
    0,
  ];
  it.each(sentinels)('is not known: %j', (value) => {
    expect(parseMoment(value)).toBeUndefined();
  });

  it.each([
    '2023-02-29',
    '2024-13-01',
    '2024-01-15 25:00:00',
    'yesterday',
    '31.02.2023',
    '1 Foo 2023',
    -1,
    1e300,
    {},
    true,
  ])('is unparsable: %j', (value) => {
    expect(parseMoment(value)).toBe(unparsable);
  });
});

it('evidence is a time or a flag, which keeps its meaning, and no far date', () => {
  const evidence = ['2023-01-05', 't', '1', true, 'f', '0', false, '0000-00-00', '9999-12-31', 'maybe'].map(
    (each) => parseEvidence(each),
  );
  expect(evidence).toEqual([true, true, true, true, false, false, false, false, false, unparsable]);
});

it('an end is a time, never, or for good', () => {
  const ends = ['2023-01-05', '9999-12-31 23:59:59', 'infinity', true, false, '0001-01-01', 'soon'].map(
    (each) => parseUntil(each),
  );
  expect(ends).toEqual([Date.UTC(2023, 0, 5), Infinity, Infinity, Infinity, 0, 0, unparsable]);
});

it('a phone number has its country', () => {
  expect(parsePhone('+49 (151) 1234-5678')).toBe('+4915112345678');
  expect(parsePhone('0049 151 12345678')).toBe('+4915112345678');
  expect(parsePhone('0151 12345678')).toBe(unparsable);
});

describe('a list', () => {
  it.each([
    ['an array', ['a', ' b ']],
    ['JSON', '["a","b"]'],
    ['Python', "['a', 'b']"],
    ['PostgreSQL', '{a,"b"}'],
    ['bars', 'a|b'],
  ])('of texts as %s', (_, value) => {
    expect(parseTexts(value)).toEqual(['a', 'b']);
  });

  it('of phones is read as a whole or not at all', () => {
    expect(parsePhones('+15555550100|+1 555 555 0101')).toEqual(['+15555550100', '+15555550101']);
    expect(parsePhones('+15555550100|0555')).toBe(unparsable);
    expect(parseTexts('[1,')).toBe(unparsable);
    expect(parseTexts([{}])).toBe(unparsable);
  });

  it('of records is read as Python prints it, without evaluating anything', () => {
    expect(
      parseObjects(`[{'a': None, 'b': [True, False, -1.5e3], "c": 'it\\'s \\u00e9\\n', u'd': ()}]`),
    ).toEqual([{ a: null, b: [true, false, -1500], c: "it's \u00e9\n", d: [] }]);
    expect(parsePython("{'id': 12345678901234567890}")).toEqual({ id: '12345678901234567890' });
    const rest = [
      '[OrderedDict()]',
      "[{'a': open('x')}]",
      "[{'a': 1]",
      '[{1: 2}]',
      '[1] + [2]',
      "['a' 'b']",
      '['.repeat(100_000),
    ];
    for (const text of rest) expect(parsePython(text), text.slice(0, 20)).toBeUndefined();
    expect(parseObjects("[{'a': datetime.datetime(2024, 1, 1)}]")).toBe(unparsable);
    expect(parseObjects("[{'__proto__': {'b': 1}}]")).toEqual([JSON.parse('{"__proto__":{"b":1}}')]);
  });
});

it('a whole number is written in decimals', () => {
  expect(['12', ' 12', 12, '-1', 'NULL'].map((each) => parseInteger(each))).toEqual([
    12,
    12,
    12,
    -1,
    undefined,
  ]);
  for (const value of ['1e3', '0x10', '1.5', 1.5, 2 ** 60, true])
    expect(parseInteger(value)).toBe(unparsable);
});

it('a directory has no end for locks that only an administrator lifts', () => {
  expect(parseEvidence('000001010000Z')).toBe(true);
  expect(parseUntil('000001010000Z')).toBe(Infinity);
  expect(parseUntil('20230105090700Z')).toBe(Date.UTC(2023, 0, 5, 9, 7));
});

it('an id is not what a spreadsheet rounded', () => {
  const ids = ['9.02157E+17', '1,02936e+17', '902157000000000000', '12E4', 'abc', '[NULL]'].map(parseId);
  expect(ids).toEqual([unparsable, unparsable, '902157000000000000', '12E4', 'abc', undefined]);
});

it('a state keeps out by words of one sense, and says nothing by others', () => {
  const states = ['Active', 'banned', 'ldap_blocked', 'gesperrt', 'online', '1', 2, true, '(Null)', {}];
  expect(states.map(parseState)).toEqual([
    false,
    true,
    true,
    true,
    undefined,
    undefined,
    undefined,
    undefined,
    undefined,
    unparsable,
  ]);
});
