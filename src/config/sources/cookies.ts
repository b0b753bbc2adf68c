import type { CookieFramework } from '../../domain/model.ts';
import type { SourceFields } from './fields.ts';

/** Names without and with TLS in versions 4 and 5. */
const authJsCookies = [
  'authjs.session-token',
  '__Secure-authjs.session-token',
  'next-auth.session-token',
  '__Secure-next-auth.session-token',
];
const leastBytes = 16;
const mostSecrets = 5;

/** @throws SourceFault */
export function readAuthJs(fields: SourceFields) {
  return {
    speaks: 'authjs' as const,
    secrets: secretsOf(fields, 32),
    cookies: fields.optionalTexts('cookie') ?? authJsCookies,
    userId: fields.optionalText('user_id') ?? 'sub',
  };
}

interface FrameworkDefaults {
  /** Absent: the source must state it. */
  readonly cookie?: string;
  readonly userId?: string;
}

const frameworks: Readonly<Record<CookieFramework, FrameworkDefaults>> = {
  'cookie-session': { cookie: 'session' },
  django: { cookie: 'sessionid', userId: '_auth_user_id' },
  /** Where Devise stores the user. */
  rails: { userId: 'warden.user.user.key.0.0' },
};

/** @throws SourceFault */
export function readSignedCookie(fields: SourceFields) {
  const framework = fields.word('framework', [
    ...(Object.keys(frameworks) as CookieFramework[]),
    ...(['express-session', 'laravel'] as const),
  ]);
  if (framework === 'laravel') return readLaravel(fields);
  return framework === 'express-session' ? readExpressSession(fields) : readHolding(fields, framework);
}

function readHolding(fields: SourceFields, framework: CookieFramework) {
  const known = frameworks[framework];
  return {
    speaks: 'signed-cookie' as const,
    framework,
    secrets: secretsOf(fields, leastBytes),
    cookie: fields.optionalText('cookie') ?? known.cookie ?? fields.text('cookie'),
    userId: fields.optionalText('user_id') ?? known.userId ?? fields.text('user_id'),
    issuedAt: fields.optionalText('issued_at'),
  };
}

function readLaravel(fields: SourceFields) {
  return {
    speaks: 'signed-cookie' as const,
    framework: 'laravel' as const,
    keys: secretsOf(fields, leastBytes).map((text) => appKeyOf(fields, text)),
    cookie: fields.optionalText('cookie') ?? 'laravel_session',
  };
}

/** Of any length: a secret does not reveal an imported id, and ids cannot be guessed. */
function readExpressSession(fields: SourceFields) {
  return {
    speaks: 'signed-cookie' as const,
    framework: 'express-session' as const,
    secrets: secretsOf(fields, 1),
    cookie: fields.optionalText('cookie') ?? 'connect.sid',
  };
}

/** APP_KEY as in .env. */
function appKeyOf(fields: SourceFields, text: string): Buffer {
  const key = Buffer.from(text.replace(/^base64:/, ''), 'base64');
  if (key.length === 32 || key.length === 16) return key;
  return fields.fail('secret', 'must be APP_KEY as .env has it: base64: and 32 bytes in base64');
}

function secretsOf(fields: SourceFields, least: number): readonly string[] {
  const secrets = fields.texts('secret');
  if (secrets.length > mostSecrets)
    fields.fail('secret', `may list ${mostSecrets} secrets: leave out old ones`);
  if (secrets.some((secret) => Buffer.byteLength(secret) < least))
    fields.fail('secret', `must have ${least} bytes or more: a shorter one can be found by trying`);
  return secrets;
}
