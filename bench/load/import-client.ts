import autocannon from 'autocannon';

/** Sends single-user imports over loopback from a process of its own, so that its CPU is seen apart from the core's. */

export interface ClientJob {
  readonly url: string;
  readonly apiKey: string;
  readonly connections: number;
  readonly amount: number;
  /** Distinguishes the emails of this run from those of every other. */
  readonly tag: string;
}

export interface ClientResult {
  readonly perSecond: number;
  readonly seconds: number;
  readonly latencyMs: {
    readonly p50: number;
    readonly p90: number;
    readonly p99: number;
    readonly max: number;
  };
  readonly failed: number;
  /** Share of one core that the client itself used: near 1 means that it, not the core, was the limit. */
  readonly cpuShare: number;
}

/** bcrypt of `correct horse battery staple` at cost 10: what the hash is does not matter to an import. */
const passwordHash = '$2b$10$pz9wj5VnjseLzsZIFntXOuDZ9rinO8n6eeLztHLbWBhy4vM3QFXTa';

async function run(job: ClientJob): Promise<ClientResult> {
  let sent = 0;
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  // autocannon ends with the second in which the last answer came: the last answer itself says when that was.
  let lastAnswerAt = startedAt;
  const finished = Promise.withResolvers<autocannon.Result>();
  const load = autocannon(
    {
      url: job.url,
      connections: job.connections,
      amount: job.amount,
      requests: [
        {
          method: 'POST',
          path: '/recipe/user/passwordhash/import',
          headers: { 'api-key': job.apiKey },
          setupRequest: (request: autocannon.Request) => ({
            ...request,
            body: `{"email":"user${sent++}-${job.tag}@example.com","passwordHash":"${passwordHash}"}`,
          }),
        },
      ],
    },
    (error: Error | null, outcome) => {
      if (error) finished.reject(error);
      else finished.resolve(outcome);
    },
  );
  load.on('response', () => {
    lastAnswerAt = performance.now();
  });
  const result = await finished.promise;
  const seconds = (lastAnswerAt - startedAt) / 1000;
  const cpu = process.cpuUsage(cpuBefore);
  return {
    perSecond: job.amount / seconds,
    seconds,
    latencyMs: {
      p50: result.latency.p50,
      p90: result.latency.p90,
      p99: result.latency.p99,
      max: result.latency.max,
    },
    failed: result.non2xx + result.errors + result.timeouts,
    cpuShare: (cpu.user + cpu.system) / 1e6 / seconds,
  };
}

process.once('message', (job: ClientJob) => {
  void run(job).then((result) =>
    process.send?.(result, () => {
      process.disconnect();
    }),
  );
});
