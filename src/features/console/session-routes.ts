import { requireTenant } from '../../http/routing/handlers.ts';
import { type Header, jsonReply, Reply } from '../../http/response/replies.ts';
import { callerOf } from '../../http/routes/sign-in.ts';
import type { Route, RouteContext } from '../../http/routing/route.ts';
import { bodyForms } from '../../schema/forms.ts';
import { common, cookieName, path } from './model.ts';
import type { ConsoleOperations } from './operations.ts';
import { type ConsoleInputs, consoleBodies } from './schema.ts';
import type { ConsoleSession } from './sessions.ts';

const inBody = bodyForms(consoleBodies);
const session = `${path}/session`;
const wrong = { status: 'INVALID_CREDENTIALS_ERROR' } as const;

interface SignedOut {
  readonly status: 'SIGNED_OUT';
  readonly needsKey: boolean;
}

/** They take no key: the cookie, or what is typed, is the credential. */
export function sessionRoutes(console: ConsoleOperations): Route[] {
  const open = { ...common, path: session, needs: 'any', open: true } as const;
  return [
    {
      ...open,
      method: 'POST',
      summary: 'Signs in to the console, with a key or as a dashboard user',
      statuses: ['OK', 'INVALID_CREDENTIALS_ERROR'],
      refusals: [429],
      audit: { what: 'console.sign-in', when: 'granted' },
      body: inBody.beginConsoleSession,
      handle: (context) => begin(console, context),
    },
    {
      ...open,
      method: 'GET',
      summary: 'The session of the cookie: name, scopes, and the token that its requests carry',
      statuses: ['OK', 'SIGNED_OUT'],
      handle: (context) => look(console, context),
    },
    {
      ...open,
      method: 'DELETE',
      summary: 'Signs out of the console',
      statuses: ['OK'],
      unaudited: 'only ends a session',
      handle: (context) => end(console, context),
    },
  ];
}

async function begin(console: ConsoleOperations, context: RouteContext): Promise<Reply | object> {
  const { key, email, password, isSecure = false } = context.input as ConsoleInputs['beginConsoleSession'];
  const { sessions, operators } = console;
  if (email === undefined || password === undefined)
    return begun(console, sessions.beginWithKey(key, isSecure), context);
  const tenant = requireTenant(context.tenant);
  const signedIn = await operators.signIn(tenant, { email, password }, callerOf(context));
  if (signedIn.status !== 'OK') return wrong;
  const operator = { appId: tenant.appId, email, sessionId: signedIn.sessionId };
  return begun(console, sessions.beginWithOperator(operator, { isSecure }), context);
}

/** @param value of the cookie */
function begun(console: ConsoleOperations, value: string | undefined, { act }: Pick<RouteContext, 'act'>) {
  if (value === undefined) return wrong;
  return withSession(console, value, (session) => act?.report({ name: session.holder.name })) ?? wrong;
}

/** A dashboard user is looked up again, and the cookie renewed: one that was removed loses the console within minutes. */
async function look(console: ConsoleOperations, { head }: RouteContext): Promise<Reply | object> {
  const { sessions, needsKey, version } = console;
  const signedOut: SignedOut = { status: 'SIGNED_OUT', needsKey };
  const opened = sessions.open(head.cookies, true);
  if (opened?.operator === undefined) return opened === undefined ? signedOut : viewOf(opened, version);
  const { operator } = opened;
  if (!(await isHere(console, operator))) return signedOut;
  return withSession(console, sessions.beginWithOperator(operator, opened)) ?? signedOut;
}

/** Looks up whether the session of a dashboard user is there still. @returns undefined for sessions of keys */
export function presenceOf(
  console: ConsoleOperations,
  cookies: string | undefined,
): (() => Promise<boolean>) | undefined {
  const operator = console.sessions.open(cookies, true)?.operator;
  return operator && (() => isHere(console, operator));
}

async function isHere(
  { operators, homeOf }: ConsoleOperations,
  { appId, sessionId }: NonNullable<ConsoleSession['operator']>,
): Promise<boolean> {
  const home = await homeOf(appId);
  const found = home && (await operators.verifySession(home, { sessionId }));
  return found?.status === 'OK';
}

async function end({ sessions, operators, homeOf }: ConsoleOperations, { head }: RouteContext) {
  const operator = sessions.open(head.cookies, true)?.operator;
  const home = operator && (await homeOf(operator.appId));
  if (operator && home) await operators.endSession(home, { sessionId: operator.sessionId });
  return withCookie({ status: 'OK' }, cookie('', { isSecure: false, seconds: 0 }));
}

/** @param value of a new cookie @returns undefined if it opens nothing */
function withSession(
  { sessions, now, version }: ConsoleOperations,
  value: string,
  onOpened?: (session: ConsoleSession) => void,
): Reply | undefined {
  const session = sessions.open(`${cookieName}=${value}`);
  if (session === undefined) return undefined;
  onOpened?.(session);
  const { until, isSecure } = session;
  const seconds = Math.max(1, Math.round((until - now()) / 1000));
  return withCookie(viewOf(session, version), cookie(value, { isSecure, seconds }));
}

function viewOf({ holder, csrf, until }: ConsoleSession, version: string): object {
  const { name, scopes } = holder;
  return { status: 'OK', name, scopes: scopes === 'all' ? 'all' : [...scopes], csrf, until, version };
}

/** Sent with requests of the core's own pages alone, and read by no script. */
function cookie(
  value: string,
  { isSecure, seconds }: { readonly isSecure: boolean; readonly seconds: number },
): Header {
  const secure = isSecure ? '; Secure' : '';
  return [
    'Set-Cookie',
    `${cookieName}=${value}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${seconds}${secure}`,
  ];
}

function withCookie(value: object, header: Header): Reply {
  const { contentType, body } = jsonReply(value);
  return new Reply({
    ...(contentType !== undefined && { contentType }),
    body,
    headers: [header, ['Cache-Control', 'no-store']],
  });
}
