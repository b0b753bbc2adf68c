import { describe, expect, it } from 'vitest';
import { django } from '../../../src/exports/providers/django.ts';
import { ExportFault } from '../../../src/exports/providers/provider.ts';
import type { SourceRow } from '../../../src/exports/providers/provider.ts';
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

const row = await firstRow('django.json');
const fields = row.fields as SourceRow;
const withFields = (more: SourceRow): SourceRow => ({ ...row, fields: { ...fields, ...more } });
const identities = django.tables.find(({ name }) => name === 'identities');

const address = (verified: boolean, email = 'Ada@example.com'): SourceRow => ({
  model: 'account.emailaddress',
  pk: 1,
  fields: { user: 42, email, verified, primary: true },
});
const allauth: SourceRow = {
  model: 'socialaccount.socialaccount',
  pk: 1,
  fields: { user: 42, provider: 'google', uid: '1098', extra_data: {}, date_joined: '2024-02-01T00:00:00Z' },
};
const socialAuth = (more: SourceRow): SourceRow => ({
  model: 'social_django.usersocialauth',
  pk: 1,
  fields: { user: 42, provider: 'google-oauth2', uid: 'ada@example.com', extra_data: {}, ...more },
});

describe('an export of Django', () => {
  it('becomes a user with the password that the user has', () => {
    const conversion = convertRow(django, row, {}, {});
    expect(conversion).toEqual({
      ok: true,
      user: {
        isDisabled: false,
        externalUserId: '42',
        userMetadata: { username: 'ada', first_name: 'Ada', last_name: 'Lovelace' },
        loginMethods: [
          {
            recipeId: 'emailpassword',
            email: 'ada@example.com',
            passwordHash: fields.password,
            isVerified: false,
            timeJoinedInMSSinceEpoch: Date.UTC(2024, 0, 1),
          },
        ],
      },
    });
    expect(isRight(conversion, samplePassword)).toBe(true);
    expect(isRight(conversion, 'wrong')).toBe(false);
  });

  it('is the same from CSV', () => {
    const { groups, user_permissions, ...columns } = fields;
    expect([groups, user_permissions]).toEqual([[], []]);
    const cells = { ...columns, id: '42', is_active: 't', date_joined: '2024-01-01 00:00:00+00' };
    expect(convertRow(django, cells, {}, {})).toEqual(convertRow(django, row, {}, {}));
  });

  it('is recognised by a record of any model, and by the columns of auth_user', async () => {
    expect((await samplesOf('django.json')).map(django.recognises)).toEqual([10]);
    const columns = ['id', 'password', 'last_login', 'is_superuser', 'username', 'is_staff', 'is_active'];
    expect(django.recognises({ format: 'csv', columns, root: [], first: {} })).toBe(10);
    expect(await claimedBy(django, ['django.json'])).toEqual([]);
  });

  it('distinguishes the models of one array, a custom user model too', () => {
    const holders = (each: SourceRow) =>
      django.tables.filter(({ holds }) => holds?.(each)).map(({ name, idOf }) => [name, idOf(each)]);
    expect(holders(row)).toEqual([['users', '42']]);
    expect(holders({ ...row, model: 'people.member' })).toEqual([['users', '42']]);
    expect(holders({ model: 'mail.box', pk: 1, fields: { username: 'a', password: 'b' } })).toEqual([]);
    expect(holders(address(true))).toEqual([['emails', '42']]);
    expect(holders(allauth)).toEqual([['identities', '42']]);
    expect(holders(socialAuth({}))).toEqual([['identities', '42']]);
    expect(identities?.idOf({ provider: 'github', uid: '7', user_id: '42' })).toBe('42');
  });

  it('is refused whole when it refers to users by natural keys, which would lose what belongs to them', () => {
    const natural = { ...allauth, fields: { ...(allauth.fields as SourceRow), user: ['ada'] } };
    expect(() => identities?.idOf(natural)).toThrow(ExportFault);
  });

  it('takes the verified flag of the very address from django-allauth', () => {
    const verified = (rows: readonly SourceRow[]) =>
      methodsOf(convertRow(django, row, { emails: rows }, {}))[0]?.isVerified;
    expect(verified([address(true)])).toBe(true);
    expect(verified([address(false)])).toBe(false);
    expect(verified([address(true, 'other@example.com')])).toBe(false);
  });

  it('links the social identities of django-allauth and social-auth to the password', () => {
    const twice = socialAuth({ provider: 'google-oauth2', uid: '1098' });
    const github = socialAuth({ provider: 'github', uid: 583231, created: '2024-03-01T00:00:00Z' });
    expect(methodsOf(convertRow(django, row, { identities: [allauth, twice, github] }, {}))).toMatchObject([
      { recipeId: 'emailpassword', isPrimary: true },
      { thirdPartyId: 'google', thirdPartyUserId: '1098', isPrimary: false, email: 'ada@example.com' },
      { thirdPartyId: 'github', thirdPartyUserId: '583231', timeJoinedInMSSinceEpoch: Date.UTC(2024, 2, 1) },
    ]);
  });

  it('never takes the email for the id at Google', () => {
    const ids = (more: SourceRow) =>
      methodsOf(convertRow(django, row, { identities: [socialAuth(more)] }, {})).flatMap((method) =>
        method.recipeId === 'thirdparty' ? method.thirdPartyUserId : [],
      );
    expect(ids({})).toEqual([]);
    expect(ids({ extra_data: '{"sub":"1098"}' })).toEqual(['1098']);
    expect(ids({ uid: '1098' })).toEqual(['1098']);
    expect(ids({ provider: 'saml', uid: 'ada@example.com' })).toEqual(['ada@example.com']);
  });
});

describe('a password of Django', () => {
  const bcrypt = '$2b$12$LZSJchsWG/DrBy1erNs4ee31eJ7DaWiuwhDOC7aqIyqGGggfu6Y/.';
  const argon2 =
    '$argon2i$m=8,t=1,p=1$c29tZXNhbHQ$gwQOXSNhxiOxPOA0+PY10P9QFO4NAYysnqRt1GSQLE55m+2GYDt9FEjPMHhP2Cuf0nOEXXMocVrsJAtNSsKyfg';

  it.each([
    ['ExjGmyUT73bFoT', `bcrypt$${bcrypt}`, bcrypt],
    ['secret', `argon2${argon2}`, argon2],
  ])('loses the name before a whole hash: %s', (plain, password, passwordHash) => {
    const conversion = convertRow(django, withFields({ password }), {}, {});
    expect(methodsOf(conversion)).toMatchObject([{ passwordHash }]);
    expect(isRight(conversion, plain)).toBe(true);
  });

  it.each([
    ['ExjGmyUT73bFoT', 'bcrypt_sha256$$2b$12$LZSJchsWG/DrBy1erNs4eeYo6tZNlLFQmONdxN9HPesa1EyXVcTXK'],
    [
      'lètmein',
      'scrypt$16384$seasalt$8$1$Qj3+9PPyRjSJIebHnG81TMjsqtaIGxNQG/aEB/NYafTJ7tibgfYz71m0ldQESkXFRkdVCBhhY8mx7rQwite/Pw==',
    ],
    ['lètmein', 'md5$seasalt$3f86d0d3d465b7b458c231bf3555c0e3'],
    ['lètmein', 'sha1$seasalt$cff36ea83f5706ce9aa7454e63e431fc726b2dc8'],
  ])('stays as it is where the core knows it: %s, %s', (plain, password) => {
    const conversion = convertRow(django, withFields({ password }), {}, {});
    expect(methodsOf(conversion)).toMatchObject([{ passwordHash: password }]);
    expect(isRight(conversion, plain)).toBe(true);
  });

  it('that is a bare MD5 is named as one', () => {
    const conversion = convertRow(
      django,
      withFields({ password: '5f4dcc3b5aa765d61d8327deb882cf99' }),
      {},
      {},
    );
    expect(methodsOf(conversion)).toMatchObject([{ hashingAlgorithm: 'md5' }]);
    expect(isRight(conversion, 'password')).toBe(true);
  });

  it.each([['!'], ['!Qm3vTz8LkW0pYxRa1sCe7BQm3vTz8LkW0pYxRa1'], [''], [null]])(
    'that is %j is none, and never an empty hash',
    (password) => {
      const methods = methodsOf(convertRow(django, withFields({ password }), {}, {}));
      expect(methods).toMatchObject([{ recipeId: 'passwordless', email: 'ada@example.com' }]);
      expect(methods[0]).not.toHaveProperty('passwordHash');
    },
  );

  it.each([
    ['crypt$$ab1Hv2Lg7ltQo', 'UNSUPPORTED_HASHING_ALGORITHM'],
    ['pbkdf2_sha384$1000$salt$AAAA', 'UNSUPPORTED_HASHING_ALGORITHM'],
    ['pbkdf2_sha256$1000$salt$AAAA', 'INVALID_PASSWORD_HASH'],
  ])('%s is refused by name', (password, code) => {
    expect(refusalOf(convertRow(django, withFields({ password }), {}, {}))).toEqual([code, 'password']);
  });
});

describe('a user of Django', () => {
  it('without an email has that of django-allauth, or a user name that is one', () => {
    const without = withFields({ email: '' });
    expect(refusalOf(convertRow(django, without, {}, {}))).toEqual(['NOT_IMPORTABLE', 'email']);
    const [method] = methodsOf(convertRow(django, without, { emails: [address(true)] }, {}));
    expect(method).toMatchObject({ email: 'Ada@example.com', isVerified: true });
    const named = withFields({ email: '', username: 'ada@name.example' });
    expect(methodsOf(convertRow(django, named, {}, {}))[0]).toMatchObject({ email: 'ada@name.example' });
  });

  it('whose email is no address is refused with the field', () => {
    expect(refusalOf(convertRow(django, withFields({ email: 'ada at home' }), {}, {}))).toEqual([
      'NOT_IMPORTABLE',
      'email',
    ]);
  });

  it('of nonsense never stops a run', () => {
    convertNonsense(django, row, { emails: [address(true)], identities: [allauth, socialAuth({})] });
  });
});

describe('the account of a file of Django', () => {
  it('knows every field of its models', () => {
    const related = { emails: [address(true)], identities: [allauth] };
    const { account } = recordOf(django, row, related);
    for (const table of ['users', 'emails', 'identities']) expect(undeclared(account, table)).toEqual([]);
    expect(undeclared(recordOf(django, withFields({ plan: 'x' })).account)).toEqual(['plan']);
  });

  it.each([
    [{ is_active: 'FALSCH' }, true],
    [{ is_active: '1', is_blocked: '1' }, true],
    [{ is_active: true, banned_at: '0000-00-00' }, false],
  ])('%j: is disabled %j', (change, isDisabled) => {
    expect(recordOf(django, withFields(change)).user).toMatchObject({ isDisabled });
  });

  it('does not import a user who is marked as deleted, unless that is asked for', () => {
    const deleted = withFields({ is_deleted: true });
    expect(recordOf(django, deleted).reject).toMatchObject({ code: 'NOT_IMPORTABLE', isGone: true });
    const { user } = recordOf(django, deleted, {}, { 'include-deleted': 'true' });
    expect(user).toMatchObject({ isDisabled: true });
  });

  it('restricts a user whose guard cannot be read', () => {
    const { user } = recordOf(django, withFields({ is_active: 'perhaps' }));
    expect(user).toMatchObject({ isDisabled: true, requiredActions: ['CHECK_AT_SOURCE'] });
  });
});
