import type { ClientRequest } from 'node:http';

export interface Answer {
  readonly status: number;
  readonly body: string;
  /** Seconds. */
  readonly retryAfter: number | undefined;
}

/**
 * The whole answer to a request, which may still be sending its body.
 * @throws what the connection broke with, before the head or within the body
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
