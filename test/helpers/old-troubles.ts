/** Behaviour of old systems in trouble. */
import type { Handler } from './old-system.ts';

const cutOff: Handler = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '1000' });
  response.write('{"status":', () => response.socket?.destroy());
  return undefined;
};

const large: Handler = (_asked, response) => {
  response.writeHead(403);
  response.on('error', () => undefined);
  const block = Buffer.alloc(1_048_576, ' ');
  for (let n = 0; n < 10; n++) response.write(block);
  response.end();
  return undefined;
};

const page: Handler = (_asked, response) => {
  response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
  response.end('<!doctype html><title>Sign in</title>');
  return undefined;
};

/** @param url of the old system itself, to which no request may be redirected */
export function troublesOf(url: () => string): Readonly<Record<string, Handler>> {
  return {
    'says that it is broken': () => ({ status: 500 }),
    'says that it is busy': () => ({ status: 503 }),
    'redirects to somewhere else': () => ({ status: 302, headers: { location: `${url()}/elsewhere` } }),
    'says nothing within the deadline': () => undefined,
    'closes before it has answered': (_asked, response) => void response.socket?.destroy(),
    'closes in the middle of an answer': cutOff,
    'answers with garbage': (_asked, response) => void response.end('\u0000\u0001 not JSON'),
    'answers with a page of HTML': page,
    'answers with a list': () => ({ status: 200, json: [] }),
    'answers with 10 MB': large,
    'refuses the core': () => ({ status: 401 }),
  };
}
