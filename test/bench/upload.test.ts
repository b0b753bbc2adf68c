/** The clients of benchmarks, against a core that has no room at first. */
import { statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { afterEach, expect, it } from 'vitest';
import { uploadHere } from '../../bench/load/upload.ts';
import { importRecords } from '../../bench/load/people.ts';

const file = fileURLToPath(import.meta.url);
const job = { id: 'second', lines: 1, created: 1 };
let server: Server | undefined;
let sent = 0;
let rest = 0;
afterEach(() => {
  server?.close();
  sent = 0;
});

/** Of the file, when the job was refused. */
const committed = 100;

/** Refuses this number of times; with `keeps` it has begun a job by then, which accepts the rest. */
async function busyCore(refusals: number, { keeps = false, retryAfter = '0' } = {}): Promise<string> {
  server = createServer((request, response) => {
    request.resume().on('end', () => {
      if (request.method === 'HEAD') return void response.setHeader('upload-offset', committed).end();
      if (request.url === '/bulk-import/jobs/first') {
        if (request.method === 'PATCH') rest = Number(request.headers['content-length']);
        if (request.method === 'PATCH') return void response.writeHead(204).end();
        return void response.end(JSON.stringify({ status: 'OK', job }));
      }
      if (request.method === 'GET')
        return void response.end(
          JSON.stringify({ jobs: keeps && sent > 0 ? [{ id: 'first', lines: 0 }] : [] }),
        );
      if (++sent > refusals) return void response.end(JSON.stringify({ status: 'OK', job }));
      response.writeHead(503, retryAfter === '' ? {} : { 'retry-after': retryAfter });
      response.end(JSON.stringify({ status: 'OVERLOADED' }));
    });
  });
  await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const uploadTo = (url: string) => uploadHere({ url, apiKey: 'any', file });

it('sends again after a refusal for overload', async () => {
  expect((await uploadTo(await busyCore(3))).job).toEqual(job);
  expect(sent).toBe(4);
});

it('ends after ten tries, and at once where the core does not say when', async () => {
  await expect(uploadTo(await busyCore(Infinity))).rejects.toThrow('OVERLOADED');
  expect(sent).toBe(10);
  server?.close();
  sent = 0;
  await expect(uploadTo(await busyCore(Infinity, { retryAfter: '' }))).rejects.toThrow('OVERLOADED');
  expect(sent).toBe(1);
});

it('sends the rest of a file whose beginning is committed', async () => {
  expect((await uploadTo(await busyCore(1, { keeps: true }))).job).toEqual(job);
  expect([sent, rest]).toEqual([1, statSync(file).size - committed]);
});

it('people for a benchmark are sent again too', async () => {
  const core = { url: await busyCore(1), apiKey: 'any' };
  await importRecords(core, [{}]);
  expect(sent).toBe(2);
});
