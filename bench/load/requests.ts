import { Agent, request } from 'node:http';
import { answerInTime, answerOf } from '../../src/load/answer.ts';
import type { CoreProcess } from './processes.ts';

export interface JsonRequest {
  readonly method: 'GET' | 'POST' | 'PUT';
  readonly path: string;
  /** Of the driver interface, if routes differ by it. */
  readonly rid?: string;
  readonly body?: object;
}

const atOnce = 64;

/**
 * Sends requests that prepare a measurement, 64 at a time.
 * @returns the answers' bodies in the order of the requests
 * @throws Error at the first answer that is not 200 with a body whose status is OK or absent
 */
export async function sendAll(core: CoreProcess, requests: readonly JsonRequest[]): Promise<unknown[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const bodies: unknown[] = [];
  // One shared iterator: each takes the next request.
  const left = requests.entries();
  const work = async (): Promise<void> => {
    for (const [n, each] of left) bodies[n] = await sendOne(core, agent, each);
  };
  try {
    await Promise.all(Array.from({ length: atOnce }, work));
  } finally {
    agent.destroy();
  }
  return bodies;
}

async function sendOne(
  { url, apiKey }: CoreProcess,
  agent: Agent,
  { method, path, rid, body }: JsonRequest,
): Promise<unknown> {
  const headers = { 'api-key': apiKey, 'content-type': 'application/json', ...(rid && { rid }) };
  const answer = await answerInTime(() => {
    const sent = request(`${url}${path}`, { method, headers, agent });
    sent.end(body && JSON.stringify(body));
    return answerOf(sent);
  });
  const read = JSON.parse(answer.body) as { readonly status?: string };
  if (answer.status !== 200 || (read.status ?? 'OK') !== 'OK')
    throw new Error(`${method} ${path}: ${answer.status} ${answer.body}`);
  return read;
}
