import type { IncomingMessage } from 'node:http';
import type { KnownSecrets } from '../../imports/canaries/known.ts';
import type { NewJob } from '../../imports/model.ts';
import { refusalOf, CoreRefusal } from './core-client.ts';
import { type HttpClient, textOf } from './http.ts';

export interface NewUpload extends Omit<NewJob, 'uploadLength'> {
  /** Bytes of the whole upload; undefined while unknown. */
  readonly length: number | undefined;
  /** Known passwords and codes, which the core verifies before it creates the job; they are sent in the body, not in a header. */
  readonly canaries?: KnownSecrets;
}

/** The progress of an upload. */
export interface UploadState {
  /** Bytes whose lines are committed. */
  readonly offset: number;
  /** Set once it is known. */
  readonly length: number | undefined;
}

export interface Append {
  /** Where `body` starts: the committed offset, or with `isAhead` one after it. */
  readonly offset: number;
  /** Other cores may have the bytes before it: the core commits these after them. */
  readonly isAhead?: boolean;
  /** Bytes of the body if they are known; otherwise it is sent chunked. */
  readonly bodyBytes: number | undefined;
  /** Called once the end of the whole upload is known. */
  readonly uploadLength?: number;
  readonly body: AsyncIterable<Uint8Array>;
}

const version = { 'tus-resumable': '1.0.0' };

/** A core that stopped reading and one that is gone look alike; asking again after this time does no harm to either. */
const idleTimeoutMs = 120_000;

/** Not of tus itself: parts whose earlier bytes go through other cores. */
const aheadExtension = 'carryover-ahead';
/** While others import the bytes before a part, nothing comes back. */
const turnTimeoutMs = 600_000;

/** The options of the job; the core's defaults apply to what is left out. */
function queryOf(upload: NewUpload): URLSearchParams {
  const { name, onConflict, dryRun, secondFactor, idPrefix, source = '', series, absent } = upload;
  const flags = (['sameIds', 'restoreRemoved', 'whole', 'absentYes', 'compare', 'receipt'] as const).filter(
    (flag) => upload[flag] === true,
  );
  return new URLSearchParams({
    onConflict,
    dryRun: String(dryRun),
    secondFactor,
    name,
    ...(idPrefix !== undefined && { idPrefix }),
    ...(source !== '' && { source }),
    ...(series !== undefined && { series }),
    ...(absent !== undefined && { absent }),
    ...Object.fromEntries(flags.map((flag) => [flag, 'true'])),
  });
}

/**
 * The client's side of the tus protocol (https://tus.io/protocols/resumable-upload, 1.0.0), as far as import jobs need it.
 * Methods throw CoreRefusal and ConnectionBroken.
 */
export class TusClient {
  readonly #http: HttpClient;

  constructor(http: HttpClient) {
    this.#http = http;
  }

  /** @returns the job's id */
  async create(upload: NewUpload, signal: AbortSignal): Promise<string> {
    const { length, canaries } = upload;
    const body = canaries && JSON.stringify({ canaries: canaries.passwords, codeCanaries: canaries.codes });
    const query = queryOf(upload);
    const known = length === undefined ? { 'upload-defer-length': '1' } : { 'upload-length': String(length) };
    const response = await this.#http.send({
      method: 'POST',
      path: `/bulk-import/jobs?${query.toString()}`,
      headers: { ...version, ...known, ...headersOf(body) },
      body,
      idleTimeoutMs,
      signal,
    });
    await expectStatus(response, 201);
    const id = /\/bulk-import\/jobs\/([^/?]+)\/?$/.exec(response.headers.location ?? '')?.[1];
    if (id === undefined) throw new CoreRefusal(404, 'NOT_A_CORE', 'the answer names no job');
    return decodeURIComponent(id);
  }

  async state(id: string, signal: AbortSignal): Promise<UploadState> {
    const response = await this.#http.send({
      method: 'HEAD',
      path: pathOf(id),
      headers: version,
      idleTimeoutMs,
      signal,
    });
    await expectStatus(response, 200, 204);
    const length = response.headers['upload-length'];
    return { offset: offsetOf(response), length: length === undefined ? undefined : Number(length) };
  }

  /** @returns the committed offset, which may be before the end of the body: the last line was incomplete */
  async append(id: string, append: Append, signal: AbortSignal): Promise<number> {
    const { offset, isAhead = false, bodyBytes, uploadLength, body } = append;
    const response = await this.#http.send({
      method: 'PATCH',
      path: pathOf(id),
      headers: {
        ...version,
        'content-type': 'application/offset+octet-stream',
        'upload-offset': String(offset),
        ...(isAhead && { 'upload-ahead': '1' }),
        ...(bodyBytes !== undefined && { 'content-length': String(bodyBytes) }),
        ...(uploadLength !== undefined && { 'upload-length': String(uploadLength) }),
      },
      body,
      idleTimeoutMs: isAhead ? turnTimeoutMs : idleTimeoutMs,
      signal,
    });
    await expectStatus(response, 204, 200);
    return offsetOf(response);
  }

  /** Whether the core accepts parts ahead of the committed offset. */
  async takesParts(signal: AbortSignal): Promise<boolean> {
    const path = '/bulk-import/jobs';
    const response = await this.#http.send({ method: 'OPTIONS', path, idleTimeoutMs, signal });
    await expectStatus(response, 204, 200);
    return String(response.headers['tus-extension'] ?? '')
      .split(',')
      .includes(aheadExtension);
  }

  /** Reports that the upload ends at the committed offset. */
  async finish(id: string, length: number, signal: AbortSignal): Promise<void> {
    await this.append(id, { offset: length, bodyBytes: 0, uploadLength: length, body: nothing() }, signal);
  }
}

function headersOf(body: string | undefined): Record<string, string> {
  if (body === undefined) return { 'content-length': '0' };
  return { 'content-type': 'application/json', 'content-length': String(Buffer.byteLength(body)) };
}

function pathOf(id: string): string {
  return `/bulk-import/jobs/${encodeURIComponent(id)}`;
}

async function expectStatus(response: IncomingMessage, ...expected: number[]): Promise<void> {
  if (!expected.includes(response.statusCode ?? 0)) throw await refusalOf(response);
  await textOf(response);
}

function offsetOf(response: IncomingMessage): number {
  const offset = Number(response.headers['upload-offset'] ?? NaN);
  if (!Number.isSafeInteger(offset) || offset < 0)
    throw new CoreRefusal(404, 'NOT_A_CORE', 'the answer has no Upload-Offset');
  return offset;
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* nothing(): AsyncGenerator<Uint8Array> {
  yield* [];
}
