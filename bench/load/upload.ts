import { createReadStream, statSync } from 'node:fs';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { type Answer, answerInTime, answerOf } from '../../src/load/answer.ts';
import type { Addressed } from './deployed.ts';
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

/** The outcome of a file's users. */
export type Expected = Readonly<Partial<Record<'created' | 'updated' | 'unchanged', number>>>;

/**
 * Uploads a file from a separate process.
 * @param query options of the job, from the question mark on
 * @throws Error unless the numbers of created, updated or unchanged users are as `expected`
 */
export async function importFile(
  cluster: Cluster,
  core: CoreProcess,
  file: string,
  expected: Expected,
  query = '',
): Promise<Import> {
  const cpu = watchCpu(core.pid, cluster.pid);
  const { result, samples } = await watchUpload(core, file, query);
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

/** One upload of a file, from a separate process, as `curl -T` would send it. */
export function upload({ url, apiKey }: Addressed, file: string, query = ''): Promise<Uploaded> {
  return runProcess(import.meta.url, uploadHere, { url, apiKey, file, query });
}

interface UploadTask extends Pick<CoreProcess, 'url' | 'apiKey'> {
  readonly file: string;
  /** Options of the job, from the question mark on. */
  readonly query?: string;
}

/**
 * Repeats the upload, after the time that the answer asks for, if the core has no room for it. Once the job has begun, the rest
 * of the file is sent to it, as `carryover import` does: users of a second job would be unchanged.
 */
export async function uploadHere(task: UploadTask): Promise<Uploaded> {
  const before = await newestJob(task);
  const startedAt = performance.now();
  const answer = await answerInTime(
    () => sendFile(task, { method: 'PUT', path: jobsPath + (task.query ?? '') }),
    async () => (await newestJob(task)).id === before.id,
  );
  const { job = await continued(task, before.id, answer) } = JSON.parse(answer.body) as Answered;
  const { user, system } = process.cpuUsage();
  return { seconds: (performance.now() - startedAt) / 1000, job, cpuSeconds: (user + system) / 1e6 };
}

interface Answered {
  readonly job?: Uploaded['job'];
}

const jobsPath = '/bulk-import/jobs';
const tus = { 'tus-resumable': '1.0.0' };

/** @throws Error when the upload was refused for another reason than overload, or for too long */
async function continued(
  task: UploadTask,
  idBefore: string | undefined,
  refusal: Answer,
): Promise<Uploaded['job']> {
  const { id } = await newestJob(task);
  if (refusal.status !== 503 || id === undefined || id === idBefore) {
    throw new Error(`the import was refused: ${refusal.body}`);
  }
  const path = `${jobsPath}/${id}`;
  const answer = await answerInTime(async () => {
    const from = await committedBytes(task, path);
    return sendFile(task, { method: 'PATCH', path, from });
  });
  if (answer.status !== 204) throw new Error(`the rest of the import was refused: ${answer.body}`);
  const { job } = JSON.parse((await ask(task, 'GET', path)).body) as Answered;
  if (job === undefined) throw new Error(`there is no job ${id}`);
  return job;
}

async function committedBytes(task: UploadTask, path: string): Promise<number> {
  const { headers } = await fetch(`${task.url}${path}`, {
    method: 'HEAD',
    headers: { 'api-key': task.apiKey, ...tus },
  });
  return Number(headers.get('upload-offset'));
}

function ask({ url, apiKey }: UploadTask, method: string, path: string): Promise<Answer> {
  const sent = request(`${url}${path}`, { method, headers: { 'api-key': apiKey } });
  const answered = answerOf(sent);
  sent.end();
  return answered;
}

interface Sending {
  readonly method: 'PUT' | 'PATCH';
  readonly path: string;
  /** Bytes that the job has; for PATCH. */
  readonly from?: number;
}

/** An early answer ends the sending: it explains more than the error of the connection. */
async function sendFile({ url, apiKey, file }: UploadTask, { method, path, from }: Sending): Promise<Answer> {
  const bytes = statSync(file).size;
  const upload =
    from === undefined
      ? {}
      : {
          ...tus,
          'content-type': 'application/offset+octet-stream',
          'upload-offset': from,
          'upload-length': bytes,
        };
  const headers = { 'api-key': apiKey, 'content-length': bytes - (from ?? 0), ...upload };
  const sent = request(`${url}${path}`, { method, headers });
  const answered = answerOf(sent);
  const body = createReadStream(file, { highWaterMark: 1_048_576, start: from ?? 0 });
  const [answer] = await Promise.all([answered, pipeline(body, sent).catch(() => answered)]);
  return answer;
}

/** The progress of an import. */
export interface Sample {
  readonly users: number;
  /** Since its start. */
  readonly seconds: number;
  /** Resident memory of the core. */
  readonly memoryMb: number;
}

const sampleMs = 250;
const pointsAtMost = 60;

/** Uploads a file, with its progress, four times a second, from the start to the end. */
export async function watchUpload(
  core: CoreProcess,
  file: string,
  query = '',
): Promise<{ result: Uploaded; samples: Sample[] }> {
  const sending = upload(core, file, query);
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

/** Users a second over time: relative to the last sample's time, in as many points as a picture has room for. */
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

/** The rate between samples that are at least `width` apart on the axis `by`. */
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
