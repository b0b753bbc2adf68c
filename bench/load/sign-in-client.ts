import autocannon from 'autocannon';

/** Signs people in at a fixed rate over loopback, from a process of its own. */

export interface SignInJob {
  readonly url: string;
  readonly apiKey: string;
  readonly emails: readonly string[];
  readonly password: string;
  /** Sign-ins a second, whatever the answers take. */
  readonly rate: number;
  readonly seconds: number;
}

export interface SignInResult {
  readonly answered: number;
  readonly failed: number;
  readonly latencyMs: { readonly p50: number; readonly p99: number; readonly max: number };
}

const connections = 8;

async function run({ url, apiKey, emails, password, rate, seconds }: SignInJob): Promise<SignInResult> {
  let sent = 0;
  const result = await autocannon({
    url,
    connections,
    overallRate: rate,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: '/recipe/signin',
        headers: { 'api-key': apiKey },
        setupRequest: (request: autocannon.Request) => ({
          ...request,
          body: JSON.stringify({ email: emails[sent++ % emails.length], password }),
        }),
      },
    ],
  });
  const { p50, p99, max } = result.latency;
  return {
    answered: result['2xx'],
    failed: result.non2xx + result.errors + result.timeouts,
    latencyMs: { p50, p99, max },
  };
}

process.once('message', (job: SignInJob) => {
  void run(job).then((result) =>
    process.send?.(result, () => {
      process.disconnect();
    }),
  );
});
