import { Agent, request } from 'node:http';

/** Sends a password for each email, one after the other over one connection, from a process of its own. */
export interface TimingJob {
  readonly url: string;
  readonly apiKey: string;
  readonly guesses: readonly Guess[];
}

export interface Guess {
  readonly email: string;
  /** The right one of who may not sign in; left out: a wrong one. */
  readonly password?: string;
}

export interface TimingResult {
  /** From the request being sent to the last byte of its answer, by guess. */
  readonly ms: readonly number[];
}

async function guessAll({ url, apiKey, guesses }: TimingJob): Promise<TimingResult> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ms: number[] = [];
  for (const [n, { email, password = `wrong-${n}` }] of guesses.entries()) {
    const body = JSON.stringify({ email, password });
    const startedAt = performance.now();
    const answer = await ask(`${url}/recipe/signin`, { agent, apiKey, body });
    ms.push(performance.now() - startedAt);
    if (answer !== '{"status":"WRONG_CREDENTIALS_ERROR"}') throw new Error(`another answer: ${answer}`);
  }
  agent.destroy();
  return { ms };
}

interface Question {
  readonly agent: Agent;
  readonly apiKey: string;
  readonly body: string;
}

function ask(url: string, { agent, apiKey, body }: Question): Promise<string> {
  return new Promise((resolve, reject) => {
    const headers = { 'api-key': apiKey, 'content-length': Buffer.byteLength(body) };
    const sent = request(url, { method: 'POST', agent, headers }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('error', reject).on('end', () => {
        resolve(text);
      });
    });
    sent.on('error', reject).end(body);
  });
}

process.once('message', (job: TimingJob) => {
  void guessAll(job).then((result) =>
    process.send?.(result, () => {
      process.disconnect();
    }),
  );
});
