/** Phone numbers without their country: read with --country, otherwise counted with the option that would read them. */

import { describe, expect, it } from 'vitest';
import type { ConvertedBatch } from '../../src/exports/convert/convert.ts';
import { countriesOf, countryNamed } from '../../src/exports/fields/national-phones.ts';
import { unparsable } from '../../src/exports/fields/parsed.ts';
import { parsePhone, parsePhones } from '../../src/exports/fields/texts.ts';
import { providers } from '../../src/exports/providers/index.ts';
import type { ConvertOptions } from '../../src/exports/providers/provider.ts';
import { proposeMapping } from '../../src/exports/recognise/propose-mapping.ts';
import { describeAccount } from '../../src/cli/output/accounting.ts';
import { textOf, useExportFiles } from '../helpers/export-files.ts';

const { fileOf, sourceOf, converted } = useExportFiles();

const auth0 = (...phones: readonly string[]): string =>
  JSON.stringify(
    phones.map((phone, place) => ({
      user_id: `auth0|${place}`,
      email: `u${place}@example.com`,
      email_verified: true,
      phone_number: phone,
      phone_verified: true,
      identities: [],
      created_at: '2024-01-01',
    })),
  );

async function read(text: string, from: string, options: ConvertOptions = {}): Promise<ConvertedBatch> {
  const [batch] = await converted(await sourceOf(fileOf(text), { from, options }));
  if (batch === undefined) throw new Error('there is no batch');
  return batch;
}

describe('--country', () => {
  it.each([
    ['0151 12345678', 'DE', '+4915112345678'],
    ['(415) 555-2671', 'US', '+14155552671'],
    ['06 12 34 56 78', 'FR', '+33612345678'],
    // A number that names its country is not changed.
    ['+44 20 7946 0958', 'DE', '+442079460958'],
    ['0044 20 7946 0958', 'DE', '+442079460958'],
  ] as const)('has %s of %s read as %s', (text, country, expected) => {
    expect(parsePhone(text, country)).toBe(expected);
  });

  it.each(['12', 'call 0151 12345678', '0151 12345678 ext. 4', 'x'])('does not read %j', (text) => {
    expect(parsePhone(text, 'DE')).toBe(unparsable);
  });

  it('reads lists, and each format whose files may have such numbers takes it', async () => {
    expect(parsePhones('0151 12345678|+14155552671', 'DE')).toEqual(['+4915112345678', '+14155552671']);
    const takes = providers.filter(({ options = [] }) => options.some(({ name }) => name === 'country'));
    expect(takes.map(({ name }) => name)).toEqual(
      'aspnet-identity auth0 azure-b2c better-auth clerk cognito firebase native stytch'.split(' '),
    );
    const { text, account } = await read(auth0('0151 12345678'), 'auth0', { country: 'de' });
    expect(Buffer.from(text).toString()).toContain('"phoneNumber":"+4915112345678"');
    expect(account.tables.users?.phone_number).toMatchObject({ used: 1, unparsable: 0 });
  });

  it('is refused where it is no country, before anything is read', async () => {
    expect(countryNamed(' gb ')).toBe('GB');
    for (const country of ['49', 'Germany', 'ZZ', ''])
      await expect(read(auth0('+14155552671'), 'auth0', { country })).rejects.toThrow(
        '--country takes the two letters of a country by ISO 3166',
      );
  });
});

describe('a number without its country', () => {
  it('is counted with countries that were tried on it', async () => {
    const { text, account } = await read(auth0('+14155552671', '0151 12345678', '089 123456'), 'auth0');
    expect(
      Buffer.from(text)
        .toString()
        .match(/phoneNumber/g),
    ).toHaveLength(1);
    const column = account.tables.users?.phone_number;
    expect(column).toMatchObject({ used: 1, unparsable: 2, countries: ['DE', 'AT', 'CN'] });
    expect(describeAccount(account, 'record').join('\n')).toMatch(
      /2 values of phone_number cannot be read \(record 2: 9999 99999999.*it is valid in DE, AT, CN: --country .* such as --country DE/,
    );
  });

  it('that is valid nowhere, or has its country, gets no such advice', async () => {
    for (const text of ['12', '+0', '999', 'none', '2023-01-01', '01.02.2023', 415, ['0151 12345678']])
      expect(countriesOf(text)).toEqual([]);
    const { account } = await read(auth0('+0', '12'), 'auth0');
    expect(describeAccount(account, 'record').join('\n')).not.toContain('--country');
  });

  it('rejects a user who has nothing else, with the advice', async () => {
    const { rejects } = await read('externalUserId,phoneNumber\n1,0151 12345678\n', 'native');
    expect(rejects).toMatchObject([{ field: 'phoneNumber' }]);
    expect(rejects[0]?.message).toContain('such as --country DE');
    const { text } = await read('externalUserId,phoneNumber\n1,0151 12345678\n', 'native', { country: 'DE' });
    expect(textOf([{ text } as ConvertedBatch])).toContain('+4915112345678');
  });
});

describe('a proposed mapping', () => {
  const proposed = (...phones: readonly string[]) =>
    proposeMapping(
      ['id', 'mail', 'mobile'],
      phones.map((mobile, place) => ({ id: String(place), mail: `u${place}@example.com`, mobile })),
    );

  it('names countries in which all numbers are valid, and none for what is no number', () => {
    expect(proposed('0151 12345678', '089 12345678')?.unused).toEqual([
      { column: 'mobile', looks: 'phone', countries: ['DE', 'CN'] },
    ]);
    expect(proposed('+14155552671')?.unused).toEqual([]);
    expect(proposed('12', '13')?.unused).toEqual([]);
  });
});
