import { describe, expect, it } from 'vitest';
import { spring } from '../../../src/exports/providers/spring.ts';
import {
  convertRow,
  claimedBy,
  convertNonsense,
  firstRow,
  isRight,
  methodsOf,
  refusalOf,
  samplePassword,
  samplesOf,
} from '../../helpers/framework-exports.ts';

const row = await firstRow('spring.csv');
const withPassword = (password: unknown) => convertRow(spring, { ...row, password }, {}, {});

describe('an export of Spring Security', () => {
  it('becomes a user by the user name, with the password that the user has', () => {
    const conversion = convertRow(spring, row, {}, {});
    expect(conversion).toEqual({
      ok: true,
      user: {
        isDisabled: false,
        externalUserId: 'ada@example.com',
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            passwordHash: String(row.password).slice('{bcrypt}'.length),
            isVerified: false,
          },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('is recognised, and no other export is', async () => {
    expect((await samplesOf('spring.csv')).map(spring.recognises)).toEqual([10]);
    expect(await claimedBy(spring, ['spring.csv'])).toEqual([]);
  });

  it('takes the email of a column of that name, and keeps the user name', () => {
    const named = convertRow(spring, { ...row, username: 'ada', email: 'ada@mail.example' }, {}, {});
    expect(named).toMatchObject({ user: { externalUserId: 'ada', userMetadata: { username: 'ada' } } });
    expect(methodsOf(named)[0]).toMatchObject({ email: 'ada@mail.example' });
    expect(refusalOf(convertRow(spring, { ...row, username: 'ada' }, {}, {}))).toEqual([
      'NOT_IMPORTABLE',
      'username',
    ]);
    const bad = convertRow(spring, { ...row, email: 'ada at home' }, {}, {});
    expect(refusalOf(bad)).toEqual(['NOT_IMPORTABLE', 'email']);
  });

  it('takes authorities for roles', () => {
    const authorities = [{ username: 'ada@example.com', authority: 'ROLE_ADMIN' }, { username: '' }];
    expect(convertRow(spring, row, { authorities }, {})).toMatchObject({
      user: { userRoles: [{ role: 'ROLE_ADMIN' }] },
    });
  });

  it('of nonsense never stops a run', () => {
    convertNonsense(spring, row, { authorities: [{ username: 'ada', authority: 'ROLE_USER' }] });
  });
});

describe('a password of Spring Security', () => {
  it.each([
    [
      'scrypt',
      '{scrypt}$e0801$8bWJaSu2IKSn9Z9kM+TPXfOc/9bdYSrN1oD9qfVThWEwdRTnO7re7Ei+fUZRJ68k9lTyuTeUp4of4g24hHnazw==$OAOec05+bXxvuu/1qZ6NUR+xQYvYv7BeL1QxwRpY5Pc=',
    ],
    ['pbkdf2', '{pbkdf2}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc'],
    ['sha256', '{sha256}97cde38028ad898ebc02e690819fa220e88c62e0699403e94fff291cfffaf8410849f27605abcbc0'],
    ['MD5', '{MD5}{aRYR+Yp2xSqtgF+vtjH6jNda6M083iEbP+zCFjLt9IA=}905e382a25eed53e22224223b3581092'],
    [
      'argon2',
      '{argon2@SpringSecurity_v5_8}$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
    ],
  ])('under {%s} is right', (_id, password) => {
    expect(isRight(withPassword(password), 'password')).toBe(true);
    expect(isRight(withPassword(password), 'wrong')).toBe(false);
  });

  it('under {ldap} and without an id is what it says of itself', () => {
    expect(isRight(withPassword('{ldap}{SSHA}25ro4PKC8jhQZ26jVsozhX/xaP0suHgX'), 'boabspasswurd')).toBe(true);
    const bare = withPassword('$2a$10$WvvTPHKwdBJ3uk0Z37EMR.hLA2W6N9AEBhEgrAOljy2Ae5MtaSIUi');
    expect(isRight(bare, 'abc')).toBe(true);
  });

  it('in plain text is handed over as such, blanks included: the core refuses it unless it is configured otherwise', () => {
    expect(methodsOf(withPassword('{noop} a b '))).toMatchObject([
      { recipeId: 'emailpassword', plainTextPassword: ' a b ' },
    ]);
  });

  it.each([[''], [null], ['{noop}'], ['{bcrypt}']])(
    'that is %j is none, and never an empty hash',
    (password) => {
      expect(methodsOf(withPassword(password))).toMatchObject([{ recipeId: 'passwordless' }]);
    },
  );

  it.each([
    ['{MD4}abc', 'UNSUPPORTED_HASHING_ALGORITHM'],
    ['{pbkdf2}5d923b44a6d129f3', 'INVALID_PASSWORD_HASH'],
    [
      '{pbkdf2@SpringSecurity_v5_8}5d923b44a6d129f3ddf3e3c8d29412723dcbde72445e8ef6bf3b508fbf17fa4ed4d6b99ca763d8dc',
      'INVALID_PASSWORD_HASH',
    ],
    ['{sha256}97cde38028ad898e', 'INVALID_PASSWORD_HASH'],
    ['{SHA-1}zz', 'INVALID_PASSWORD_HASH'],
    ['{custom}abc', 'UNSUPPORTED_HASHING_ALGORITHM'],
    ['{SSHA}abc', 'INVALID_PASSWORD_HASH'],
    ['hunter2', 'INVALID_PASSWORD_HASH'],
  ])('%s is refused', (password, code) => {
    const conversion = withPassword(password);
    expect(refusalOf(conversion)).toEqual([code, 'password']);
    expect(JSON.stringify(conversion)).not.toContain('hunter2');
  });
});
