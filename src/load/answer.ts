import type { ClientRequest } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/**
 * The whole answer to a request, which may still be sending its body.
 * @throws the error of the connection, before the head or within the body
 */
export function answerOf(sent: ClientRequest): Promise<Answer> {
  return new Promise((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (part: string) => (body += part));
      response.on('error', reject).on('end', () => {
        const { statusCode: status = 0, headers } = response;
        const retryAfter = headers['retry-after'];
        resolve({ status, body, retryAfter: retryAfter === undefined ? undefined : Number(retryAfter) });
      });
    });
  });
}

const mostTries = 10;
const longestWaitSeconds = 60;

/**
 * Repeats a request that was refused for overload, after the time that the answer asks for: a machine that is busy with other
 * work remains so for seconds.
 * @param mayRepeat called after a refusal: whether no part of the request has been stored
 * @returns the last answer: another one than 503 with Retry-After, or that after ten tries
 */
export async function answerInTime(
  send: () => Promise<Answer>,
  mayRepeat: () => Promise<boolean> = () => Promise.resolve(true),
): Promise<Answer> {
  for (let tries = 1; ; tries++) {
    const answer = await send();
    const { status, retryAfter } = answer;
    if (status !== 503 || retryAfter === undefined || tries === mostTries) return answer;
    if (!(await mayRepeat())) return answer;
    await delay(Math.min(retryAfter, longestWaitSeconds) * 1000);
  }
}
