import { Agent, type ClientRequest, request as httpRequest } from 'node:http';
import { Agent as TlsAgent, request as httpsRequest } from 'node:https';
import { type Answer, answerOf } from './answer.ts';
import type { Asked } from './visit.ts';

/** Connections to a server that stay open between requests: as many as requests wait at the same time. */
export interface Wire {
  /** @throws an error with a code: of the connection, or GAVE_UP after the time that the client waits */
  send(asked: Asked, waitMs: number): Promise<Answer>;
  /** Also ends requests that wait. */
  close(): void;
}

export interface WireOptions {
  /** With its path, which every request's path follows. */
  readonly url: string;
  readonly apiKey: string;
}

export const gaveUp = 'GAVE_UP';

export function openWire({ url, apiKey }: WireOptions): Wire {
  const { protocol, hostname, port, pathname } = new URL(url);
  const base = pathname.replace(/\/+$/, '');
  const options = { keepAlive: true, maxSockets: Infinity, scheduling: 'lifo' } as const;
  const [open, agent] =
    protocol === 'https:' ? [httpsRequest, new TlsAgent(options)] : [httpRequest, new Agent(options)];
  const where = { host: hostname.replace(/^\[|\]$/g, ''), port, agent };
  return {
    send({ path, method = 'POST', body, headers }, waitMs) {
      const length = body === undefined ? {} : { 'content-length': Buffer.byteLength(body) };
      const all = { 'api-key': apiKey, ...length, ...headers };
      const sent = open({ ...where, method, path: base + path, headers: all });
      return answerWithin(sent, body, waitMs);
    },
    close: () => {
      agent.destroy();
    },
  };
}

async function answerWithin(sent: ClientRequest, body: string | undefined, waitMs: number): Promise<Answer> {
  const timer = setTimeout(() => {
    sent.destroy(Object.assign(new Error('no answer in time'), { code: gaveUp }));
  }, waitMs);
  try {
    sent.end(body);
    return await answerOf(sent);
  } finally {
    clearTimeout(timer);
  }
}
