/** Cookies that express-session itself set: the id in them, if its signature is right, is found among the imported ones. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, expect, test } from 'vitest';
import { readSessionSources } from '../../src/config/sources/session-sources.ts';
import type { TestCore } from '../helpers/core.ts';
import { carryFrom, soon } from '../helpers/old-tokens.ts';
import { importUser, newApp, newEmail } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

const { expressSession } = JSON.parse(
  readFileSync(new URL('../vectors/session-cookies.json', import.meta.url), 'utf8'),
) as { readonly expressSession: Readonly<Record<string, string>> };
const made = (name: string): string => expressSession[name] ?? '';
const hour = 3_600_000;

let core: TestCore;
let app: string;
useCoreAndApps((used) => {
  ({ core } = used);
});
beforeEach(() => openApp());

async function openApp(change: object = {}): Promise<void> {
  const source = { name: 'shop', speaks: 'signed-cookie', framework: 'express-session', until: soon() };
  app = await newApp(core, { session_sources: [{ ...source, secret: made('secret'), ...change }] });
  const { id } = await importUser(core, newEmail(), app);
  await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: '42' });
}

async function bring(id: string): Promise<void> {
  const tokenSha256 = createHash('sha256').update(id).digest('hex');
  const sessions = [{ userId: '42', tokenSha256, expiresAt: Date.now() + hour }];
  const { body } = await core.post(`${app}/recipe/session/carry/import`, { source: 'shop', sessions });
  expect(body).toEqual({ status: 'OK', imported: 1 });
}

/** @returns the handle of the session, or why none was made */
async function carry(token: string): Promise<string> {
  const { body } = await carryFrom(core, app, { source: 'shop', token });
  if (body.status !== 'OK') return String(body.reason);
  expect(body.carried).toMatchObject({ source: 'shop', userId: '42' });
  return (body.session as { handle: string }).handle;
}

const session = expect.stringMatching(/^[\da-f-]{36}/) as string;

test('a cookie gives a session, as a value, decoded or in the Cookie header: one, however it is written', async () => {
  expect(await carry(made('cookie'))).toBe('INVALID_TOKEN');
  await bring(made('id'));
  const handle = await carry(`theme=dark; connect.sid=${made('cookie')}; other=s%3Ax.y`);
  expect(handle).toEqual(session);
  for (const again of [made('cookie'), decodeURIComponent(made('cookie'))])
    expect(await carry(again)).toBe(handle);
});

test('an older secret counts where it is listed, and only there', async () => {
  await bring(made('olderId'));
  expect(await carry(made('older'))).toBe('INVALID_TOKEN');
  await openApp({ secret: [made('secret'), made('olderSecret')] });
  await bring(made('olderId'));
  expect(await carry(made('older'))).toEqual(session);
});

test('an id with full stops and other characters is read to its last one, from a cookie of another name', async () => {
  await openApp({ cookie: 'shop.id' });
  await bring(made('dottedId'));
  expect(await carry(`connect.sid=${made('cookie')}; shop.id=${made('dotted')}`)).toEqual(session);
});

test('an id without its signature, or with another one, gives none', async () => {
  await bring(made('id'));
  const signed = decodeURIComponent(made('cookie'));
  const id = made('id');
  const signature = signed.slice(signed.lastIndexOf('.') + 1);
  const altered = `${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`;
  const wrong = [
    id,
    `s:${id}`,
    `s:${id}.`,
    `${id}.${signature}`,
    `s:.${signature}`,
    `s:${id}.${altered}`,
    `s:${id}x.${signature}`,
    `s:${id}.${signature}=`,
    `s:${id}.${signature.slice(0, -1)}`,
    `j:${id}.${signature}`,
    `other=${made('cookie')}`,
    made('older'),
    'x',
    '%',
    's:',
    's:.',
  ];
  for (const each of wrong) expect([each, await carry(each)]).toEqual([each, 'INVALID_TOKEN']);
  expect(await carry(made('cookie'))).toEqual(session);
});

test('a source says its secret, and needs no user_id', () => {
  const read = (fields: object) => () =>
    readSessionSources([
      { name: 's', speaks: 'signed-cookie', framework: 'express-session', until: '2999-01-01', ...fields },
    ]);
  expect(read({})).toThrow(/'secret' is missing/);
  expect(read({ secret: 'cat', user_id: 'passport.user' })).toThrow(/unknown field 'user_id'/);
  expect(read({ secret: ['a', 'b', 'c', 'd', 'e', 'f'] })).toThrow(/may list 5 secrets/);
  expect(read({ secret: 'cat' })()).toMatchObject([{ cookie: 'connect.sid', secrets: ['cat'] }]);
});
