import { Refusal } from '../../domain/errors.ts';
import { requireTenant } from '../../http/routing/handlers.ts';
import { type Header, jsonReply, Reply } from '../../http/response/replies.ts';
import { callerOf } from '../../http/routes/sign-in.ts';
import type { Route, RouteContext } from '../../http/routing/route.ts';
import { bodyForms } from '../../schema/forms.ts';
import { common, cookieName, path } from './model.ts';
import type { ConsoleOperations } from './operations.ts';
import { type ConsoleInputs, consoleBodies } from './schema.ts';
import { sessionMs } from './sessions.ts';

const inBody = bodyForms(consoleBodies);
const session = `${path}/session`;
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

async function begin({ sessions, operators, version }: ConsoleOperations, context: RouteContext) {
  const { key, email, password, isSecure = false } = context.input as ConsoleInputs['beginConsoleSession'];
  const tenant = requireTenant(context.tenant);
  const wrong = { status: 'INVALID_CREDENTIALS_ERROR' };
  let value: string | undefined;
  if (email !== undefined && password !== undefined) {
    const signedIn = await operators.signIn(tenant, { email, password }, callerOf(context));
    if (signedIn.status !== 'OK') return wrong;
    const { sessionId } = signedIn;
    value = sessions.beginWithOperator({ appId: tenant.appId, email, sessionId });
  } else value = sessions.beginWithKey(key);
  const opened = sessions.open(value === undefined ? undefined : `${cookieName}=${value}`);
  if (value === undefined || opened === undefined) return wrong;
  context.act?.report({ name: opened.holder.name });
  return withCookie(viewOf(opened, version), cookie(value, isSecure, sessionMs / 1000));
}

/** A dashboard user is looked up again, and the cookie renewed: who was removed loses the console within minutes. */
async function look(
  { sessions, operators, version, needsKey }: ConsoleOperations,
  { head, tenant }: RouteContext,
): Promise<Reply | object> {
  const signedOut: SignedOut = { status: 'SIGNED_OUT', needsKey };
  const opened = sessions.open(head.cookies, true);
  if (opened === undefined) return signedOut;
  const { operator, until } = opened;
  if (operator === undefined) return jsonReply(viewOf(opened, version));
  const app = requireTenant(tenant);
  if (operator.appId !== app.appId) throw new Refusal('INVALID_API_KEY');
  const found = await operators.verifySession(app, { sessionId: operator.sessionId });
  if (found.status !== 'OK') return signedOut;
  const value = sessions.beginWithOperator(operator, opened);
  const renewed = sessions.open(`${cookieName}=${value}`);
  if (renewed === undefined) return signedOut;
  const seconds = Math.max(1, Math.round((until - Date.now()) / 1000));
  return withCookie(viewOf(renewed, version), cookie(value, false, seconds));
}

async function end({ sessions, operators }: ConsoleOperations, { head, tenant }: RouteContext) {
  const operator = sessions.open(head.cookies, true)?.operator;
  if (operator !== undefined)
    await operators.endSession(requireTenant(tenant), { sessionId: operator.sessionId });
  return withCookie({ status: 'OK' }, cookie('', false, 0));
}

type Opened = NonNullable<ReturnType<ConsoleOperations['sessions']['open']>>;

function viewOf({ holder, csrf, until }: Opened, version: string): object {
  const { name, scopes } = holder;
  return { status: 'OK', name, scopes: scopes === 'all' ? 'all' : [...scopes], csrf, until, version };
}

/** Sent with requests of the core's own pages alone, and read by no script. */
function cookie(value: string, isSecure: boolean, seconds: number): Header {
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
