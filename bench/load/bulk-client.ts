import { createReadStream, statSync } from 'node:fs';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';

/** One upload of a file, from a process of its own, as `curl -T` would send it. */
export interface BulkJob {
  readonly url: string;
  readonly apiKey: string;
  readonly file: string;
}

export interface BulkResult {
  readonly seconds: number;
  /** The job as the core describes it. */
  readonly job: Readonly<Record<string, unknown>> & { readonly lines: number };
  readonly cpuSeconds: number;
}

async function upload({ url, apiKey, file }: BulkJob): Promise<BulkResult> {
  const startedAt = performance.now();
  const headers = { 'api-key': apiKey, 'content-length': statSync(file).size };
  const sent = request(`${url}/bulk-import/jobs`, { method: 'PUT', headers });
  const answered = new Promise<string>((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => (text += part));
      response.on('end', () => {
        resolve(text);
      });
    });
  });
  await pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), sent);
  const { job, ...rest } = JSON.parse(await answered) as { job?: BulkResult['job'] };
  if (job === undefined) throw new Error(`the import was refused: ${JSON.stringify(rest)}`);
  const { user, system } = process.cpuUsage();
  return { seconds: (performance.now() - startedAt) / 1000, job, cpuSeconds: (user + system) / 1e6 };
}

process.once('message', (job: BulkJob) => {
  void upload(job).then((result) => {
    process.send?.(result, () => {
      process.disconnect();
    });
  });
});
