import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Engine } from '../../src/imports/engine.ts';
import { findImportedUser } from '../../src/imports/queue/imported-user.ts';
import type { NativeUser } from '../../src/imports/record/native-record.ts';
import { validateRecords } from '../../src/imports/queue/validation.ts';
import type { Tenant } from '../../src/domain/model.ts';
import {
  openTestStore,
  passwordUser,
  putPasswordless,
  type TestStore,
  thirdPartyUser,
} from '../helpers/store.ts';

let store: TestStore;
let app: Tenant;
let other: Tenant;
beforeAll(async () => {
  store = await openTestStore();
  app = await store.newApp();
  other = await store.newTenant(app);
});
afterAll(() => store.dispose());

const find = (record: NativeUser) => findImportedUser(store, app, record);
const password = { recipeId: 'emailpassword' } as const;

describe('the user of a record that was imported', () => {
  it('is found by the external id', async () => {
    const user = passwordUser(app, 'ext@b.test');
    await store.users.putPasswordUser(user);
    await store.mappings.map(app.appNo, { superTokensUserId: user.userId, externalUserId: 'ext' });
    const loginMethods = [{ ...password, email: 'other@b.test' }];
    expect(await find({ externalUserId: ' ext ', loginMethods })).toMatchObject({ id: 'ext' });
    expect(await find({ externalUserId: 'nobody', loginMethods })).toBeUndefined();
  });

  it('is found by the email of its recipe, in its tenant', async () => {
    const [here, there] = [passwordUser(app, 'a@b.test'), passwordUser(other, 'a@b.test')];
    const social = thirdPartyUser(app, 'g1', { email: 'a@b.test' });
    for (const user of [here, there]) await store.users.putPasswordUser(user);
    await store.users.putThirdPartyUser(social);
    const email = ' A@b.test ';
    expect(await find({ loginMethods: [{ ...password, email }] })).toMatchObject({ id: here.userId });
    const tenantIds = [other.tenantId.toUpperCase()];
    expect(await find({ loginMethods: [{ ...password, email, tenantIds }] })).toMatchObject({
      id: there.userId,
    });
    const method = { recipeId: 'thirdparty', email, thirdPartyId: 'google', thirdPartyUserId: 'g1' } as const;
    expect(await find({ loginMethods: [method] })).toMatchObject({ id: social.userId });
  });

  it('is found by its primary login method, else by the first', async () => {
    const [first, second] = [passwordUser(app, 'first@b.test'), passwordUser(app, 'second@b.test')];
    for (const user of [first, second]) await store.users.putPasswordUser(user);
    const loginMethods = [first, second].map(({ email }) => ({ ...password, email }));
    expect(await find({ loginMethods })).toMatchObject({ id: first.userId });
    const linked = loginMethods.map((method, place) => ({ ...method, isPrimary: place === 1 }));
    expect(await find({ loginMethods: linked })).toMatchObject({ id: second.userId });
  });

  it('is found by a phone number or a passwordless email', async () => {
    const byPhone = await putPasswordless(store.sql, app, { phone: '+4930123' });
    const byEmail = await putPasswordless(store.sql, app, { email: 'p@b.test', phone: '+4930124' });
    const recipe = { recipeId: 'passwordless' } as const;
    expect(await find({ loginMethods: [{ ...recipe, phoneNumber: '+4930123' }] })).toMatchObject({
      id: byPhone,
    });
    expect(await find({ loginMethods: [{ ...recipe, email: 'p@b.test' }] })).toMatchObject({ id: byEmail });
  });
});

describe('validating records', () => {
  it('goes piece by piece and reports each record by its place, duplicates excepted', async () => {
    const sizes: number[] = [];
    // Rejects every record that begins with x, and all others as duplicates.
    const run = ({ bytes }: { bytes: Uint8Array }) => {
      const lines = Buffer.from(bytes).toString().split('\n');
      sizes.push(lines.length);
      const codeOf = (line: string) => (line.startsWith('x') ? 'INVALID_FIELD' : 'DUPLICATE_IN_JOB');
      const rejects = lines.map((line, place) => ({
        line: place + 1,
        code: codeOf(line),
        field: '',
        message: '',
      }));
      return Promise.resolve({ rejects });
    };
    const engine = {
      chunkBytes: 10,
      allowPlainText: false,
      now: () => 0,
      tenantNumbers: () => Promise.resolve({ public: 0 }),
      placeSecret: () => ({ low: 1, high: 2 }),
      threads: { run },
    } as unknown as Engine;
    const texts = [
      'aaaa',
      'xbbb',
      'x',
      'y',
      'z',
      'a text that is longer than a chunk',
      'x',
      'é'.repeat(524_289),
    ];
    const rejects = await validateRecords(engine, app, texts);
    expect(rejects.map(({ line }) => line)).toEqual([2, 3, 7, 8]);
    expect(rejects.at(-1)?.code).toBe('LINE_TOO_LONG');
    expect(sizes).toEqual([2, 4, 2]);
  });
});
