/** A page of the console as a program: it has the cookie and the token of a browser. */
import { setTimeout as delay } from 'node:timers/promises';
import { type TestCore, testApiKey } from '../helpers/core.ts';

export interface Seen {
  readonly http: number;
  readonly body: Record<string, unknown>;
  readonly text: string;
  readonly headers: Headers;
}

interface Sent {
  readonly method?: string;
  readonly body?: object | string | Uint8Array<ArrayBuffer>;
  readonly headers?: Readonly<Record<string, string>>;
  /** Left out: that of the session. */
  readonly csrf?: string | undefined;
}

export interface ConsoleClient {
  readonly cookie: string;
  readonly csrf: string;
  send(path: string, sent?: Sent): Promise<Seen>;
  /** Uploads a file as tus clients do. @returns its id */
  upload(name: string, content: string | Buffer): Promise<string>;
  /** Begins a run and waits for its end. */
  run(input: object): Promise<Run>;
}

export interface Run {
  readonly id: string;
  readonly state: string;
  readonly exitCode: number;
  readonly said: string;
  readonly result: Readonly<Record<string, unknown>>;
  readonly jobId?: string;
  readonly fileId?: string;
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

async function seenOf(response: Response): Promise<Seen> {
  const text = await response.text();
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    // Not JSON.
  }
  return { http: response.status, body, text, headers: response.headers };
}

export async function signIn(
  core: Pick<TestCore, 'url'>,
  credential: object = { key: testApiKey },
): Promise<ConsoleClient> {
  const answer = await seenOf(
    await fetch(`${core.url}/console/session`, { method: 'POST', body: JSON.stringify(credential) }),
  );
  if (answer.body.status !== 'OK') throw new Error(answer.text);
  const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const csrf = String(answer.body.csrf);
  return clientOf(core, cookie, csrf);
}

function clientOf({ url }: Pick<TestCore, 'url'>, cookie: string, csrf: string): ConsoleClient {
  const send = async (path: string, sent: Sent = {}): Promise<Seen> => {
    const { method = 'GET', body, headers = {} } = sent;
    const token = 'csrf' in sent ? sent.csrf : csrf;
    const isText = typeof body === 'string' || body instanceof Uint8Array;
    return seenOf(
      await fetch(`${url}${path}`, {
        method,
        headers: { cookie, ...(token !== undefined && { 'x-console-csrf': token }), ...headers },
        ...(body !== undefined && { body: isText ? body : JSON.stringify(body) }),
      }),
    );
  };
  return {
    cookie,
    csrf,
    send,
    async upload(name, content) {
      const bytes = new Uint8Array(Buffer.from(content));
      const made = await send('/console/files', {
        method: 'POST',
        headers: {
          'upload-length': String(bytes.length),
          'upload-metadata': `filename ${Buffer.from(name).toString('base64')}`,
        },
      });
      const id = made.headers.get('location')?.split('/').at(-1) ?? '';
      const headers = { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
      const done = await send(`/console/files/${id}`, { method: 'PATCH', body: bytes, headers });
      if (done.http !== 204) throw new Error(done.text);
      return id;
    },
    async run(input) {
      const begun = await send('/console/runs', { method: 'POST', body: input });
      if (begun.http !== 200) throw new Error(begun.text);
      const { id } = begun.body.run as Run;
      for (;;) {
        const { body } = await send(`/console/runs/${id}`);
        const run = body.run as Run;
        if (run.state === 'ended') return run;
        await delay(50);
      }
    },
  };
}
