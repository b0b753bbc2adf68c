/** The part of an app's hashes that its report reads. */
import { describe, expect, it } from 'vitest';
import type { Tenant } from '../../src/domain/model.ts';
import { link, useStore, passwordUser, type TestStore, thirdPartyUser } from '../helpers/store.ts';

const since = Date.UTC(2026, 5, 1);

let store: TestStore;
let tenant: Tenant;
useStore((opened, app) => {
  [store, tenant] = [opened, app];
});

async function user(email: string, passwordHash = `hash of ${email}`, of = tenant): Promise<string> {
  const made = passwordUser(of, email, { passwordHash });
  await store.users.putPasswordUser(made);
  return made.userId;
}

interface Fared {
  readonly provenAt?: number;
  /** The hash that was proven. */
  readonly proven?: string;
  readonly refusedAt?: number;
  readonly refusals?: number;
}

const fared = (userId: string, { provenAt, proven, refusedAt, refusals = 0 }: Fared, of = tenant) =>
  store.sql(
    `insert into sign_ins (app_no, user_id, proven_at, proven_hash, refused_at, refusals)
     values ($1, $2, $3, hash_mark($4), $5, $6)`,
    [of.appNo, userId, provenAt ?? null, proven ?? null, refusedAt ?? null, refusals],
  );

async function pages(limit: number): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const page = await store.hashReports.hashes(tenant.appNo, after, limit);
    found.push(page.lines);
    after = page.next;
  } while (after !== undefined);
  return found;
}

describe('pages', () => {
  it.each([1, 2, 3, 6, 7, 100])('of %d users hold every hash once', async (limit) => {
    for (let n = 0; n < 6; n++) await user(`u${n}@b.test`);
    await store.users.putThirdPartyUser(thirdPartyUser(tenant, 'g1'));
    await user('other@b.test', undefined, await store.newApp());
    const lines = (await pages(limit)).flatMap((text) => (text === '' ? [] : text.split('\n')));
    expect(lines.sort()).toEqual(Array.from({ length: 6 }, (_, n) => `hash of u${n}@b.test`));
  });

  it('have a line for a hash whose salt breaks lines', async () => {
    await user('a@b.test', 'md5$sa\nlt$0');
    expect(await pages(10)).toEqual(['md5$sa lt$0']);
  });

  it('have no lines without passwords', async () => {
    expect(await pages(10)).toEqual(['']);
  });
});

describe('activity', () => {
  it('counts whose password came since then, and whose right one did for the hash that they have', async () => {
    const people: [string, Fared][] = [
      ['proven', { provenAt: since, proven: 'hash of proven' }],
      ['proven and refused', { provenAt: since, proven: 'hash of proven and refused', refusedAt: since + 1 }],
      ['proven before', { provenAt: since - 1, proven: 'hash of proven before' }],
      [
        'proven before, refused',
        { provenAt: since - 1, proven: 'hash of proven before, refused', refusedAt: since },
      ],
      ['proven with another hash', { provenAt: since, proven: 'another' }],
      ['only refused', { refusedAt: since, refusals: 1 }],
      ['only signed in as a social user', {}],
    ];
    for (const [name, each] of people) await fared(await user(name), each);
    const elsewhere = await store.newApp();
    await fared(await user('x', undefined, elsewhere), { refusedAt: since }, elsewhere);
    const social = thirdPartyUser(tenant, 'g1');
    await store.users.putThirdPartyUser(social);
    await fared(social.userId, { provenAt: since });
    expect(await store.hashReports.activity(tenant.appNo, since)).toEqual({ active: 5, proven: 2 });
    expect(await store.hashReports.activity(tenant.appNo, since + 2)).toEqual({ active: 0, proven: 0 });
  });

  it('takes a hash as proven that a sign-in made of the proven one, whichever note came last', async () => {
    const userId = await user('a', 'old');
    await store.users.upgradeHash({ appNo: tenant.appNo, userId, from: 'old', to: 'new', at: since });
    await store.signIns.mark({ appNo: tenant.appNo, userId, at: since + 1, passwordHash: 'old' });
    expect(await store.hashReports.activity(tenant.appNo, since)).toEqual({ active: 1, proven: 1 });
    expect(await store.hashReports.countUpgraded(tenant.appNo)).toBe(1);
    await user('a', 'imported');
    expect(await store.hashReports.activity(tenant.appNo, since)).toEqual({ active: 1, proven: 0 });
    expect(await store.hashReports.countUpgraded(tenant.appNo)).toBe(0);
  });
});

describe('mismatches', () => {
  const list = (limit = 10) => store.hashReports.mismatches(tenant.appNo, since, limit);

  it('are users whose password was only refused, the latest first', async () => {
    await fared(await user('early'), { refusedAt: since, refusals: 2 });
    await fared(await user('late'), { refusedAt: since + 5, refusals: 1 });
    await fared(await user('long ago'), { refusedAt: since - 1, refusals: 9 });
    await fared(await user('mistyped'), {
      refusedAt: since,
      provenAt: since - 9,
      proven: 'hash of mistyped',
    });
    await fared(await user('replaced'), {
      refusedAt: since + 1,
      refusals: 3,
      provenAt: since,
      proven: 'former',
    });
    const found = await list();
    expect(
      found.map(({ email, passwordHash, refusals, refusedAt }) => [email, passwordHash, refusals, refusedAt]),
    ).toEqual([
      ['late', 'hash of late', 1, since + 5],
      ['replaced', 'hash of replaced', 3, since + 1],
      ['early', 'hash of early', 2, since],
    ]);
    expect(await list(1)).toEqual(found.slice(0, 1));
  });

  it('are named as callers know them: by the external id, and by the head where they are linked', async () => {
    const [mapped, head, linked] = [await user('mapped'), await user('head'), await user('linked')];
    await store.mappings.map(tenant.appNo, { superTokensUserId: mapped, externalUserId: 'ext' });
    await link(store.sql, tenant, [head, linked]);
    await fared(mapped, { refusedAt: since + 1 });
    await fared(linked, { refusedAt: since });
    expect((await list()).map(({ userId }) => userId)).toEqual(['ext', head]);
    await store.mappings.map(tenant.appNo, { superTokensUserId: head, externalUserId: 'of the head' });
    expect((await list()).map(({ userId }) => userId)).toEqual(['ext', 'of the head']);
  });
});
