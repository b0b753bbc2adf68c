/** Sends an upload: requests the offset, sends the rest, and may be stopped. */
import { setImmediate as turn } from 'node:timers/promises';
import type { EmbeddedConnection } from '../../src/embedded/embedded.ts';
import { headOf, key, tusBytes } from './bulk-stand.ts';
import { withSql } from './database-door.ts';
import { type Answer, Wire } from './wire.ts';

/** An address for settings, over the socket file. */
export function uriOf({ user, password, database, host, port }: EmbeddedConnection): string {
  const query = new URLSearchParams({ host, port: String(port) });
  return `postgresql://${user}:${encodeURIComponent(password)}@localhost/${database}?${query.toString()}`;
}

export interface UploadClient {
  /** @returns the job's path */
  create(app: string, length: number, query?: string): Promise<string>;
  /** The committed offset; NaN when it is not stated. */
  offset(path: string): Promise<number>;
  /** Ends the job. @returns the HTTP status */
  cancel(path: string): Promise<number>;
  /** Opens a connection and sends the head of a PATCH of `bytes` bytes. */
  patch(path: string, offset: number, bytes: number): Promise<Wire>;
  /** Sends whatever is missing, however often the offset has moved or another connection to the database was broken. */
  resume(path: string, file: Buffer): Promise<void>;
}

export function uploadClient(port: number, apiKey = key): UploadClient {
  const request = (method: string, path: string, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}${path}`, { method, headers: { 'api-key': apiKey, ...headers } });
  const sendRest = async (path: string, file: Buffer, offset: number) => {
    const wire = await client.patch(path, offset, file.length - offset);
    const answer = await wire.send(file.subarray(offset)).answer();
    wire.hangUp();
    const isUnavailable = refusedWith(answer)?.[1] === 'DATABASE_UNAVAILABLE';
    if (!isUnavailable && ![204, 409, 423].includes(answer?.status ?? 0))
      throw new Error(`${answer?.status} ${answer?.body}`);
  };
  const client: UploadClient = {
    async create(app, length, query = '') {
      const path = `${app}/bulk-import/jobs${query}`;
      const response = await request('POST', path, { 'upload-length': String(length) });
      if (response.status !== 201) throw new Error(await response.text());
      return response.headers.get('location') ?? '';
    },
    offset: async (path) => Number((await request('HEAD', path)).headers.get('upload-offset') ?? Number.NaN),
    cancel: async (path) => (await request('DELETE', path)).status,
    async patch(path, offset, bytes) {
      const wire = await Wire.open(port);
      const headers = { 'Api-Key': apiKey, ...tusBytes, 'Upload-Offset': offset, 'Content-Length': bytes };
      return wire.send(headOf('PATCH', path, headers));
    },
    async resume(path, file) {
      for (;;) {
        const offset = await client.offset(path);
        if (offset >= file.length) return;
        if (!Number.isNaN(offset)) await sendRest(path, file, offset);
      }
    },
  };
  return client;
}

/** Resolves when the system has accepted everything that was sent. */
export async function drained(wire: Wire): Promise<void> {
  while (wire.unsent > 0) await turn();
}

/** Resolves when the job of this path has committed this number of bytes, or is over. */
export async function committed(connection: EmbeddedConnection, path: string, bytes: number): Promise<void> {
  const id = path.split('/').at(-1) ?? '';
  await withSql(connection, async (sql) => {
    for (let found = -1; found < bytes;) {
      const [row] = await sql<{ bytes: number }[]>`
        select case when state = 1 then bytes::int else 2147483647 end as bytes
        from carryover.import_jobs where job_id = ${id}`;
      found = row?.bytes ?? -1;
    }
  });
}

/** HTTP status and code of an answer; undefined when the connection ended without one. */
export function refusedWith(answer: Answer | undefined): readonly [number, unknown] | undefined {
  if (answer === undefined) return undefined;
  const { status } = (answer.body === '' ? {} : JSON.parse(answer.body)) as { status?: unknown };
  return [answer.status, status];
}
