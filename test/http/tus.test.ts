/** Unmodified tus-js-client against the front end: all of its requests have to work. */
import net from 'node:net';
import { Readable } from 'node:stream';
import { Upload, type UploadOptions } from 'tus-js-client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type BulkStand, jobsPath, key, startBulkStand } from '../helpers/bulk-stand.ts';

let stand: BulkStand;
beforeEach(async () => {
  stand = await startBulkStand();
});
afterEach(() => stand.stop());

const records = Array.from({ length: 5000 }, (_, i) => JSON.stringify({ user: i, name: 'é'.repeat(20) }));
const file = Buffer.from(records.join('\n'));
const onlyJob = () => {
  const [job] = stand.imports.jobs.values();
  if (job === undefined) throw new Error('no job');
  return job;
};

type Source = ConstructorParameters<typeof Upload>[0];

interface Run {
  readonly upload: Upload;
  readonly done: Promise<void>;
}

function prepare(source: Source, options: Partial<UploadOptions> = {}): Run {
  const ended = Promise.withResolvers<undefined>();
  const upload = new Upload(source, {
    endpoint: stand.url + jobsPath,
    headers: { 'api-key': key },
    retryDelays: [0, 0, 0],
    onSuccess: () => {
      ended.resolve(undefined);
    },
    onError: ended.reject,
    ...options,
  });
  return { upload, done: ended.promise };
}

async function run(source: Source, options?: Partial<UploadOptions>): Promise<void> {
  const { upload, done } = prepare(source, options);
  upload.start();
  await done;
}

function expectWhole(): void {
  expect(onlyJob()).toMatchObject({ state: 'done', bytes: file.length, created: records.length });
  expect(stand.imports.lines).toEqual(records);
}

describe('tus-js-client', () => {
  test('uploads in one go', async () => {
    await run(file, { metadata: { name: 'Übung', onConflict: 'skip', filename: 'x' } });
    expectWhole();
    expect(onlyJob()).toMatchObject({ name: 'Übung', onConflict: 'skip', uploadLength: file.length });
  });

  test('uploads with the creation', async () => {
    await run(file, { uploadDataDuringCreation: true });
    expectWhole();
    expect(stand.observed).toEqual(['POST /bulk-import/jobs 201']);
  });

  test('uploads in chunks that end inside lines, going on from what was committed', async () => {
    await run(file, { chunkSize: 10_000 });
    expectWhole();
    expect(stand.observed.filter((each) => each.startsWith('PATCH')).length).toBeGreaterThan(20);
  });

  test('uploads a stream whose length it does not know', async () => {
    await run(Readable.from([file.subarray(0, 70_000), file.subarray(70_000)], { objectMode: false }), {
      uploadLengthDeferred: true,
      chunkSize: 100_000_000,
    });
    expectWhole();
  });

  test('resumes an upload that was aborted', async () => {
    const { upload } = prepare(file, { chunkSize: 50_000 });
    const aborted = Promise.withResolvers<undefined>();
    upload.options.onChunkComplete = () => {
      void upload.abort().then(() => {
        aborted.resolve(undefined);
      });
    };
    upload.start();
    await aborted.promise;
    const committed = onlyJob().bytes;
    expect(committed).toBeGreaterThan(0);
    expect(committed).toBeLessThan(file.length);
    await run(file, { uploadUrl: upload.url });
    expectWhole();
  });

  test('resumes when the connection breaks in mid-body', async () => {
    const proxy = await breakingProxy(stand.port, 3);
    try {
      await run(file, { endpoint: `http://127.0.0.1:${proxy.port}${jobsPath}` });
    } finally {
      proxy.close();
    }
    expect(proxy.broken()).toBe(3);
    expectWhole();
    expect(stand.observed).toContain('PATCH /bulk-import/jobs/{id} 499');
  });

  test('terminates an upload, which then is gone', async () => {
    const { upload } = prepare(file, { chunkSize: 50_000 });
    const terminated = Promise.withResolvers<undefined>();
    upload.options.onChunkComplete = () => {
      void upload.abort(true).then(() => {
        terminated.resolve(undefined);
      }, terminated.reject);
    };
    upload.start();
    await terminated.promise;
    expect(onlyJob().state).toBe('cancelled');
    const { upload: again, done } = prepare(file, { endpoint: null, uploadUrl: upload.url });
    again.start();
    await expect(done).rejects.toThrow('unable to resume upload');
  });

  test('gets the reason when it may not upload', async () => {
    await expect(run(file, { metadata: { onConflict: 'all' }, retryDelays: null })).rejects.toThrow(
      "Field name 'onConflict'",
    );
    await expect(run(file, { headers: {}, retryDelays: null })).rejects.toThrow('Invalid API key');
  });
});

/** Passes bytes on, and breaks the connection of the first uploads once each has sent some of its body. */
async function breakingProxy(port: number, times: number) {
  let broken = 0;
  const sockets = new Set<net.Socket>();
  const proxy = net.createServer((client) => {
    const server = net.connect(port, '127.0.0.1');
    let sent = 0;
    for (const socket of [client, server]) {
      sockets.add(socket);
      socket.on('error', () => undefined);
    }
    client.on('data', (data) => {
      sent += data.length;
      const isBreaking = sent > 60_000 && broken < times;
      server.write(isBreaking ? data.subarray(0, 1000) : data, () => {
        if (isBreaking) [client, server].forEach((each) => each.destroy());
      });
      if (!isBreaking) return;
      broken++;
      client.removeAllListeners('data').resume();
    });
    server.on('data', (data) => client.write(data));
    server.on('close', () => client.destroy());
    client.on('close', () => server.destroy());
  });
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
  return {
    port: (proxy.address() as net.AddressInfo).port,
    broken: () => broken,
    close() {
      for (const socket of sockets) socket.destroy();
      proxy.close();
    },
  };
}
