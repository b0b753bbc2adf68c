import { describe, expect, it } from 'vitest';
import type { Conflict, OnConflict } from '../../src/imports/model.ts';
import type { NativeLoginMethod, NativeUser } from '../../src/imports/record/native-record.ts';
import type { Decided, HeldMethod } from '../../src/imports/parse/types.ts';
import { hashMark } from '../../src/domain/digests.ts';
import { identityKey } from '../../src/domain/identity.ts';
import { basesOf, changesOf, World } from '../helpers/bulk-world.ts';
import { knownHash } from '../helpers/people.ts';

/** The last import's statement, the record's statement, and the stored value: which of them counts. */

const hashes = {
  first: knownHash,
  second: '$2b$05$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2',
  third: '$2b$07$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2',
  here: '$2b$06$abcdefghijklmnopqrstuuCi15uRb1eH7NAlJ/TgeJertyknQpYn2',
};

function password(email: string, passwordHash = hashes.first, more: object = {}): NativeLoginMethod {
  return { recipeId: 'emailpassword', email, passwordHash, ...more };
}

function google(thirdPartyUserId: string, email = 'g@x.com'): NativeLoginMethod {
  return { recipeId: 'thirdparty', thirdPartyId: 'google', thirdPartyUserId, email };
}

function user(externalUserId: string | undefined, ...loginMethods: NativeLoginMethod[]): NativeUser {
  return { ...(externalUserId !== undefined && { externalUserId }), loginMethods };
}

/** A world in which the record was imported, by a job that has ended. */
function imported(record: NativeUser): World {
  const world = new World();
  world.import([record]);
  world.endJob();
  return world;
}

/** As a request changes it: identities follow. */
function changeHere(world: World, recipe: number, change: Partial<HeldMethod>): void {
  const [id, method] = [...world.methods].find(([, each]) => each.recipe === recipe) ?? [];
  if (id === undefined || method === undefined) throw new Error('nobody has such a login method');
  world.change(id, change);
}

function next(world: World, record: NativeUser, onConflict: OnConflict = 'update'): Decided {
  const [decided] = world.import([record], { onConflict });
  world.endJob();
  if (!decided) throw new Error('nothing was decided');
  return decided;
}

function only(world: World, recipe = 1): HeldMethod {
  const found = [...world.methods.values()].filter((each) => each.recipe === recipe);
  const [first, ...others] = found;
  if (first === undefined || others.length > 0) throw new Error(`there are ${found.length}`);
  return first;
}

const groups = (conflicts: readonly Conflict[]) => conflicts.map(({ group, done }) => [group, done]);

describe('what the source did not change', () => {
  it('is not written, whatever is here', () => {
    const record = { ...user('x', password('a@x.com')), userMetadata: { a: 1, b: [2] } };
    const world = imported(record);
    changeHere(world, 1, { email: 'here@x.com', passwordHash: hashes.here, metadata: { a: 2 } });
    const before = only(world);
    const again = { ...record, userMetadata: { b: [2], a: 1 } };
    const decided = next(world, again, 'theirs');
    expect([decided.counts.unchanged, decided.conflicts]).toEqual([1, []]);
    expect(only(world)).toEqual(before);
  });

  it('leads to its user by an email that was changed here, and makes no second one', () => {
    const world = imported(user(undefined, password('a@x.com')));
    changeHere(world, 1, { email: 'here@x.com' });
    expect(next(world, user(undefined, password('a@x.com'))).counts).toMatchObject({ unchanged: 1 });
    expect(only(world).email).toBe('here@x.com');
    const decided = next(world, user(undefined, password('a@x.com', hashes.second)));
    expect([decided.counts.updated, only(world)]).toMatchObject([
      1,
      { email: 'here@x.com', passwordHash: hashes.second },
    ]);
  });

  it('leads there although another user has taken the email here', () => {
    const world = imported(user(undefined, password('a@x.com')));
    changeHere(world, 1, { email: 'here@x.com' });
    world.add({ email: 'a@x.com', passwordHash: hashes.here });
    expect(next(world, user(undefined, password('a@x.com'))).counts).toMatchObject({ unchanged: 1 });
    expect([...world.methods.values()].map(({ email }) => email)).toEqual(['here@x.com', 'a@x.com']);
  });

  it('does not lead there when the source has given the email to another user', () => {
    const world = imported(user('x', password('a@x.com')));
    changeHere(world, 1, { email: 'here@x.com' });
    const decided = next(world, user('y', password('a@x.com', hashes.second)));
    expect(decided.counts).toMatchObject({ created: 1 });
  });

  it('is compared with what was stated last of it, though records in between lacked it', () => {
    const record = user('x', password('a@x.com'));
    const world = imported({ ...record, userMetadata: { a: 1 } });
    next(world, record);
    changeHere(world, 1, { metadata: { a: 2 } });
    expect(next(world, { ...record, userMetadata: { a: 1 } }).counts).toMatchObject({ unchanged: 1 });
    expect(only(world).metadata).toEqual({ a: 2 });
  });

  it('stays verified or not, as it is here', () => {
    const record = user('x', password('a@x.com', hashes.first, { isVerified: true }));
    const world = imported(record);
    changeHere(world, 1, { isVerified: false });
    expect(next(world, record, 'theirs').counts).toMatchObject({ unchanged: 1 });
    expect(only(world).isVerified).toBe(false);
  });
});

describe('what the source alone changed', () => {
  it('is taken', () => {
    const world = imported({ ...user('x', password('a@x.com')), userMetadata: { a: 1 } });
    const decided = next(
      world,
      { ...user('x', password('b@x.com', hashes.second)), userMetadata: { a: 2 }, sameIds: true },
      'ours',
    );
    expect([decided.counts.updated, decided.conflicts]).toEqual([1, []]);
    expect(only(world)).toMatchObject({ email: 'b@x.com', passwordHash: hashes.second, metadata: { a: 2 } });
    expect(world.identities.has(`0 1 ${identityKey('a@x.com')}`)).toBe(false);
  });

  it('replaces the email of a linked user, with which no user signs in any more', () => {
    const world = imported(user('x', password('a@x.com', hashes.first, { isPrimary: true }), google('g')));
    const decided = next(
      world,
      user('x', password('b@x.com', hashes.second, { isPrimary: true }), google('g')),
    );
    expect(decided.counts).toMatchObject({ updated: 1 });
    expect(only(world)).toMatchObject({ email: 'b@x.com', passwordHash: hashes.second });
    expect(changesOf(decided).removedIdentities).toMatchObject([{ key: identityKey('a@x.com') }]);
  });

  it('replaces the one that an import stated, not the one that was made here', () => {
    const world = imported(user('x', password('a@x.com', hashes.first, { isPrimary: true }), google('g')));
    const head = only(world).userId;
    world.add({ email: 'made-here@x.com', passwordHash: hashes.here, primaryUserId: head });
    next(world, user('x', password('b@x.com', hashes.second, { isPrimary: true }), google('g')));
    const emails = [...world.methods.values()].filter(({ recipe }) => recipe === 1).map(({ email }) => email);
    expect(emails.sort()).toEqual(['b@x.com', 'made-here@x.com']);
  });
});

describe('what changed on both sides', () => {
  const before = {
    ...user('x', password('a@x.com', hashes.first)),
    userMetadata: { a: 1 },
    userRoles: [{ role: 'r1' }],
    totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXP' }],
  };
  const after = {
    ...user('x', password('theirs@x.com', hashes.second)),
    userMetadata: { a: 'theirs' },
    userRoles: [{ role: 'theirs' }],
    totpDevices: [{ secretKey: 'JBSWY3DPEHPK3PXQ' }],
    sameIds: true,
  };
  const here = {
    email: 'here@x.com',
    passwordHash: hashes.here,
    passwordSetAt: 1_700_000_000_000,
    metadata: { a: 'here' },
    roles: [{ role: 'here' }],
    totpDevices: [{ secretKey: 'HERE' }],
  };
  const all = ['email', 'password', 'metadata', 'roles', 'totp'];
  const both = (): World => {
    const world = imported(before);
    changeHere(world, 1, here);
    return world;
  };

  it.each([
    ['update', { email: 'theirs@x.com', passwordHash: hashes.here, metadata: { a: 'theirs' } }],
    ['theirs', { email: 'theirs@x.com', passwordHash: hashes.second, roles: [{ role: 'theirs' }] }],
    ['ours', here],
    ['skip', here],
    ['reject', here],
  ] as const)('is a conflict, which %s decides', (onConflict, left) => {
    const world = both();
    const decided = next(world, after, onConflict);
    expect(only(world)).toMatchObject(left);
    expect(decided.conflicts.map(({ group }) => group)).toEqual(all);
    const words = {
      update: 'replaced',
      theirs: 'replaced',
      ours: 'kept',
      skip: 'skipped',
      reject: 'rejected',
    };
    const done = words[onConflict];
    const ofPassword = onConflict === 'update' ? 'kept' : done;
    expect(groups(decided.conflicts)).toEqual(
      all.map((each) => [each, each === 'password' ? ofPassword : done]),
    );
  });

  it('is listed without a hash or a secret', () => {
    const { conflicts } = next(both(), after);
    expect(conflicts[0]).toMatchObject({ line: 1, userId: 'x', here: 'here@x.com', source: 'theirs@x.com' });
    expect(conflicts[1]?.here).toBe('changed here at 2023-11-14T22:13:20.000Z');
    for (const secret of [...Object.values(hashes), 'HERE', 'JBSWY3DPEHPK3PXQ'])
      expect(JSON.stringify(conflicts)).not.toContain(secret);
  });

  it('is rejected with its field', () => {
    const { rejects } = next(both(), after, 'reject');
    expect(rejects).toMatchObject([{ code: 'CHANGED_HERE', field: 'loginMethods.0.email' }]);
  });

  it.each(['update', 'theirs', 'ours'] as const)('is unchanged when it comes again: %s', (onConflict) => {
    const world = both();
    next(world, after, onConflict);
    const decided = next(world, after, onConflict);
    expect([decided.counts.unchanged, decided.conflicts, decided.rebased]).toEqual([1, [], 0]);
  });

  it('is no conflict when both sides say the same', () => {
    const world = imported(before);
    changeHere(world, 1, { passwordHash: hashes.second });
    const decided = next(world, { ...before, ...user('x', password('a@x.com', hashes.second)) });
    expect([decided.counts.unchanged, decided.conflicts, decided.rebased]).toEqual([1, [], 1]);
  });

  it('keeps an email of here under ours, and leads the next record to it', () => {
    const world = imported(user('x', password('a@x.com')));
    changeHere(world, 1, { email: 'here@x.com' });
    next(world, user('x', password('theirs@x.com')), 'ours');
    expect(only(world).email).toBe('here@x.com');
    expect(next(world, user(undefined, password('theirs@x.com'))).counts).toMatchObject({ unchanged: 1 });
  });

  it('keeps a verification that was withdrawn here', () => {
    const world = imported(user('x', password('a@x.com', hashes.first, { isVerified: true })));
    changeHere(world, 1, { isVerified: false });
    const decided = next(world, user('x', password('b@x.com', hashes.first, { isVerified: true })));
    expect(only(world)).toMatchObject({ email: 'b@x.com', isVerified: false });
    expect(decided.conflicts).toMatchObject([
      { group: 'email', field: 'loginMethods.0.isVerified', done: 'kept' },
    ]);
  });
});

describe('a hash that a sign-in has made a better one of', () => {
  const upgraded = { passwordHash: hashes.here, upgradedFrom: hashMark(hashes.first), upgradedAt: 5 };

  it('is unchanged while the source has the old one', () => {
    const world = imported(user('x', password('a@x.com')));
    changeHere(world, 1, upgraded);
    const decided = next(world, user('x', password('a@x.com')), 'theirs');
    expect([decided.counts.unchanged, only(world).passwordHash]).toEqual([1, hashes.here]);
  });

  it.each([
    ['update', hashes.here],
    ['theirs', hashes.second],
  ] as const)('is a password of here when the source has another: %s', (onConflict, left) => {
    const world = imported(user('x', password('a@x.com')));
    changeHere(world, 1, upgraded);
    const decided = next(world, user('x', password('a@x.com', hashes.second)), onConflict);
    expect([only(world).passwordHash, decided.conflicts.length]).toEqual([left, 1]);
  });
});

describe('a password that was set here and written to the source', () => {
  const written = {
    passwordHash: hashes.here,
    upgradedFrom: hashMark(hashes.second),
    writtenMarks: [hashMark(hashes.second)],
  };

  it.each([hashes.second, hashes.first])(
    'is unchanged when the source has that, or the one before: %s',
    (there) => {
      const world = imported(user('x', password('a@x.com')));
      changeHere(world, 1, written);
      const decided = next(world, user('x', password('a@x.com', there)));
      expect([only(world).passwordHash, decided.conflicts]).toEqual([hashes.here, []]);
    },
  );

  it('is not replaced by an earlier one that was read before it was written', () => {
    const world = imported(user('x', password('a@x.com')));
    const writtenMarks = [hashes.second, hashes.third].map(hashMark);
    changeHere(world, 1, { ...written, writtenMarks });
    const decided = next(world, user('x', password('a@x.com', hashes.third)), 'theirs');
    expect([only(world).passwordHash, decided.conflicts]).toEqual([hashes.here, []]);
  });

  it('is older than one that was set there afterwards', () => {
    const world = imported(user('x', password('a@x.com')));
    changeHere(world, 1, written);
    const decided = next(world, user('x', password('a@x.com', hashes.third)));
    expect([only(world).passwordHash, decided.conflicts]).toEqual([hashes.third, []]);
  });

  it('is older than one that was set here afterwards', () => {
    const world = imported(user('x', password('a@x.com')));
    changeHere(world, 1, { ...written, passwordHash: hashes.third, upgradedFrom: null });
    const decided = next(world, user('x', password('a@x.com', hashes.second)), 'theirs');
    expect([only(world).passwordHash, decided.conflicts]).toEqual([hashes.third, []]);
  });

  it('is a conflict when others were set on both sides afterwards', () => {
    const world = imported(user('x', password('a@x.com')));
    changeHere(world, 1, { ...written, upgradedFrom: null });
    const decided = next(world, user('x', password('a@x.com', hashes.third)));
    expect([only(world).passwordHash, groups(decided.conflicts)]).toEqual([
      hashes.here,
      [['password', 'kept']],
    ]);
  });
});

describe('who was never imported', () => {
  const held = { email: 'a@x.com', passwordHash: hashes.here, externalId: 'x' };

  it('is taken over, but for a password that was set here by a request', () => {
    const world = new World();
    world.add({ ...held, isVerified: true, passwordSetAt: 1 });
    const record = { ...user('x', password('a@x.com')), userMetadata: { a: 1 } };
    const decided = next(world, record);
    expect(groups(decided.conflicts)).toEqual([['password', 'kept']]);
    expect(only(world)).toMatchObject({ passwordHash: hashes.here, metadata: { a: 1 } });
    expect(next(world, record).conflicts).toEqual([]);
  });

  it.each([
    ['set by whoever has a session, of an email that nobody verified', null, hashes.first],
    ['set by a link that went to the email', 1, hashes.here],
  ])('and the password was %s', (_, resetAt, left) => {
    const world = new World();
    world.add({ ...held, passwordSetAt: 1, resetAt });
    next(world, user('x', password('a@x.com')));
    expect(only(world).passwordHash).toBe(left);
  });

  it('is taken over with the password otherwise', () => {
    const world = new World();
    world.add(held);
    expect(next(world, user('x', password('a@x.com'))).conflicts).toEqual([]);
    expect(only(world).passwordHash).toBe(hashes.first);
  });
});

describe('a record that does not say that the email is verified', () => {
  const held = { email: 'a@x.com', passwordHash: hashes.here, externalId: 'x' };
  const proofs: [string, Partial<HeldMethod>][] = [
    ['the email was verified here', { isVerified: true }],
    ['a reset link was followed here', { resetAt: 1, passwordSetAt: 1 }],
  ];
  const rules: OnConflict[] = ['update', 'theirs', 'ours'];

  describe.each(proofs)('where %s', (_, proof) => {
    it.each(rules)('never replaces a password that no import stated: %s', (onConflict) => {
      const world = new World();
      world.add({ ...held, ...proof });
      const decided = next(world, user('x', password('a@x.com')), onConflict);
      expect(groups(decided.conflicts)).toEqual([['password', 'kept']]);
      expect(decided.conflicts[0]).toMatchObject({
        here: 'verified here',
        source: 'not verified at the source',
      });
      expect(only(world).passwordHash).toBe(hashes.here);
    });

    it.each(rules)('never replaces one that was imported as unverified: %s', (onConflict) => {
      const world = imported(user('x', password('a@x.com')));
      changeHere(world, 1, proof);
      const decided = next(world, user('x', password('a@x.com', hashes.second)), onConflict);
      expect(groups(decided.conflicts)).toEqual([['password', 'kept']]);
      expect(only(world).passwordHash).toBe(hashes.first);
    });
  });

  it('is listed where onConflict is skip or reject', () => {
    for (const [onConflict, done] of [
      ['skip', 'skipped'],
      ['reject', 'rejected'],
    ] as const) {
      const world = new World();
      world.add({ ...held, isVerified: true });
      const decided = next(world, user('x', password('a@x.com')), onConflict);
      expect(groups(decided.conflicts)).toEqual([['password', done]]);
    }
  });

  it('replaces the password that an import stated as verified', () => {
    const world = imported(user('x', password('a@x.com', hashes.first, { isVerified: true })));
    const decided = next(world, user('x', password('a@x.com', hashes.second)));
    expect([decided.conflicts, only(world).passwordHash]).toEqual([[], hashes.second]);
  });
});

describe('a record that says that the email is verified', () => {
  it.each([
    ['update', 'kept', hashes.here],
    ['theirs', 'replaced', hashes.first],
  ] as const)('is a conflict with a password of a verified sign-up: %s', (onConflict, done, left) => {
    const world = new World();
    world.add({ email: 'a@x.com', passwordHash: hashes.here, isVerified: true });
    const decided = next(
      world,
      user('x', password('a@x.com', hashes.first, { isVerified: true })),
      onConflict,
    );
    expect(groups(decided.conflicts)).toEqual([['password', done]]);
    expect(only(world).passwordHash).toBe(left);
  });
});

describe('the base', () => {
  it('is the same for what means the same', () => {
    const baseOf = (record: NativeUser) => [...basesOf(new World().decide([record])).values()];
    const one = { ...user('x', password('A@x.com ')), userMetadata: { a: 1, b: { c: -0, d: [1] } } };
    const other = { ...user('x', password('a@x.com')), userMetadata: { b: { d: [1], c: 0 }, a: 1 } };
    expect(baseOf(other)).toEqual(baseOf(one));
    const roles = (...names: string[]) => ({
      ...user('x', password('a@x.com')),
      userRoles: names.map((role) => ({ role })),
    });
    expect(baseOf(roles('a', 'b'))).toEqual(baseOf(roles('b', 'a', 'a')));
    expect(baseOf(roles('a'))).not.toEqual(baseOf(roles('b')));
  });

  it('holds no password and no email', () => {
    const [base = ''] = basesOf(new World().decide([user('x', password('a@x.com'))])).values();
    expect(Buffer.from(base ?? '', 'hex')).toHaveLength(17);
  });
});
