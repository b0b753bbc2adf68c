/** Cookies that Laravel's own classes sealed: the id in them, and the remember token, are found among the imported ones. */
import { createHash, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { beforeEach, describe, expect, test } from 'vitest';
import { readSessionSources } from '../../src/config/sources/session-sources.ts';
import type { TestCore } from '../helpers/core.ts';
import { carryFrom, soon } from '../helpers/old-tokens.ts';
import { importUser, newApp, newEmail } from '../helpers/people.ts';
import { useCoreAndApps } from '../helpers/use-core.ts';

const { laravel } = JSON.parse(
  readFileSync(new URL('../vectors/session-cookies.json', import.meta.url), 'utf8'),
) as { readonly laravel: Readonly<Record<string, string>> };
const made = (name: string): string => laravel[name] ?? '';
const remember = 'remember_web_59ba36addc2b2f9401580f014c7f58ea4e30989d';
const rememberToken = made('remember').split('|')[1] ?? '';
const hour = 3_600_000;

let core: TestCore;
let app: string;
let source: object;
useCoreAndApps((used) => {
  ({ core } = used);
});
beforeEach(async () => {
  source = { name: 'shop', speaks: 'signed-cookie', framework: 'laravel', secret: made('key') };
  source = { ...source, cookie: 'shop_session', until: soon() };
  app = await newApp(core, { session_sources: [source] });
  const { id } = await importUser(core, newEmail(), app);
  await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: '42' });
});

async function bring(token: string, change: object = {}): Promise<void> {
  const tokenSha256 = createHash('sha256').update(token).digest('hex');
  const record = { userId: '42', tokenSha256, expiresAt: Date.now() + hour, ...change };
  const { body } = await core.post(`${app}/recipe/session/carry/import`, {
    source: 'shop',
    sessions: [record],
  });
  expect(body).toEqual({ status: 'OK', imported: 1 });
}

/** @returns the handle of the session, or why it was refused */
async function carry(token: string): Promise<string> {
  const { body } = await carryFrom(core, app, { source: 'shop', token });
  if (body.status !== 'OK') return String(body.reason);
  expect(body.carried).toMatchObject({ source: 'shop', userId: '42' });
  return (body.session as { handle: string }).handle;
}

const session = expect.stringMatching(/^[\da-f-]{36}/) as string;

describe('the cookie of a session', () => {
  test.each(['cbc', 'gcm'])('sealed by %s gives one, by the id in it', async (name) => {
    expect(await carry(made(name))).toBe('INVALID_TOKEN');
    await bring(made('id'));
    const header = `theme=dark; shop_session=${encodeURIComponent(made(name))}`;
    const handle = await carry(header);
    expect(handle).toEqual(session);
    // Each answer of Laravel seals it again: it is the same session.
    for (const again of [made(name), made('cbcAgain')]) expect(await carry(again)).toBe(handle);
  });

  test('that is another cookie of the app, altered or sealed by another key gives none', async () => {
    await bring(made('id'));
    const sealed = Buffer.from(made('cbc'), 'base64').toString();
    const altered = sealed.replace(/"value":"(.)/, (_all, first) => `"value":"${first === 'A' ? 'B' : 'A'}`);
    const wrong = [
      made('otherCookie'),
      made('unprefixed'),
      made('id'),
      'x',
      '',
      '%',
      '%%%',
      'e30=',
      Buffer.from(altered).toString('base64'),
      Buffer.from(sealed.replace(/"mac":"[^"]*"/, '"mac":""')).toString('base64'),
    ].filter((each) => each !== '');
    for (const each of wrong) expect([each, await carry(each)]).toEqual([each, 'INVALID_TOKEN']);
    const secret = `base64:${Buffer.alloc(32, 7).toString('base64')}`;
    app = await newApp(core, { session_sources: [{ ...source, secret }] });
    expect(await carry(made('cbc'))).toBe('INVALID_TOKEN');
  });

  test('opens with an older key, too', async () => {
    const secret = [`base64:${Buffer.alloc(32, 7).toString('base64')}`, made('key')];
    app = await newApp(core, { session_sources: [{ ...source, secret }] });
    const { id } = await importUser(core, newEmail(), app);
    await core.post(`${app}/recipe/userid/map`, { superTokensUserId: id, externalUserId: '42' });
    await bring(made('id'));
    expect(await carry(made('cbc'))).toEqual(session);
  });
});

describe('the remember cookie', () => {
  const header = (value: string, own = made('cbc')) =>
    `shop_session=${encodeURIComponent(own)}; ${remember}=${encodeURIComponent(value)}`;

  test('gives a session to each device of its user, by the token that all have', async () => {
    await bring(rememberToken);
    const handles = [await carry(header(made('cbcRemember'))), await carry(header(made('secondDevice')))];
    expect(handles).toEqual([session, session]);
    expect(new Set(handles).size).toBe(2);
    expect(await carry(header(made('cbcRemember')))).toBe(handles[0]);
  });

  test('counts where the session is not there or has ended, and not before', async () => {
    await bring(rememberToken);
    await bring(made('id'), { expiresAt: Date.now() - hour });
    const remembered = await carry(header(made('gcmRemember')));
    expect(remembered).toEqual(session);
    await bring(made('id'));
    const ofSession = await carry(header(made('gcmRemember')));
    expect(ofSession).not.toBe(remembered);
    expect(await carry(made('cbc'))).toBe(ofSession);
  });

  test('whose token was not imported, or belongs to another user, gives none', async () => {
    expect(await carry(header(made('cbcRemember')))).toBe('INVALID_TOKEN');
    await bring(rememberToken, { userId: `of ${randomUUID()} 43` });
    expect(await carry(header(made('cbcRemember')))).toBe('INVALID_TOKEN');
    expect(await carry(header(made('otherCookie')))).toBe('INVALID_TOKEN');
  });
});

test('a secret that is no APP_KEY is refused, and not repeated', () => {
  const read = (secret: string) => () =>
    readSessionSources([
      { name: 's', speaks: 'signed-cookie', framework: 'laravel', secret, until: '2999-01-01' },
    ]);
  const wrong = 'base64:dG9vIHNob3J0IGZvciBBRVM=';
  expect(read(wrong)).toThrow(/'secret' must be APP_KEY/);
  expect(read(wrong)).not.toThrow(wrong);
  expect(read(made('key'))()).toMatchObject([{ cookie: 'laravel_session', framework: 'laravel' }]);
});
