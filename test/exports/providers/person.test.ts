import { describe, expect, it } from 'vitest';
import {
  convertPerson,
  preparePerson,
  unsupportedHash,
} from '../../../src/exports/providers/parts/person.ts';
import type { Person } from '../../../src/exports/providers/parts/person.ts';
import { methodsOf, refusalOf } from '../../helpers/framework-exports.ts';

const ada: Person = { id: 'a', email: 'ada@example.com', isEmailVerified: true, timeJoined: 5 };
const password = { hash: '$2b$10$x' };
const google = { provider: 'google.com', userId: '1' };
const recipes = (person: Person, options = {}) =>
  methodsOf(convertPerson(person, options)).map(({ recipeId, isPrimary }) => [recipeId, isPrimary]);

describe('a person', () => {
  it('with one method is an unlinked user, with several a linked one whose password is primary', () => {
    expect(recipes({ ...ada, password })).toEqual([['emailpassword', undefined]]);
    expect(recipes({ ...ada, social: [google], password, phone: '+15555550100' })).toEqual([
      ['emailpassword', true],
      ['thirdparty', false],
      ['passwordless', false],
    ]);
    expect(recipes({ ...ada, social: [google, { ...google, provider: 'github' }] })).toEqual([
      ['thirdparty', true],
      ['thirdparty', false],
    ]);
  });

  it('with an email alone signs in by it, or is refused, as is asked for', () => {
    expect(methodsOf(convertPerson(ada, {}))).toEqual([
      { recipeId: 'passwordless', email: ada.email, isVerified: true, timeJoinedInMSSinceEpoch: 5 },
    ]);
    expect(refusalOf(convertPerson(ada, { 'without-password': 'reject' }))).toEqual(['NOT_IMPORTABLE', '']);
    const byOldSystem = convertPerson(ada, { 'without-password': 'legacy:auth0' });
    expect(byOldSystem.ok && byOldSystem.user.loginMethods).toMatchObject([
      { recipeId: 'emailpassword', legacy: 'auth0', email: ada.email },
    ]);
    expect(refusalOf(convertPerson({ id: 'a' }, {}))).toEqual(['NOT_IMPORTABLE', '']);
    expect(() => {
      preparePerson({ 'without-password': 'legacy:' });
    }).toThrow('--without-password must be one of passwordless, legacy:<source>, reject');
    expect(() => {
      preparePerson({ 'without-password': 'x' });
    }).toThrow('--without-password must be one of');
  });

  it('whose provider gives no email gets the address that SDKs make up, and this is said', () => {
    const steam = { provider: 'steam', userId: '7656@1' };
    const email = '7656@1.steam@stfakeemail.supertokens.com';
    const alone = convertPerson({ id: 'a', social: [steam] }, {});
    expect(methodsOf(alone)).toEqual([
      {
        recipeId: 'thirdparty',
        thirdPartyId: 'steam',
        thirdPartyUserId: '7656@1',
        email,
        isVerified: true,
      },
    ]);
    expect(alone).toMatchObject({ note: expect.stringContaining('No mail reaches it') as string });
    const withOwn = convertPerson({ ...ada, social: [steam] }, {});
    expect(methodsOf(withOwn)).toMatchObject([{ thirdPartyId: 'steam', email: ada.email }]);
    expect(withOwn).not.toHaveProperty('note');
    const odd = { provider: 'steam', userId: 'a b' };
    expect(refusalOf(convertPerson({ id: 'a', social: [odd] }, {}))).toEqual(['MISSING_FIELD', 'email']);
  });

  it('comes without a password that cannot be carried over, and with the reason', () => {
    const lost = unsupportedHash('p', 'md4');
    const lostPassword = {
      code: 'UNSUPPORTED_HASHING_ALGORITHM',
      field: 'p',
      message: 'hashes of the kind md4 cannot be verified',
      externalUserId: 'a',
    };
    const conversion = convertPerson({ ...ada, social: [google], password: lost }, {});
    expect(conversion).toMatchObject({ ok: true, lostPassword });
    expect(methodsOf(conversion)).toMatchObject([{ recipeId: 'thirdparty' }]);
    expect(methodsOf(convertPerson({ ...ada, password: lost }, {}))).toMatchObject([
      { recipeId: 'passwordless' },
    ]);
    const rejecting = convertPerson({ ...ada, password: lost }, { 'without-password': 'reject' });
    expect(rejecting).toEqual({ ok: false, reason: lostPassword });
    expect(JSON.stringify(unsupportedHash('p', '$2b$10$secret hash'))).not.toContain('secret');
    expect(refusalOf(convertPerson({ id: 'a', password }, {}))).toEqual(['MISSING_FIELD', 'email']);
  });

  it('who is disabled is imported so, and only what the source says is stated', () => {
    for (const isDisabled of [true, false])
      expect(convertPerson({ ...ada, isDisabled }, {})).toMatchObject({ user: { isDisabled } });
    expect(convertPerson(ada, {})).not.toHaveProperty('user.isDisabled');
  });

  it('who is deleted is refused unless asked for, and disabled then', () => {
    const gone = { ...ada, isDisabled: false, deleted: 'deleted_at is set' };
    expect(refusalOf(convertPerson(gone, {}))).toEqual(['NOT_IMPORTABLE', '']);
    expect(convertPerson(gone, { 'include-deleted': 'true' })).toMatchObject({ user: { isDisabled: true } });
  });

  it('--include-disabled is refused with what replaces it', () => {
    expect(() => {
      preparePerson({ 'include-disabled': 'true' });
    }).toThrow(/imported as disabled.*PUT \/user\/restrictions/);
  });

  it('has identities with the own email where they have none, verified only where that is', () => {
    const social = [
      google,
      { ...google, email: 'ADA@example.com' },
      { ...google, email: 'other@example.com' },
      { ...google, email: 'third@example.com', isVerified: true, timeJoined: 9 },
    ];
    expect(methodsOf(convertPerson({ ...ada, social }, {}))).toMatchObject([
      { email: 'ada@example.com', isVerified: true, timeJoinedInMSSinceEpoch: 5 },
      { email: 'ADA@example.com', isVerified: true },
      { email: 'other@example.com', isVerified: false },
      { email: 'third@example.com', isVerified: true, timeJoinedInMSSinceEpoch: 9 },
    ]);
  });
});
