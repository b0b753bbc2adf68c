import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import type { SessionOfUser, SessionStore, SessionUser } from '../../src/features/sessions/model.ts';
import { sessionStore } from '../../src/features/sessions/store/store.ts';
import type { Query } from '../../src/database/database.ts';
import { link, makePrimary } from '../../src/store/users/linking/link.ts';
import { unlink } from '../../src/store/users/linking/unlink.ts';
import { someoneWaits } from '../helpers/merging.ts';
import { passwordUser, type TestStore, useStore } from '../helpers/store.ts';

let store: TestStore;
let app: Tenant;
let sessions: SessionStore;
useStore((...given) => {
  [store, app] = given;
  sessions = store.open(({ batches, live }) => sessionStore(batches, live));
});

async function newUser(name: string, externalUserId?: string): Promise<string> {
  const user = passwordUser(app, `${name}@example.com`);
  await store.users.putPasswordUser(user);
  if (externalUserId !== undefined)
    await store.mappings.map(app.appNo, { superTokensUserId: user.userId, externalUserId });
  return user.userId;
}

const sessionOf = (userId: string): SessionOfUser => ({
  tenant: app,
  id: randomUUID(),
  userId,
  refreshHash: '00'.repeat(32),
  expiresAt: Date.now() + 60_000,
  createdAt: Date.now(),
  usesStaticKey: false,
  jwtPayload: '{}',
  data: '{}',
});
/** Begins sessions during a change of users, and ends the change when they wait for it. */
async function beginDuring(change: (query: Query) => Promise<unknown>, userIds: readonly string[]) {
  const begun = userIds.map(sessionOf);
  const { created } = await store.database.transaction(async (query) => {
    await change(query);
    const created = Promise.all(begun.map((session) => sessions.create(session)));
    await someoneWaits(store.sql);
    return { created };
  });
  const ofUsers = await created;
  const found = await Promise.all(begun.map(({ id }) => sessions.find(app.appNo, id)));
  return { created: ofUsers, found: found.map((each) => each && shown(each)) };
}

const shown = ({ userId, recipeUserId }: SessionUser) => ({ userId, recipeUserId });

test("a session that begins while its user is linked is the linked user's", async () => {
  const [primary, other] = [await newUser('primary', 'theirs'), await newUser('other', 'legacy-other')];
  const { appNo } = app;
  await store.database.transaction((query) => makePrimary(query, appNo, primary, 'do'));
  const { created, found } = await beginDuring(
    (query) => link(query, { appNo, recipeUserId: other, primaryUserId: primary }, 'do'),
    [other, 'legacy-other', primary, 'nobody', other],
  );
  const linked = { userId: 'theirs', recipeUserId: 'legacy-other' };
  expect(created).toEqual([
    linked,
    linked,
    { userId: 'theirs', recipeUserId: 'theirs' },
    { userId: 'nobody', recipeUserId: 'nobody' },
    linked,
  ]);
  expect(found).toEqual(created);
});

test('a session that begins while its user is taken apart is of the login method alone', async () => {
  const [primary, other] = [await newUser('primary'), await newUser('other')];
  const { appNo } = app;
  await store.database.transaction(async (query) => {
    await makePrimary(query, appNo, primary, 'do');
    await link(query, { appNo, recipeUserId: other, primaryUserId: primary }, 'do');
  });
  const { created, found } = await beginDuring((query) => unlink(query, appNo, other), [other]);
  expect(created).toEqual([{ userId: other, recipeUserId: other }]);
  expect(found).toEqual(created);
});

test('a session that begins while its user is removed is of the text that it was begun for', async () => {
  const user = await newUser('user', 'theirs');
  const remove = 'delete from users where app_no = $1 and user_id = $2';
  const { created, found } = await beginDuring((query) => query(remove, [app.appNo, user]), [user, 'theirs']);
  expect(created.map((each) => each !== 'disabled' && each.userId)).toEqual([user, 'theirs']);
  expect(found).toEqual(created);
});
