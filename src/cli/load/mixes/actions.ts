/** What people and their backends do under load: each action is one or several requests, as the SDK sends them. */

import { emailOf } from '../../../load/made-up.ts';
import { refreshBody, sessionBody, verifyBody } from '../../../load/session-bodies.ts';
import { type Answered, type Ask, type Asked, statusWord } from '../../../load/visit.ts';
import type { Person } from '../people/people.ts';
import type { Sessions } from './sessions.ts';

/** A person at an address, for the core's limit of guesses. */
export interface Visitor extends Person {
  readonly address: string;
}

/** One run of an action. */
export interface Doing {
  readonly ask: Ask;
  /** The number of the visit, of all in the run. */
  readonly n: number;
  readonly person: Visitor;
  readonly sessions: Sessions;
}

/** @returns OK, or why it was not */
type Action = (doing: Doing) => Promise<string>;

/** In the order of the documentation. */
export const actions = {
  'sign-in': async ({ ask, person }) => statusWord(await signIn(ask, person, person.password)),

  'sign-in-with-session': (doing) => signInAndBegin(doing),

  /** A wrong password, and then the right one. */
  mistype: async (doing) => {
    const { ask, person } = doing;
    const outcome = statusWord(await signIn(ask, person, `${person.password}?`));
    return outcome === 'WRONG_CREDENTIALS_ERROR' ? signInAndBegin(doing) : outcome;
  },

  /** A forgotten password: the link is made and followed, the password set to what it was, and the person signs in. */
  reset: async (doing) => {
    const { ask, person } = doing;
    const { outcome, userId } = await find(ask, person);
    if (outcome !== 'OK') return outcome;
    const path = '/recipe/user/password/reset/token';
    const made = await ask(post(path, { userId, email: person.email }, person));
    const { token } = fieldsOf(made);
    const spent = await ask(post(`${path}/consume`, { method: 'token', token }, person));
    if (statusWord(spent) !== 'OK') return statusWord(spent);
    const input = { recipeUserId: userId, password: person.password };
    const changed = await ask({ ...post('/recipe/user', input, person), method: 'PUT' });
    return statusWord(changed) === 'OK' ? signInAndBegin(doing) : statusWord(changed);
  },

  'check-session': async ({ ask, person, sessions, n }) => {
    if (sessions.size === 0) await beginFor(ask, person, sessions);
    const tokens = sessions.look(n);
    if (tokens === undefined) return noSession;
    return statusWord(await ask({ path: '/recipe/session/verify', body: verifyBody(tokens.access, false) }));
  },

  /** A refresh token serves once, so no two visits take the same. */
  refresh: async ({ ask, person, sessions }) => {
    if (sessions.size === 0) await beginFor(ask, person, sessions);
    const tokens = sessions.take();
    if (tokens === undefined) return noSession;
    return keep(await ask({ path: '/recipe/session/refresh', body: refreshBody(tokens.refresh) }), sessions);
  },

  'look-up': async ({ ask, person }) => (await find(ask, person)).outcome,

  'sign-up': async ({ ask, n, person }) => {
    const input = { email: `new-${emailOf(n)}`, password: person.password };
    return statusWord(await ask(post('/recipe/signup', input, person)));
  },
} as const satisfies Readonly<Record<string, Action>>;

export type ActionName = keyof typeof actions;
export const actionNames = Object.keys(actions) as ActionName[];

/** Others had taken it. */
const noSession = 'NO_SESSION';

/** Sessions that exist before the load begins. @returns OK, or why it could not be begun */
export async function beginFor(ask: Ask, person: Visitor, sessions: Sessions): Promise<string> {
  const { outcome, userId } = await find(ask, person);
  return outcome === 'OK' ? begin(ask, userId, sessions) : outcome;
}

async function signInAndBegin({ ask, person, sessions }: Doing): Promise<string> {
  const answer = await signIn(ask, person, person.password);
  const outcome = statusWord(answer);
  return outcome === 'OK' ? begin(ask, userIdIn(answer), sessions) : outcome;
}

function signIn(ask: Ask, person: Visitor, password: string): Promise<Answered> {
  return ask(post('/recipe/signin', { email: person.email, password }, person));
}

function post(path: string, input: object, { tenant, address }: Visitor): Asked {
  const headers = { 'carryover-client-address': address };
  return { path: `${prefixOf(tenant)}${path}`, body: JSON.stringify(input), headers };
}

function prefixOf(tenant: string | undefined): string {
  return tenant === undefined ? '' : `/${tenant}`;
}

async function find(ask: Ask, { email, tenant }: Person): Promise<{ outcome: string; userId: string }> {
  const query = new URLSearchParams({ email }).toString();
  const answer = await ask({ method: 'GET', path: `${prefixOf(tenant)}/users/by-accountinfo?${query}` });
  const outcome = statusWord(answer);
  if (outcome !== 'OK') return { outcome, userId: '' };
  const { users = [] } = fieldsOf(answer) as { users?: readonly { readonly id: string }[] };
  const [user] = users;
  return user === undefined ? { outcome: 'NO_SUCH_USER', userId: '' } : { outcome, userId: user.id };
}

async function begin(ask: Ask, userId: string, sessions: Sessions): Promise<string> {
  return keep(await ask({ path: '/recipe/session', body: sessionBody(userId) }), sessions);
}

function keep(answer: Answered, sessions: Sessions): string {
  const outcome = statusWord(answer);
  if (outcome !== 'OK') return outcome;
  const { accessToken, refreshToken } = fieldsOf(answer) as Record<
    string,
    { readonly token: string } | undefined
  >;
  if (accessToken === undefined || refreshToken === undefined) return 'no tokens';
  sessions.add({ access: accessToken.token, refresh: refreshToken.token });
  return 'OK';
}

function userIdIn(answer: Answered): string {
  const { user } = fieldsOf(answer) as { user?: { readonly id: string } };
  return user?.id ?? '';
}

function fieldsOf({ body }: Answered): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(body) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
