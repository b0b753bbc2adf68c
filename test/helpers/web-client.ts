/** A browser's part over HTTP: cookies, and the reaction of the SDK for browsers to an expired session. */
export interface Page {
  readonly http: number;
  readonly text: string;
  /** The parsed JSON object; empty when the body is not one. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly headers: Headers;
}

export class WebClient {
  readonly #url: string;
  readonly cookies = new Map<string, string>();

  constructor(url: string) {
    this.#url = url;
  }

  /** Refreshes the session and repeats the request if the access token has expired, as the SDK for browsers does. */
  async get(path: string): Promise<Page> {
    const page = await this.send('GET', path);
    if (!isExpired(page)) return page;
    const refreshed = await this.send('POST', '/auth/session/refresh');
    return refreshed.http === 200 ? this.get(path) : refreshed;
  }

  async post(path: string, input?: unknown): Promise<Page> {
    const page = await this.send('POST', path, input);
    if (!isExpired(page)) return page;
    const refreshed = await this.send('POST', '/auth/session/refresh');
    return refreshed.http === 200 ? this.post(path, input) : refreshed;
  }

  /** One request, whatever the answer. */
  async send(method: string, path: string, input?: unknown): Promise<Page> {
    const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(new URL(path, this.#url), {
      method,
      redirect: 'manual',
      headers: { 'st-auth-mode': 'cookie', cookie, 'content-type': 'application/json' },
      ...(input !== undefined && { body: JSON.stringify(input) }),
    });
    for (const line of answer.headers.getSetCookie()) this.#keep(line);
    const text = await answer.text();
    return { http: answer.status, text, body: parsed(text), headers: answer.headers };
  }

  /** One with an expiry in the past is removed. */
  #keep(line: string): void {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
    const expires = /;\s*expires=([^;]+)/i.exec(line)?.[1];
    if (expires !== undefined && Date.parse(expires) < Date.now()) this.cookies.delete(name);
    else this.cookies.set(name, value);
  }
}

const isExpired = ({ http, body }: Page): boolean => http === 401 && body.message === 'try refresh token';

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return {};
  }
}
