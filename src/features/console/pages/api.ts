/** Requests to the core that served the page. */

export interface SessionView {
  readonly status: 'OK';
  readonly name: string;
  readonly scopes: 'all' | readonly string[];
  readonly csrf: string;
  readonly until: number;
  readonly version: string;
}

/** An answer that is not 2xx, or none. */
export class Refused extends Error {
  readonly code: string;
  /** HTTP status; 0 if the core did not answer. */
  readonly http: number;

  constructor(code: string, message: string, http: number) {
    super(message);
    this.code = code;
    this.http = http;
  }
}

/** The part of the path before /console, for a core behind a proxy's prefix, and the app in it. */
const [, prefix = '', home = 'public'] =
  /^(.*?)(?:\/appid-([^/]+))?\/console\/?$/.exec(location.pathname) ?? [];

interface State {
  csrf: string;
  app: string;
  onExpiry: () => void;
}
const state: State = { csrf: '', app: home, onExpiry: () => undefined };

export function setSession({ csrf }: Pick<SessionView, 'csrf'>): void {
  state.csrf = csrf;
}

export function setApp(app: string): void {
  state.app = app;
}

export const currentApp = (): string => state.app;

/** @param onExpiry is called when the core does not know the session any more */
export function onExpiry(call: () => void): void {
  state.onExpiry = call;
}

/** Within the app that is looked at. */
export function urlOf(path: string): string {
  return `${prefix}${state.app === 'public' ? '' : `/appid-${state.app}`}${path}`;
}

export const headersOf = (): Record<string, string> => ({ 'x-console-csrf': state.csrf });

interface Options {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>;
  readonly body?: object;
  readonly signal?: AbortSignal;
  /** A wrong credential is an answer, and not the end of a session. */
  readonly isSignIn?: boolean;
}

/** @throws Refused */
export async function send(path: string, options: Options = {}): Promise<Response> {
  const { query = {}, signal, isSignIn = false } = options;
  const response = await fetch(`${urlOf(path)}${queryOf(query)}`, requestOf(options)).catch(
    (error: unknown) => {
      if (signal?.aborted === true) throw error;
      throw new Refused('UNREACHABLE', 'The core does not answer. It may be restarting: nothing is lost.', 0);
    },
  );
  if (response.ok) return response;
  const refused = await refusedOf(response);
  if (response.status === 401 && !isSignIn) state.onExpiry();
  throw refused;
}

function requestOf({ method = 'GET', body, signal }: Options): RequestInit {
  return {
    method,
    headers: { ...headersOf(), ...(body && { 'content-type': 'application/json' }) },
    ...(body && { body: JSON.stringify(body) }),
    ...(signal && { signal }),
  };
}

function queryOf(query: NonNullable<Options['query']>): string {
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const text = new URLSearchParams(given).toString();
  return text === '' ? '' : `?${text}`;
}

async function refusedOf(response: Response): Promise<Refused> {
  const text = await response.text();
  try {
    const { status, message } = JSON.parse(text) as { status: string; message: string };
    return new Refused(status, message, response.status);
  } catch {
    return new Refused(
      `HTTP_${response.status}`,
      `The core, or what is between, answered ${response.status}.`,
      response.status,
    );
  }
}

/** @throws Refused */
export async function call<Answer>(path: string, options: Options = {}): Promise<Answer> {
  return (await (await send(path, options)).json()) as Answer;
}

/** Lines of an answer as they arrive. @param most further ones are not read */
export async function* linesOf<Line>(
  path: string,
  { most, signal }: { readonly most: number; readonly signal: AbortSignal },
): AsyncGenerator<Line[]> {
  const response = await send(path, { signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = '';
  let count = 0;
  for (;;) {
    const { done, value = '' } = await reader.read();
    const parts = (rest + value).split('\n');
    rest = done ? '' : (parts.pop() ?? '');
    const lines = parts.filter((part) => part !== '').slice(0, most - count);
    count += lines.length;
    if (lines.length > 0) yield lines.map((line) => JSON.parse(line) as Line);
    if (done || count >= most) break;
  }
  await reader.cancel();
}

/** The data of each event of a stream, until it ends. @throws Refused */
export async function* eventsOf<Data>(path: string, signal: AbortSignal): AsyncGenerator<Data> {
  const response = await send(path, { signal });
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  if (reader === undefined) return;
  let rest = '';
  for (;;) {
    const { done, value = '' } = await reader.read();
    if (done) return;
    const events = (rest + value).split('\n\n');
    rest = events.pop() ?? '';
    for (const event of events) {
      const data = event
        .split('\n')
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice(5))
        .join('\n');
      if (data !== '') yield JSON.parse(data) as Data;
    }
  }
}
