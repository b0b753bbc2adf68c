/**
 * Sign-in and sign-up of an Express app whose users move from its own system to a core, by the move's instruction: one `if` for each.
 * docs/guide/move-your-app.md explains it.
 */
import { json, type Request, type Response, Router } from 'express';

/** What the app has today. */
export interface OldSystem {
  /** @returns the user's id if the password is right */
  signIn(email: string, password: string): Promise<string | undefined>;
  /** @returns the new user's id; undefined if the email is taken */
  signUp(email: string, password: string): Promise<string | undefined>;
}

export interface MoveSettings {
  /** Address of the core, such as http://127.0.0.1:3567, with the app's or tenant's path if there is one. */
  readonly core: string;
  /** A key with the scope `sign-in`. */
  readonly apiKey: string;
  readonly old: OldSystem;
  /** Begins the app's own session. */
  readonly signedIn: (request: Request, response: Response, userId: string) => void;
}

interface Instruction {
  readonly signIn: 'old' | 'here';
  readonly signUp: 'old' | 'here';
  readonly reason: string;
}

/** The core does not answer, or has seen too many wrong passwords. */
class NotNow extends Error {
  readonly status: 429 | 503;
  readonly seconds: string;

  constructor(status: 429 | 503, message: string, seconds = '2') {
    super(message);
    this.status = status;
    this.seconds = seconds;
  }
}

/** Reasons that only a move gives in which users sign in here. */
const leading: ReadonlySet<string> = new Set(['IN_SHARE', 'NOT_IN_SHARE']);

/** `POST /signin` and `POST /signup` with `email` and `password` as JSON. */
export function moveRoutes({ core, apiKey, old, signedIn }: MoveSettings): Router {
  const ask = askingOf(core, apiKey);
  const outcomes = new Outcomes(ask);
  let last = 'NO_MOVE';

  /**
   * Without an answer the old system signs in: until the move is closed it has what changes here within seconds. While users sign in
   * here, new ones wait: the old system may not have the last ones yet.
   */
  const where = async (email: string): Promise<Instruction> => {
    try {
      const answer = await ask<Instruction>('GET', `/move?email=${encodeURIComponent(email)}`);
      last = answer.reason;
      return answer;
    } catch (error) {
      if (last === 'CLOSED') throw error;
      return { signIn: 'old', signUp: leading.has(last) ? 'here' : 'old', reason: 'CORE_AWAY' };
    }
  };
  const here = async (path: '/recipe/signin' | '/recipe/signup', sent: Credentials) => {
    const { email, password, address } = sent;
    const answer = await ask<SignedIn>('POST', path, { email, password }, address);
    return answer.status === 'OK' ? answer.user.id : undefined;
  };

  const routes = Router();
  routes.use(json());
  routes.post('/signin', async (request, response) => {
    const sent = credentialsOf(request);
    const { email, password } = sent;
    const isHere = (await where(email)).signIn === 'here';
    const userId = await (isHere ? here('/recipe/signin', sent) : old.signIn(email, password));
    if (!isHere) outcomes.add({ email, isRight: userId !== undefined });
    if (userId === undefined) return void response.status(401).json({ error: 'Wrong email or password' });
    signedIn(request, response, userId);
  });
  routes.post('/signup', async (request, response) => {
    const sent = credentialsOf(request);
    const { email, password } = sent;
    const isHere = (await where(email)).signUp === 'here';
    const userId = await (isHere ? here('/recipe/signup', sent) : old.signUp(email, password));
    if (userId === undefined) return void response.status(409).json({ error: 'This email has an account' });
    signedIn(request, response, userId);
  });
  routes.use((error: unknown, _request: Request, response: Response, next: (error: unknown) => void) => {
    if (!(error instanceof NotNow)) {
      next(error);
      return;
    }
    response.status(error.status).set('retry-after', error.seconds);
    response.json({
      error: error.status === 429 ? 'Too many wrong passwords' : 'Please try again in a moment',
    });
  });
  return routes;
}

interface SignedIn {
  readonly status: string;
  readonly user: { readonly id: string };
}

interface Credentials {
  readonly email: string;
  readonly password: string;
  /** The client's, as Express knows it: set `trust proxy` behind a proxy of your own. */
  readonly address: string | undefined;
}

function credentialsOf({ body, ip }: Request): Credentials {
  const { email, password } = (body ?? {}) as Record<string, unknown>;
  const text = (value: unknown): string => (typeof value === 'string' ? value : '');
  return { email: text(email), password: text(password), address: ip };
}

type Ask = <Reply>(method: 'GET' | 'POST', path: string, body?: object, address?: string) => Promise<Reply>;

const timeoutMs = 5000;

/** @returns a function that throws NotNow unless the answer is 200 */
function askingOf(core: string, apiKey: string): Ask {
  return async <Reply>(method: 'GET' | 'POST', path: string, body?: object, address?: string) => {
    const headers = {
      'api-key': apiKey,
      ...(address !== undefined && { 'carryover-client-address': address }),
    };
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(timeoutMs);
    const response = await fetch(`${core}${path}`, { method, headers, signal, ...sent }).catch(
      (error: unknown) => {
        throw new NotNow(503, String(error));
      },
    );
    const status = response.status === 429 ? 429 : 503;
    const seconds = response.headers.get('retry-after') ?? undefined;
    if (response.status !== 200) throw new NotNow(status, await response.text(), seconds);
    return (await response.json()) as Reply;
  };
}

interface Outcome {
  readonly email: string;
  readonly isRight: boolean;
}

const outcomesAtOnce = 500;
const flushMs = 1000;

/** Reports passwords that the old system checked: refusals here are compared with those. Some may be lost: they are only counted. */
class Outcomes {
  readonly #ask: Ask;
  #waiting: Outcome[] = [];
  #timer: NodeJS.Timeout | undefined;

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  add(outcome: Outcome): void {
    if (this.#waiting.length < outcomesAtOnce) this.#waiting.push(outcome);
    if (this.#timer === undefined) this.#timer = setTimeout(() => void this.#flush(), flushMs).unref();
  }

  async #flush(): Promise<void> {
    const signIns = this.#waiting;
    this.#waiting = [];
    this.#timer = undefined;
    await this.#ask('POST', '/move/sign-ins', { signIns }).catch(() => undefined);
  }
}
