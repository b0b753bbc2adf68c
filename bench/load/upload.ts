import { createReadStream, statSync } from 'node:fs';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, answerInTime, answerOf } from './client/answer.ts';
import type { Cluster } from './cluster.ts';
import { type CpuSplit, watchCpu } from './cpu.ts';
import { type CoreProcess, runProcess } from './processes.ts';
import type { Plot, Series } from '../scenario.ts';

export interface Import {
  /** Users a second. */
  readonly rate: number;
  readonly samples: readonly Sample[];
  readonly cpu: CpuSplit;
}

/** What became of a file's users. */
export type Expected = Readonly<Partial<Record<'created' | 'updated' | 'unchanged', number>>>;

/**
 * Uploads a file from a process of its own.
 * @throws Error when other numbers of users than `expected` were created, updated or unchanged
 */
export async function importFile(
  cluster: Cluster,
  core: CoreProcess,
  file: string,
  expected: Expected,
): Promise<Import> {
  const cpu = watchCpu(core.pid, cluster.pid);
  const { result, samples } = await watchUpload(core, file);
  const names = Object.keys(expected) as (keyof Expected)[];
  if (names.some((name) => result.job[name] !== expected[name])) {
    throw new Error(`not all users were as expected: ${JSON.stringify(result.job)}`);
  }
  return { rate: result.job.lines / result.seconds, samples, cpu: cpu(result.cpuSeconds) };
}

export interface Uploaded {
  readonly seconds: number;
  /** The job as the core describes it. */
  readonly job: Readonly<Record<string, unknown>> & { readonly lines: number };
  readonly cpuSeconds: number;
}

/** One upload of a file, from a process of its own, as `curl -T` would send it. */
export function upload({ url, apiKey }: CoreProcess, file: string): Promise<Uploaded> {
  return runProcess(import.meta.url, uploadHere, { url, apiKey, file });
}

interface UploadTask extends Pick<CoreProcess, 'url' | 'apiKey'> {
  readonly file: string;
}

/**
 * Waits and sends again where the core has no room for an upload. Not once a job has begun: its users would be unchanged
 * the second time, which is not what is measured.
 */
export async function uploadHere(task: UploadTask): Promise<Uploaded> {
  const before = await newestJob(task);
  const startedAt = performance.now();
  const answer = await answerInTime(
    () => send(task),
    async () => (await newestJob(task)).id === before.id,
  );
  const { job, ...rest } = JSON.parse(answer.body) as { job?: Uploaded['job'] };
  if (job === undefined) throw new Error(`the import was refused: ${JSON.stringify(rest)}`);
  const { user, system } = process.cpuUsage();
  return { seconds: (performance.now() - startedAt) / 1000, job, cpuSeconds: (user + system) / 1e6 };
}

/** An answer that comes early ends the sending: it says more than the connection that breaks then. */
async function send({ url, apiKey, file }: UploadTask): Promise<Answer> {
  const headers = { 'api-key': apiKey, 'content-length': statSync(file).size };
  const sent = request(`${url}/bulk-import/jobs`, { method: 'PUT', headers });
  const answered = answerOf(sent);
  const [answer] = await Promise.all([
    answered,
    pipeline(createReadStream(file, { highWaterMark: 1_048_576 }), sent).catch(() => answered),
  ]);
  return answer;
}

/** How far an import was. */
export interface Sample {
  readonly users: number;
  /** Since its start. */
  readonly seconds: number;
  /** Resident memory of the core. */
  readonly memoryMb: number;
}

const sampleMs = 250;
const pointsAtMost = 60;

/** Uploads a file, with the upload's own progress, four times a second, from nothing to all of it. */
export async function watchUpload(
  core: CoreProcess,
  file: string,
): Promise<{ result: Uploaded; samples: Sample[] }> {
  const sending = upload(core, file);
  const startedAt = performance.now();
  const seen: (Sample & { id: string | undefined })[] = [];
  const look = async (): Promise<void> => {
    const { id, lines } = await newestJob(core);
    const seconds = (performance.now() - startedAt) / 1000;
    seen.push({ id, users: lines, seconds, memoryMb: core.memoryMb() });
  };
  const sent = sending.then(() => 'sent' as const);
  do await look();
  while ((await Promise.race([delay(sampleMs, 'not yet'), sent])) !== 'sent');
  await look();
  const result = await sending;
  const own = seen.filter(({ id }) => id === result.job.id);
  return { result, samples: [{ users: 0, seconds: 0, memoryMb: seen[0]?.memoryMb ?? NaN }, ...own] };
}

async function newestJob({
  url,
  apiKey,
}: Pick<CoreProcess, 'url' | 'apiKey'>): Promise<{ id?: string; lines: number }> {
  const answer = await fetch(`${url}/bulk-import/jobs?limit=1`, { headers: { 'api-key': apiKey } });
  const { jobs } = (await answer.json()) as { jobs: { id: string; lines: number }[] };
  return jobs[0] ?? { lines: 0 };
}

/** Users a second over time: of the last sample's time, in as many points as a picture has room for. */
export function throughputPlot(name: string, samples: readonly Sample[], marks: Series['marks'] = []): Plot {
  const width = Math.max(sampleMs / 1000, (samples.at(-1)?.seconds ?? 0) / pointsAtMost);
  return {
    id: 'throughput',
    series: [{ name, points: rates(samples, 'seconds', width), ...(marks.length > 0 && { marks }) }],
  };
}

/** Users a second over users stored. */
export function growthPlot(name: string, samples: readonly Sample[]): Plot {
  const width = (samples.at(-1)?.users ?? 0) / pointsAtMost;
  return { id: 'growth', series: [{ name, points: rates(samples, 'users', width) }] };
}

/** The rate between samples that lie at least `width` apart on the axis `by`. */
function rates(samples: readonly Sample[], by: 'seconds' | 'users', width: number): [number, number][] {
  const points: [number, number][] = [];
  let before = samples[0];
  for (const sample of samples) {
    if (!before || sample[by] - before[by] < width || sample.seconds === before.seconds) continue;
    const rate = (sample.users - before.users) / (sample.seconds - before.seconds);
    points.push([Math.round(sample[by] * 100) / 100, Math.round(rate)]);
    before = sample;
  }
  return points;
}
