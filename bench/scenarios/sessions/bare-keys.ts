import { generateKeyPairSync, type KeyObject, sign, verify } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { promisify } from 'node:util';
import type { MessagePort } from 'node:worker_threads';
import { type Listening, startThread } from '../../load/processes.ts';

/** The length of an access token's header and payload, encoded. */
const text = Buffer.alloc(600, 'x');
const signAsync = promisify(sign);
const newKey = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

/**
 * The reference: node:http alone, which signs for each request as sessions do, in libuv's threads and so on all CPU cores, and
 * stores nothing. As a separate process.
 */
export async function serveSignatures(): Promise<Listening> {
  const { privateKey } = newKey();
  const server = createServer((request, response) => {
    request.resume().on('end', () => void answer(privateKey).then((body) => response.end(body)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  process.once('SIGTERM', () => {
    server.close();
    server.closeAllConnections();
  });
  return { port: (server.address() as AddressInfo).port };
}

async function answer(key: KeyObject): Promise<string> {
  const signature = await signAsync('sha256', text, key);
  return `{"status":"OK","token":"${text.toString()}.${signature.toString('base64url')}"}`;
}

export interface BareRates {
  readonly signatures: number;
  readonly verifications: number;
}

/** @returns the rate of one thread, without requests */
export async function bareRates(seconds: number): Promise<BareRates> {
  const thread = startThread(import.meta.url, useKey, { seconds });
  const [rates] = (await once(thread, 'message')) as [BareRates];
  return rates;
}

export function useKey({ seconds }: { readonly seconds: number }, port: MessagePort): void {
  const { privateKey, publicKey } = newKey();
  const signature = sign('sha256', text, privateKey);
  port.postMessage({
    signatures: rateOf(() => sign('sha256', text, privateKey), seconds / 2),
    verifications: rateOf(() => verify('sha256', text, publicKey, signature), seconds / 2),
  } satisfies BareRates);
}

function rateOf(operation: () => unknown, seconds: number): number {
  const startedAt = performance.now();
  let count = 0;
  while (performance.now() - startedAt < seconds * 1000) {
    operation();
    count++;
  }
  return (count * 1000) / (performance.now() - startedAt);
}
