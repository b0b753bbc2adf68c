/** A small server that represents an old system, and sources that name it. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Asked {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface Answering {
  readonly status: number;
  readonly json?: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

/** @returns the answer; undefined if it has answered itself */
export type Handler = (
  asked: Asked,
  response: ServerResponse,
) => Answering | undefined | Promise<Answering | undefined>;

export interface OldSystem {
  readonly url: string;
  /** Every request so far. */
  readonly asked: readonly Asked[];
  answer(handler: Handler): void;
  close(): Promise<void>;
}

export async function startOldSystem(first: Handler): Promise<OldSystem> {
  let handler = first;
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const each = { method, path, headers, body: Buffer.concat(chunks).toString() };
      asked.push(each);
      void Promise.resolve(handler(each, response)).then((answering) => {
        if (answering === undefined) return;
        const { status, json, headers: more } = answering;
        response.writeHead(status, { 'content-type': 'application/json', ...more });
        response.end(json === undefined ? undefined : JSON.stringify(json));
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    answer: (next) => {
      handler = next;
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  };
}

/** For the password alone: it signs in. */
export function knows(password: string, record: object = { loginMethods: [] }): Handler {
  return ({ body }) => {
    const said = JSON.parse(body) as { readonly password: string };
    return said.password === password ? { status: 200, json: record } : { status: 403 };
  };
}

/** A source that speaks `http`, as a setting. */
export function ownSource(url: string, more: object = {}): object {
  return { name: 'old', speaks: 'http', url, hmac_secret: 'shared', until: '2999-12-31', ...more };
}
