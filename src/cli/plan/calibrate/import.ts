import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { defaultSecondFactor } from '../../../imports/model.ts';
import { CoreClient } from '../../client/core-client.ts';
import type { JobView } from '../../client/views.ts';
import { CommandError } from '../../command-error.ts';
import { ConnectionBroken, HttpClient, textOf } from '../../client/http.ts';
import { Patience, retry, type Retrying } from '../../client/retry.ts';
import type { UploadSource } from '../../input/source.ts';
import { TusClient } from '../../client/tus.ts';
import { type Copies, copiesOf } from './copies.ts';
import { familyUse, folderBytes, processUse, type ProcessUse } from './footprint.ts';
import type { PrivateCore } from './private-core.ts';

/** The measured import of a part of the file, or of copies of it. */
export interface ImportCalibration {
  /** Seconds since the upload began and lines committed by then, both ascending; the last one is the whole. */
  readonly progress: readonly Committed[];
  /** Users created. */
  readonly users: number;
  /** PostgreSQL's files without its log: empty, and the growth by the users. */
  readonly emptyBytes: number;
  readonly addedBytes: number;
  /** Write-ahead log that the users caused. */
  readonly walBytes: number;
  /** The users imported when the log had that size. */
  readonly walUsers: number;
  readonly server: ServerSettings;
  /** The core at its largest; undefined if the system does not report it. */
  readonly core: ProcessUse | undefined;
  readonly postgres: ProcessUse | undefined;
}

export interface Committed {
  readonly seconds: number;
  readonly lines: number;
}

/** Settings of PostgreSQL, as the core chose them for this machine's memory. */
export interface ServerSettings {
  readonly sharedBuffersBytes: number;
  readonly maxWalBytes: number;
}

const lookEveryMs = 250;
const keptBytes = 4_194_304;

/**
 * Imports the file as a real import would, conversion included, for N seconds; when the file is shorter, copies of its first
 * users follow.
 * @throws CommandError when no user could be imported; the abort's error
 */
export async function calibrateImport(
  core: PrivateCore,
  source: UploadSource,
  { seconds, tenants, signal }: { seconds: number; tenants: readonly string[]; signal: AbortSignal },
): Promise<ImportCalibration> {
  const http = new HttpClient(core.server);
  for (const tenant of tenants) await makeTenant(http, tenant, signal);
  const server = await settingsOf(core);
  const empty = await sizesOf(core);
  const watch = new Watch(core, new CoreClient(http), server);
  const job = await sendSample(new TusClient(http), watch, { source, seconds, signal });
  if (job.created === 0)
    throw new CommandError("None of the first records can be imported: 'carryover inspect' says why");
  const full = await sizesOf(core);
  const wal = watch.wal ?? { bytes: full.wal, users: job.created };
  return {
    progress: watch.progress,
    users: job.created,
    emptyBytes: empty.base,
    addedBytes: Math.max(0, full.base - empty.base),
    walBytes: Math.max(0, wal.bytes - empty.wal),
    walUsers: wal.users,
    server,
    core: watch.core,
    postgres: watch.postgres,
  };
}

interface Sample {
  readonly source: UploadSource;
  readonly seconds: number;
  readonly signal: AbortSignal;
}

async function sendSample(tus: TusClient, watch: Watch, sample: Sample): Promise<JobView> {
  const { signal } = sample;
  const job = { name: 'calibration', onConflict: 'update', dryRun: false, length: undefined } as const;
  const upload = { ...job, secondFactor: defaultSecondFactor };
  const id = await tus.create(upload, signal);
  const over = new AbortController();
  const watching = watch.until(id, AbortSignal.any([signal, over.signal]));
  try {
    await appendSample(tus, id, sample);
    // After a broken connection the core may still commit what it had received.
    await retry(async () => tus.finish(id, (await tus.state(id, signal)).offset, signal), retrying(signal));
  } finally {
    over.abort();
    await watching;
  }
  return watch.look(id, signal);
}

/** A broken connection, as on a machine that is too busy, ends the sample earlier. */
async function appendSample(tus: TusClient, id: string, sample: Sample): Promise<void> {
  const { signal } = sample;
  try {
    await tus.append(id, { offset: 0, bodyBytes: undefined, body: sampleOf(sample) }, signal);
  } catch (error) {
    if (!(error instanceof ConnectionBroken)) throw error;
  }
}

const patienceMs = 30_000;

function retrying(signal: AbortSignal): Retrying {
  return { patience: new Patience(patienceMs, Date.now), onTrouble: () => undefined, signal };
}

/** The file from its start, then copies; ends when the time is over. */
async function* sampleOf({ source, seconds, signal }: Sample): AsyncGenerator<Uint8Array> {
  const until = performance.now() + seconds * 1000;
  const isTime = (): boolean => performance.now() < until;
  const kept: Uint8Array[] = [];
  let bytes = 0;
  let last = 10;
  for await (const piece of source.open(0, signal)) {
    yield piece;
    last = piece.at(-1) ?? last;
    if (bytes < keptBytes) kept.push(piece.slice());
    bytes += piece.length;
    if (!isTime()) return;
  }
  if (last !== 10) yield Uint8Array.of(10);
  yield* copiesOfPieces(kept, bytes > keptBytes, isTime);
}

function* copiesOfPieces(
  pieces: readonly Uint8Array[],
  isCut: boolean,
  isTime: () => boolean,
): Generator<Uint8Array> {
  const lines = Buffer.concat(pieces).toString('utf8').split('\n');
  const copies: Copies | undefined = copiesOf(isCut ? lines.slice(0, -1) : lines);
  while (copies && isTime()) yield copies.next();
}

/** Observes the job, its processes and its disk while it runs. */
class Watch {
  readonly progress: Committed[] = [{ seconds: 0, lines: 0 }];
  core: ProcessUse | undefined;
  postgres: ProcessUse | undefined;
  /** The last size of the log before old parts of it are reused. */
  wal: { readonly bytes: number; readonly users: number } | undefined;
  readonly #place: PrivateCore;
  readonly #client: CoreClient;
  readonly #maxWalBytes: number;
  readonly #startedAt = performance.now();

  constructor(place: PrivateCore, client: CoreClient, { maxWalBytes }: ServerSettings) {
    this.#place = place;
    this.#client = client;
    this.#maxWalBytes = maxWalBytes;
  }

  async until(id: string, signal: AbortSignal): Promise<void> {
    const isTime = (): Promise<boolean> => sleep(lookEveryMs, true, { signal }).catch(() => false);
    while (await isTime()) await this.look(id, signal).catch(() => undefined);
  }

  async look(id: string, signal: AbortSignal): Promise<JobView> {
    const job = await this.#client.job(id, signal);
    const seconds = (performance.now() - this.#startedAt) / 1000;
    if (job.lines > (this.progress.at(-1)?.lines ?? 0)) this.progress.push({ seconds, lines: job.lines });
    const { pid, postgresPid, cluster } = this.#place;
    this.core = larger(this.core, await processUse(pid));
    this.postgres = larger(this.postgres, await familyUse(postgresPid));
    const bytes = await folderBytes(path.join(cluster, 'pg_wal'));
    // A checkpoint begins near half of the limit, and its end renames files that it no longer needs.
    if (bytes < this.#maxWalBytes / 2 && job.created > 0) this.wal = { bytes, users: job.created };
    return job;
  }
}

function larger(a: ProcessUse | undefined, b: ProcessUse | undefined): ProcessUse | undefined {
  if (!a || !b) return a ?? b;
  return a.privateBytes + a.sharedBytes > b.privateBytes + b.sharedBytes ? a : b;
}

async function sizesOf({ cluster }: PrivateCore): Promise<{ base: number; wal: number }> {
  const wal = await folderBytes(path.join(cluster, 'pg_wal'));
  return { base: (await folderBytes(cluster)) - wal, wal };
}

/** From the file in which PostgreSQL notes how it was started. */
async function settingsOf({ cluster }: PrivateCore): Promise<ServerSettings> {
  const text = await readFile(path.join(cluster, 'postmaster.opts'), 'utf8').catch(() => '');
  const bytes = (name: string, otherwise: number): number =>
    Number(new RegExp(`${name}=(\\d+)MB`).exec(text)?.[1] ?? otherwise) * 1_048_576;
  return { sharedBuffersBytes: bytes('shared_buffers', 128), maxWalBytes: bytes('max_wal_size', 1024) };
}

async function makeTenant(http: HttpClient, tenantId: string, signal: AbortSignal): Promise<void> {
  if (tenantId === 'public') return;
  const body = JSON.stringify({ tenantId });
  const headers = { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
  const path = '/recipe/multitenancy/tenant/v2';
  const response = await http.send({ method: 'PUT', path, headers, body, signal });
  const text = await textOf(response);
  if (response.statusCode !== 200)
    throw new CommandError(`The core for the calibration refused a tenant: ${text.slice(0, 200)}`);
}
