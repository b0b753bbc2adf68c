/** Slow bodies and answers: pauses, disconnects, silence and shutdown in the middle of them. */
import { once } from 'node:events';
import { setImmediate as turn } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, describe, expect, test } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';
import { StreamReply } from '../../src/http/response/replies.ts';
import type { Route } from '../../src/http/routing/route.ts';
import { inBody } from '../../src/schema/validate.ts';
import {
  type BulkStand,
  type BulkStandOptions,
  createJob,
  headOf,
  jobsPath,
  ndjson,
  startBulkStand,
  tus,
  tusBytes,
} from '../helpers/bulk-stand.ts';
import type { Flood } from '../helpers/flood-worker.ts';
import type { Wire } from '../helpers/wire.ts';

const stands: BulkStand[] = [];
async function start(options?: BulkStandOptions): Promise<BulkStand> {
  const stand = await startBulkStand(options);
  stands.push(stand);
  return stand;
}
afterEach(async () => {
  for (const stand of stands.splice(0)) await stand.stop();
});

const line = '{"a":1}\n';
/** The library's receive buffer. */
const onePiece = 512 << 10;
/** Memory for streams that two long bodies need while they wait. */
const twoShares = 256 << 10;
const wholeFile = (length: number) => headOf('PUT', jobsPath, { ...ndjson, 'Content-Length': length });

/** Opens a connection that has sent the head and one line of a whole file. */
async function sending(stand: BulkStand, length = 1000): Promise<Wire> {
  const wire = await stand.wire();
  wire.send(wholeFile(length) + line);
  await stand.imports.received(line.length);
  return wire;
}

describe('a body on its way in', () => {
  test('may come byte by byte', async () => {
    const stand = await start();
    const text = `${line}{"é":2}\r\n{"last":3}`;
    const wire = await stand.wire();
    wire.send(wholeFile(Buffer.byteLength(text)));
    for (const [at, byte] of Buffer.from(text).entries()) {
      wire.send(Uint8Array.of(byte));
      await stand.imports.received(at + 1);
    }
    expect((await wire.answer())?.status).toBe(200);
    expect(stand.imports.lines).toEqual(['{"a":1}', '{"é":2}', '{"last":3}']);
  });

  test('may be cut anywhere, the head with it', async () => {
    const stand = await start();
    const request = Buffer.from(wholeFile(2 * line.length) + line + line);
    const [wire, probe] = [await stand.wire(), await stand.wire()];
    for (let at = request.indexOf('\r\n') + 2; at < request.length; at += 7) {
      wire.send(request.subarray(0, at));
      // A round trip elsewhere: by then the server has read the first part alone.
      await probe.send(headOf('GET', jobsPath, {})).answer();
      expect((await wire.send(request.subarray(at)).answer())?.status).toBe(200);
    }
    for (const { created, state } of stand.imports.jobs.values())
      expect([created, state]).toEqual([2, 'done']);
  });

  test('waits in the sender while there is no room, and goes on when there is', async () => {
    const stand = await start();
    const { imports } = stand;
    const gate = Promise.withResolvers<undefined>();
    imports.room = gate.promise;
    const megabytes = 64;
    const body = Buffer.alloc(megabytes << 20, line);
    const wire = await stand.wire();
    wire.send(wholeFile(body.length)).send(body);
    await imports.received(1);
    // Only the system's buffers can have received bytes from the sender.
    for (let round = 0; round < 20; round++) expect((await stand.request('GET', jobsPath)).status).toBe(200);
    expect(imports.receivedBytes).toBeLessThanOrEqual(onePiece);
    expect(wire.unsent).toBeGreaterThan(0);
    imports.room = undefined;
    gate.resolve(undefined);
    expect(JSON.parse((await wire.answer())?.body ?? '')).toMatchObject({
      job: { created: body.length / line.length },
    });
    expect(imports.pauses).toBeGreaterThan(0);
    expect((await wire.send(headOf('GET', jobsPath, {})).answer())?.status).toBe(200);
  });

  test('is not forced on the sink by a sender that fills the system faster than it is read', async () => {
    const piece = Buffer.alloc(1 << 20, 'x');
    piece[piece.length - 1] = 10;
    const length = 256 << 20;
    // A machine that is busy elsewhere may copy more slowly than the sender sends: then more is buffered than usual.
    const stand = await start({ streamMemoryBytes: length });
    const { imports } = stand;
    const flood: Flood = { port: stand.port, head: wholeFile(length), piece, length };
    const sender = new Worker(new URL('../helpers/flood-worker.ts', import.meta.url), { workerData: flood });
    const answered = once(sender, 'message');
    // By then the system gives the connection a receive buffer of megabytes.
    await imports.received(length / 4);
    const gate = Promise.withResolvers<undefined>();
    imports.room = gate.promise;
    imports.writeMs = 20;
    const atPause = imports.receivedBytes + onePiece;
    for (let round = 0; round < 20; round++) expect((await stand.request('GET', jobsPath)).status).toBe(200);
    expect(imports.receivedBytes).toBeLessThanOrEqual(atPause);
    imports.room = undefined;
    imports.writeMs = 0;
    gate.resolve(undefined);
    expect(await answered).toEqual(['HTTP/1.1 200 OK']);
    expect([imports.receivedBytes, imports.lines.length]).toEqual([length, length / piece.length]);
    expect(new Set(imports.lines).size).toBe(1);
  });

  test('one of several that find no room is read from at a time, so that all of them end well', async () => {
    const piece = Buffer.alloc(1 << 20, 'x');
    piece[piece.length - 1] = 10;
    const [senders, length] = [8, 40 << 20];
    // Eight receive buffers of the system, of up to 32 MiB each, would not fit.
    const stand = await start({ streamMemoryBytes: 8 << 20, streamGulpBytes: 64 << 20 });
    const { imports } = stand;
    const flood: Flood = { port: stand.port, head: wholeFile(length), piece, length };
    const answers = Array.from({ length: senders }, async () => {
      const sender = new Worker(new URL('../helpers/flood-worker.ts', import.meta.url), {
        workerData: flood,
      });
      return (await once(sender, 'message')) as unknown[];
    });
    // By then the system gives the connections receive buffers of megabytes.
    await imports.received((senders * length) / 4);
    const gate = Promise.withResolvers<undefined>();
    imports.room = gate.promise;
    for (let round = 0; round < 100; round++) expect((await stand.request('GET', jobsPath)).status).toBe(200);
    imports.room = undefined;
    gate.resolve(undefined);
    expect(new Set((await Promise.all(answers)).flat())).toEqual(new Set(['HTTP/1.1 200 OK']));
    expect(imports.lines.length).toBe((senders * length) / piece.length);
  });

  test('is refused at once by an import that fails meanwhile, and the connection ends', async () => {
    const stand = await start();
    const gate = Promise.withResolvers<undefined>();
    stand.imports.room = gate.promise;
    const wire = await sending(stand);
    gate.reject(new Refusal('DATABASE_UNAVAILABLE'));
    const answer = await wire.answer();
    expect([answer?.status, answer?.headers.get('connection'), answer?.headers.get('retry-after')]).toEqual([
      503,
      'close',
      '1',
    ]);
    await wire.closed;
    expect(stand.imports.aborted).toBe(1);
  });

  test('ends with a hang-up: the upload is given up, what was committed stays', async () => {
    const stand = await start();
    const wire = await sending(stand);
    const ended = stand.nextObserved();
    wire.hangUp();
    expect(await ended).toBe('PUT /bulk-import/jobs 499');
    expect([stand.imports.aborted, stand.imports.lines.length, stand.server.inFlight]).toEqual([1, 1, 0]);
    expect(stand.logged).toEqual([]);
  });

  test('a hang-up counts as in flight until the import is quiet', async () => {
    const stand = await start();
    const gate = Promise.withResolvers<undefined>();
    stand.imports.quiet = gate.promise;
    const wire = await sending(stand);
    wire.hangUp();
    await wire.closed;
    await stand.request('GET', jobsPath);
    expect(stand.server.inFlight).toBe(1);
    const ended = stand.nextObserved();
    gate.resolve(undefined);
    expect(await ended).toBe('PUT /bulk-import/jobs 499');
  });

  test('a hang-up while the last lines are committed stops nothing', async () => {
    const stand = await start();
    const gate = Promise.withResolvers<undefined>();
    stand.imports.quiet = gate.promise;
    const wire = await sending(stand, line.length);
    wire.hangUp();
    await wire.closed;
    await stand.request('GET', jobsPath);
    const ended = stand.nextObserved();
    gate.resolve(undefined);
    expect(await ended).toBe('PUT /bulk-import/jobs 499');
    expect([...stand.imports.jobs.values()]).toMatchObject([{ state: 'done', created: 1 }]);
    expect(stand.imports.aborted).toBe(0);
  });

  test('a hang-up is noticed while there is no room: what was kept goes no further', async () => {
    const stand = await start();
    stand.imports.room = new Promise(() => undefined);
    const wire = await sending(stand);
    const ended = stand.nextObserved();
    wire.send(line.repeat(10)).hangUp();
    expect(await ended).toBe('PUT /bulk-import/jobs 499');
    expect([stand.imports.aborted, stand.imports.lines.length, stand.server.inFlight]).toEqual([1, 1, 0]);
  });

  test('a reset is noticed even if there is no memory to read what was sent before it', async () => {
    const stand = await start({ streamMemoryBytes: 8 << 20 });
    stand.imports.room = new Promise(() => undefined);
    const [full, reset] = [await stand.wire(), await stand.wire()];
    reset.send(wholeFile(2 ** 30) + line);
    await stand.imports.received(line.length);
    full.send(wholeFile(2 ** 30)).send(Buffer.alloc(6 << 20, line));
    // By then the front end has buffered as much as it reads at once.
    for (let round = 0; round < 20; round++) expect((await stand.request('GET', jobsPath)).status).toBe(200);
    const ended = stand.nextObserved();
    reset.reset();
    expect(await ended).toBe('PUT /bulk-import/jobs 499');
    expect(stand.server.inFlight).toBe(1);
  });

  test('more bodies at once than the memory holds are refused at once, and let in when others have ended', async () => {
    const stand = await start({ streamMemoryBytes: twoShares });
    const [first] = [await sending(stand, 2 ** 31), await sending(stand, 2 ** 31)];
    const refused = await stand.wire();
    const answer = await refused.send(wholeFile(2 ** 31) + line).answer();
    expect([answer?.status, answer?.headers.get('retry-after'), answer?.headers.get('connection')]).toEqual([
      503,
      '1',
      'close',
    ]);
    await refused.closed;
    const ended = stand.nextObserved();
    first.hangUp();
    await ended;
    const whole = await stand.wire();
    expect((await whole.send(wholeFile(line.length) + line).answer())?.status).toBe(200);
  });

  test('a sender that goes on, but far too slowly, is refused', async () => {
    const stand = await start({ senderPace: { leastBytes: 100, windowMs: 50 } });
    const wire = await sending(stand);
    const trickle = setInterval(() => wire.send(' '), 5);
    const answer = await wire.answer();
    clearInterval(trickle);
    expect([answer?.status, answer?.body]).toEqual([408, expect.stringContaining('SENDER_TOO_SLOW')]);
    const [id] = stand.imports.jobs.keys();
    expect(answer?.body).toContain(
      `Job ${id} has what was committed: continue with HEAD ${jobsPath}/${id} and a`,
    );
  });

  test('a sender that falls silent is refused, and its upload can be resumed', async () => {
    const stand = await start({ senderPace: { silenceMs: 30 } });
    const path = await createJob(stand, 100);
    const wire = await stand.wire();
    wire.send(headOf('PATCH', path, { ...tusBytes, 'Upload-Offset': 0, 'Content-Length': 100 }) + line);
    const answer = await wire.answer();
    expect([answer?.status, answer?.body]).toEqual([408, expect.stringContaining('SENDER_TOO_SLOW')]);
    expect(answer?.headers.get('connection')).toBe('close');
    await wire.closed;
    const head = await stand.request('HEAD', path, { headers: tus });
    expect(head.headers.get('upload-offset')).toBe(String(line.length));
  });

  test('a sender that is paused is not silent', async () => {
    const stand = await start({ senderPace: { silenceMs: 250 } });
    const gate = Promise.withResolvers<undefined>();
    stand.imports.room = gate.promise;
    const wire = await sending(stand, 2 * line.length);
    const other = await sending(stand);
    // The other upload was paused earlier than this one, so its time would be over as well.
    stand.imports.room = undefined;
    const silent = await sending(stand);
    expect((await silent.answer())?.status).toBe(408);
    gate.resolve(undefined);
    expect((await wire.send(line).answer())?.status).toBe(200);
    other.hangUp();
  });

  test('a slow sender outlives the time-out of uWebSockets.js', async () => {
    const gathered: Route = {
      method: 'POST',
      path: '/recipe/signin',
      scope: 'tenant',
      needs: 'any',
      summary: '',
      tag: '',
      body: inBody.signIn,
      handle: () => ({}),
    };
    const stand = await start({ routes: [gathered] });
    const wire = await sending(stand, 2 * line.length);
    const dropped = await stand.wire();
    dropped.send(headOf('POST', '/recipe/signin', { 'Content-Length': 10 }) + '{');
    await dropped.closed;
    expect((await wire.send(line).answer())?.status).toBe(200);
  });

  test('stops when the core does: 503, what was handed in is finished, and the server closes', async () => {
    const stand = await start();
    const gate = Promise.withResolvers<undefined>();
    stand.imports.quiet = gate.promise;
    const wire = await sending(stand);
    const closing = stand.server.close();
    await turn();
    expect(stand.server.inFlight).toBe(1);
    gate.resolve(undefined);
    const answer = await wire.answer();
    expect([answer?.status, answer?.body]).toEqual([503, expect.stringContaining('SHUTTING_DOWN')]);
    expect(answer?.headers.get('connection')).toBe('close');
    await closing;
    expect([stand.imports.aborted, stand.imports.lines.length]).toEqual([1, 1]);
  });

  test('that is complete is answered even so', async () => {
    const stand = await start();
    const gate = Promise.withResolvers<undefined>();
    stand.imports.quiet = gate.promise;
    const wire = await sending(stand, line.length);
    const closing = stand.server.close();
    gate.resolve(undefined);
    expect((await wire.answer())?.status).toBe(200);
    await closing;
  });

  test('a PATCH that is complete then is answered 204', async () => {
    const stand = await start();
    const path = await createJob(stand, line.length);
    const gate = Promise.withResolvers<undefined>();
    stand.imports.quiet = gate.promise;
    const wire = await stand.wire();
    wire.send(
      headOf('PATCH', path, { ...tusBytes, 'Upload-Offset': 0, 'Content-Length': line.length }) + line,
    );
    await stand.imports.received(line.length);
    const closing = stand.server.close();
    gate.resolve(undefined);
    const answer = await wire.answer();
    expect([answer?.status, answer?.headers.get('connection')]).toEqual([204, 'close']);
    await closing;
    await wire.closed;
  });
});

describe('a body that is gathered', () => {
  const echo: Route = {
    method: 'POST',
    path: '/bulk-import/users',
    scope: 'app',
    needs: 'any',
    summary: '',
    tag: '',
    body: inBody.signIn,
    maxBodyBytes: 5000,
    handle: () => ({ status: 'OK' }),
  };

  test('may be as long as its route says, and no longer', async () => {
    const stand = await start({ routes: [echo] });
    const json = JSON.stringify({ email: 'a@b', password: 'p' });
    const send = (length: number) => stand.request('POST', echo.path, { body: json.padEnd(length) });
    expect((await send(5000)).status).toBe(200);
    const refused = await send(5001);
    expect([refused.status, await refused.json()]).toEqual([
      413,
      { status: 'BODY_TOO_LARGE', message: 'The request body is larger than 5000 bytes' },
    ]);
  });
});

describe('an answer on its way out', () => {
  function streamed(chunks: StreamReply['chunks'], method: Route['method'] = 'GET'): Route {
    const reply = new StreamReply({ contentType: 'text/plain', headers: [['X-Own', '1']], chunks });
    return {
      method,
      path: '/bulk-export/users',
      scope: 'app',
      needs: 'any',
      summary: '',
      tag: '',
      handle: () => reply,
    };
  }
  const get = headOf('GET', '/bulk-export/users', {});

  test('comes in pieces, whole, and keeps the connection', async () => {
    const stand = await start({
      routes: [
        streamed(async function* () {
          yield 'ä';
          await turn();
          yield '';
          yield Buffer.from('b\n');
        }),
      ],
    });
    const wire = await stand.wire();
    for (let round = 0; round < 3; round++) {
      const answer = await wire.send(get).answer();
      expect([answer?.status, answer?.body]).toEqual([200, 'äb\n']);
      expect(answer?.headers.get('x-own')).toBe('1');
    }
    expect(stand.observed).toHaveLength(3);
  });

  test('may be empty', async () => {
    const nothing: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({ next: () => Promise.resolve({ done: true, value: undefined }) }),
    };
    const stand = await start({ routes: [streamed(() => nothing)] });
    const wire = await stand.wire();
    expect((await wire.send(get).answer())?.body).toBe('');
    expect((await wire.send(get).answer())?.status).toBe(200);
  });

  test('is not made for HEAD', async () => {
    let asked = 0;
    const chunks: StreamReply['chunks'] = async function* () {
      asked++;
      yield await Promise.resolve('x');
    };
    const stand = await start({ routes: [streamed(chunks, 'HEAD')] });
    const wire = await stand.wire();
    for (let round = 0; round < 2; round++) {
      const answer = await wire.send(headOf('HEAD', '/bulk-export/users', {})).answer(true);
      expect([answer?.status, answer?.headers.get('content-type')]).toEqual([200, 'text/plain']);
    }
    expect([asked, wire.rest]).toEqual([0, '']);
  });

  test('is made no faster than it is read', async () => {
    const piece = 'x'.repeat(1 << 20);
    let made = 0;
    const stand = await start({
      routes: [
        streamed(async function* () {
          for (; made < 64; made++) {
            await turn();
            yield piece;
          }
        }),
      ],
    });
    const response = await stand.request('GET', '/bulk-export/users');
    for (let round = 0; round < 200; round++) await stand.request('GET', jobsPath);
    expect(made).toBeLessThan(32);
    expect((await response.arrayBuffer()).byteLength).toBe(64 << 20);
  });

  test('ends with a hang-up: the signal is aborted, and the generator has returned', async () => {
    const steps: string[] = [];
    const stand = await start({
      routes: [
        streamed(async function* (signal) {
          try {
            yield 'first';
            await new Promise((resolve) => {
              signal.addEventListener('abort', resolve);
            });
            steps.push('told');
            yield 'second';
          } finally {
            steps.push('returned');
          }
        }),
      ],
    });
    const wire = await stand.wire();
    wire.send(get);
    expect(await wire.gets('first')).toBe(true);
    const ended = stand.nextObserved();
    wire.hangUp();
    expect(await ended).toBe('GET /bulk-export/users 499');
    expect([steps, stand.server.inFlight]).toEqual([['told', 'returned'], 0]);
  });

  test('that fails never looks complete, and the log states why', async () => {
    const cause = new Error('broken');
    const stand = await start({
      routes: [
        streamed(async function* () {
          yield await Promise.resolve('first');
          throw cause;
        }),
      ],
    });
    const wire = await stand.wire();
    expect(await wire.send(get).answer()).toBeUndefined();
    expect(wire.rest).not.toContain('\r\n0\r\n');
    expect(stand.logged).toMatchObject([{ err: cause, route: '/bulk-export/users' }]);
    expect(stand.server.inFlight).toBe(0);
  });

  test('that fails before its first piece is answered as any failure', async () => {
    const stand = await start({
      routes: [
        streamed(() => ({
          [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(new Refusal('DATABASE_UNAVAILABLE')) }),
        })),
      ],
    });
    const wire = await stand.wire();
    const answer = await wire.send(get).answer();
    expect([answer?.status, answer?.body]).toEqual([503, expect.stringContaining('DATABASE_UNAVAILABLE')]);
    expect((await wire.send(headOf('GET', jobsPath, {})).answer())?.status).toBe(200);
    expect(stand.logged).toEqual([]);
  });

  test('is cut when the core stops, so that a part is not taken for the whole', async () => {
    const stand = await start({
      routes: [
        streamed(async function* () {
          for (;;) {
            await turn();
            yield 'more ';
          }
        }),
      ],
    });
    const wire = await stand.wire();
    wire.send(get);
    expect(await wire.gets('more')).toBe(true);
    await stand.server.close();
    await wire.closed;
    expect(wire.rest).not.toContain('\r\n0\r\n');
  });
});
