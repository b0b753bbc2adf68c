import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { readSessionSources } from '../../src/config/sources/session-sources.ts';
import type { AuthJsSource, SignedCookieSource } from '../../src/domain/model.ts';
import { openAuthJs } from '../../src/features/session-carry/cookies/authjs.ts';
import { RailsKeys } from '../../src/features/session-carry/cookies/rails.ts';
import { openSignedCookie } from '../../src/features/session-carry/cookies/signed.ts';
import type { OpenedToken } from '../../src/features/session-carry/opened-token.ts';

type Made = Readonly<Record<string, string>>;
const vectors = JSON.parse(
  readFileSync(new URL('../vectors/session-cookies.json', import.meta.url), 'utf8'),
) as Readonly<Record<'authjs' | 'cookieSession' | 'django' | 'rails', Made>>;
const { authjs, cookieSession, django, rails } = vectors;
const made = (from: Made, name: string): string => from[name] ?? '';

const until = '2999-01-01';
const sourceOf = (fields: object) => readSessionSources([{ name: 's', until, ...fields }])[0];
const authJsSource = (fields: object = {}) =>
  sourceOf({ speaks: 'authjs', secret: made(authjs, 'secret'), ...fields }) as AuthJsSource;
const cookieSource = (fields: object) =>
  sourceOf({ speaks: 'signed-cookie', ...fields }) as SignedCookieSource;

const keys = new RailsKeys();
const open = async (source: AuthJsSource | SignedCookieSource, token: string): Promise<OpenedToken> =>
  source.speaks === 'authjs' ? openAuthJs(source, token) : openSignedCookie(source, token, keys);

/**
 * Every twentieth character replaced by another one of the alphabet: some are unused bits of the encoding, which are not
 * authenticated.
 */
function forged(token: string): string[] {
  return Array.from({ length: Math.floor(token.length / 20) }, (_, n) => {
    const at = n * 20 + 5;
    const other = token[at] === 'A' ? 'B' : 'A';
    return token.slice(0, at) + other + token.slice(at + 1);
  });
}

const sessionCookie = `theme=dark; session=${made(cookieSession, 'value')}; session.sig=${made(cookieSession, 'sig')}`;
const inPieces = (name: string, value: string) =>
  `${name}.1=${value.slice(4000)}; other=1; ${name}.0=${value.slice(0, 4000)}`;
const expressSource = cookieSource({
  framework: 'cookie-session',
  secret: ['another secret of it', made(cookieSession, 'secret')],
  user_id: 'passport.user',
  issued_at: 'at',
});
const djangoSource = cookieSource({ framework: 'django', secret: made(django, 'secret') });
const railsSource = cookieSource({
  framework: 'rails',
  secret: made(rails, 'secret'),
  cookie: '_app_session',
});

const genuine: readonly (readonly [string, AuthJsSource | SignedCookieSource, string, object])[] = [
  ['NextAuth 4', authJsSource(), made(authjs, 'nextAuth4'), { userId: 'old|ada' }],
  ['Auth.js 5', authJsSource(), made(authjs, 'authCore'), { userId: 'old|ada' }],
  ['Auth.js 5, with TLS', authJsSource(), made(authjs, 'authCoreSecure'), { userId: 'old|ada' }],
  [
    ...(['Auth.js 5, in pieces', authJsSource()] as const),
    inPieces('authjs.session-token', made(authjs, 'authCoreBig')),
    { userId: 'old|ada' },
  ],
  ['cookie-session', expressSource, sessionCookie, { userId: 'old|ada', issuedAt: 1_763_900_000_000 }],
  ['Django', djangoSource, made(django, 'small'), { userId: '42' }],
  ['Django, compressed', djangoSource, `a=b; sessionid=${made(django, 'compressed')}`, { userId: '42' }],
  ['Rails 6', railsSource, made(rails, 'SHA1'), { userId: '42', expiresAt: undefined }],
  ['Rails 7', railsSource, encodeURIComponent(made(rails, 'SHA256')), { userId: '42' }],
  ['Rails, with an end', railsSource, made(rails, 'SHA256_exp'), { expiresAt: 4_102_444_800_000 }],
];

describe('a cookie of', () => {
  test.each(genuine)('%s is opened, and no forged one', async (_what, source, token, expected) => {
    expect(await open(source, token)).toMatchObject(expected);
    // In a Cookie header the names matter as well; only in the sealed part every character does.
    const attempts = token.includes('; ') ? [] : forged(token);
    for (const attempt of attempts) {
      const opened = await open(source, attempt).catch(() => undefined);
      expect(opened).toBeUndefined();
    }
  });

  test('another secret, another name or another purpose is refused', async () => {
    const other = { secret: 'another secret that has 32 characters or more' };
    const refusedOnes: readonly (readonly [AuthJsSource | SignedCookieSource, string])[] = [
      [authJsSource(other), made(authjs, 'nextAuth4')],
      [authJsSource(other), made(authjs, 'authCore')],
      [authJsSource({ cookie: 'other' }), made(authjs, 'authCore')],
      [{ ...expressSource, secrets: [other.secret] }, sessionCookie],
      [{ ...expressSource, cookie: 'sess' }, sessionCookie.replaceAll('session', 'sess')],
      [{ ...djangoSource, secrets: [other.secret] }, made(django, 'small')],
      [{ ...railsSource, secrets: [other.secret] }, made(rails, 'SHA1')],
      [{ ...railsSource, cookie: '_other' }, made(rails, 'SHA1')],
    ];
    for (const [source, token] of refusedOnes)
      await expect(open(source, token)).rejects.toThrow(/signature|audience/);
  });

  test('that is text of another sort is refused', async () => {
    for (const source of [authJsSource(), expressSource, djangoSource, railsSource])
      for (const token of ['x', '....', 'a.b.c', '--', ':::', '=', ';', 'session=', '.'.repeat(5000)])
        await expect(open(source, token)).rejects.toThrow(/not-a-token|algorithm|signature/);
  });
});
