import { describe, expect, it } from 'vitest';
import { wordpress } from '../../../src/exports/providers/wordpress.ts';
import {
  convertRow,
  recordOf,
  undeclared,
  claimedBy,
  convertNonsense,
  firstRow,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
  samplesOf,
} from '../../helpers/framework-exports.ts';

const row = await firstRow('wordpress.csv');
const withPassword = (user_pass: unknown) => convertRow(wordpress, { ...row, user_pass }, {}, {});

describe('an export of WordPress', () => {
  it('becomes an unverified user with the password that the user has', () => {
    const conversion = convertRow(wordpress, row, {}, {});
    expect(conversion).toEqual({
      ok: true,
      user: {
        externalUserId: '42',
        userMetadata: { username: 'ada', name: 'Ada Lovelace' },
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            passwordHash: row.user_pass,
            passwordTransforms: 'slashed,trimmed|trimmed',
            isVerified: false,
            timeJoinedInMSSinceEpoch: Date.UTC(2024, 0, 1),
          },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('is recognised, and no other export is', async () => {
    expect((await samplesOf('wordpress.csv')).map(wordpress.recognises)).toEqual([10]);
    expect(await claimedBy(wordpress, ['wordpress.csv'])).toEqual([]);
  });

  it.each([
    ['$P$BQ7vT2mXzsfi8s4YVfCoybEqjxAfW81', undefined, samplePassword],
    ['5f4dcc3b5aa765d61d8327deb882cf99', 'md5', 'password'],
  ])('with the password %s is right', (user_pass, algorithm, plain) => {
    const conversion = withPassword(user_pass);
    expect(isRight(conversion, plain)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
    const [method] = methodsOf(conversion);
    expect(method && 'hashingAlgorithm' in method ? method.hashingAlgorithm : undefined).toBe(algorithm);
  });

  it.each([[''], [null], ['*'], ['x'], ['ZZ4dcc3b5aa765d61d8327deb882cf99']])(
    'with the password %j has none: nothing could ever equal it',
    (user_pass) => {
      expect(methodsOf(withPassword(user_pass))).toMatchObject([{ recipeId: 'passwordless' }]);
    },
  );

  it('refuses a hash of another kind', () => {
    const drupal = `$S$D${'a'.repeat(51)}`;
    expect(refusalOf(withPassword(drupal))).toEqual(['UNSUPPORTED_HASHING_ALGORITHM', 'user_pass']);
    expect(refusalOf(withPassword(String(row.user_pass).slice(0, -1)))).toEqual([
      'INVALID_PASSWORD_HASH',
      'user_pass',
    ]);
  });

  it('takes names and roles from wp_usermeta', () => {
    const usermeta = [
      { user_id: '42', meta_key: 'first_name', meta_value: 'Ada' },
      { user_id: '42', meta_key: 'wp_2_capabilities', meta_value: 'a:1:{s:5:"admin";b:1;}' },
      {
        user_id: '42',
        meta_key: 'shop_capabilities',
        meta_value: 'a:3:{s:6:"editor";b:1;s:8:"customer";b:1;s:3:"old";b:0;}',
      },
    ];
    expect(convertRow(wordpress, row, { usermeta }, {})).toMatchObject({
      user: { userMetadata: { first_name: 'Ada' }, userRoles: [{ role: 'editor' }, { role: 'customer' }] },
    });
  });

  it('states what WordPress hashes: the slashed and trimmed password, unless the whole file is said to be otherwise', () => {
    // Made as WordPress makes them: by the site's form, and by a plug-in that removes the slashes.
    for (const user_pass of ['$P$BQa7x.Z1kyivzcB7ZdZsmJfV3CxAqm0', '$P$BQa7x.Z1kmbvkMAUGX1oSDzVR0c/mw/']) {
      expect(isRight(withPassword(user_pass), 'Nell\'s "old" \\ boat')).toBe(true);
      expect(isRight(withPassword(user_pass), ' Nell\'s "old" \\ boat ')).toBe(true);
      expect(isRight(withPassword(user_pass), 'Nells old  boat')).toBe(false);
    }
    const [method] = methodsOf(convertRow(wordpress, row, {}, { 'password-as': 'typed' }));
    expect(method).not.toHaveProperty('passwordTransforms');
  });

  it('leaves out an invalid date of sign-up', () => {
    const [method] = methodsOf(
      convertRow(wordpress, { ...row, user_registered: '0000-00-00 00:00:00' }, {}, {}),
    );
    expect(method).not.toHaveProperty('timeJoinedInMSSinceEpoch');
  });

  it('refuses deleted users, and missing emails', () => {
    expect(refusalOf(convertRow(wordpress, { ...row, deleted: '1' }, {}, {}))).toEqual([
      'NOT_IMPORTABLE',
      '',
    ]);
    expect(refusalOf(convertRow(wordpress, { ...row, user_email: '' }, {}, {}))).toEqual([
      'NOT_IMPORTABLE',
      'user_email',
    ]);
  });

  it('of nonsense never stops a run', () => {
    const usermeta = [{ user_id: '42', meta_key: 'wp_capabilities', meta_value: 'a:1:{s:5:"admin";b:1;}' }];
    convertNonsense(wordpress, row, { usermeta });
  });
});

describe('the account of WordPress', () => {
  it('knows every column of its tables', () => {
    const usermeta = [{ umeta_id: '1', user_id: '42', meta_key: 'first_name', meta_value: 'Ada' }];
    const wordfence = [{ id: '1', user_id: '42', secret: '0x00ff', recovery: '', ctime: '1', vtime: '1' }];
    const network = { user_status: '0', spam: '0', deleted: '0' };
    const { account } = recordOf(wordpress, { ...row, ...network }, { usermeta, wordfence });
    for (const table of ['users', 'usermeta', 'wordfence']) expect(undeclared(account, table)).toEqual([]);
  });

  it.each([
    [{ user_status: '1' }, true],
    [{ user_status: '0', spam: 'WAHR' }, true],
    [{ user_status: '0', spam: '0' }, false],
  ])('%j: is disabled %j', (change, isDisabled) => {
    expect(recordOf(wordpress, { ...row, ...change }).user).toMatchObject({ isDisabled });
  });

  it('says nothing of it for a site whose users all have the status 0', () => {
    expect(recordOf(wordpress, { ...row, user_status: '0' }).user).not.toHaveProperty('isDisabled');
  });

  it.each(['user_status', 'spam', 'deleted'])('restricts a user whose %s cannot be read', (name) => {
    const { user } = recordOf(wordpress, { ...row, [name]: 'perhaps' });
    expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
  });
});
