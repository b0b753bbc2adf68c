import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadFrontEnd } from '../../src/http/front-ends/front-end.ts';
import type { NativeServer } from '../../src/http/front-ends/native.ts';
import { succession } from '../../src/http/front-ends/succession.ts';

const cause = new Error('No binary for this Node.\n\nRequire stack:\n- /usr/lib/uws.mjs');
const withoutBinary = () => Promise.reject(cause);

function recorder() {
  const lines: [object, string][] = [];
  return { lines, log: { warn: (details: object, message: string) => void lines.push([details, message]) } };
}

/** A server that records calls. @param failures the number of attempts to listen that fail */
function serverOf(failures = 0): NativeServer & { readonly calls: string[] } {
  const calls: string[] = [];
  return {
    calls,
    listen: (host, port) => {
      calls.push(`listen ${host}:${port}`);
      return failures-- > 0 ? Promise.reject(new Error('taken')) : Promise.resolve(port === 0 ? 4000 : port);
    },
    stopListening: () => void calls.push('stop'),
    close: () => void calls.push('close'),
  };
}

describe('the front end', () => {
  test('AUTO takes uWebSockets.js where it can be loaded', async () => {
    const { lines, log } = recorder();
    const uWebSockets = serverOf();
    const front = await loadFrontEnd('AUTO', log, { load: () => Promise.resolve(() => () => uWebSockets) });
    await front(() => undefined).listen('127.0.0.1', 81);
    expect([uWebSockets.calls, lines]).toEqual([['listen 127.0.0.1:81'], []]);
  });

  test('AUTO takes node:http elsewhere, and says so in one line of the log', async () => {
    const { lines, log } = recorder();
    expect(await loadFrontEnd('AUTO', log, { load: withoutBinary })).toBeTypeOf('function');
    expect(lines).toEqual([
      [
        {
          reason: 'No binary for this Node.',
          platform: `${process.platform} ${process.arch} with Node ${process.versions.node}`,
        },
        'uWebSockets.js cannot be loaded here, so node:http serves',
      ],
    ]);
  });

  test('that was asked for by name and is not there stops the start, with the cure', async () => {
    const { log } = recorder();
    await expect(loadFrontEnd('UWEBSOCKETS', log, { load: withoutBinary })).rejects.toMatchObject({
      name: 'StartupError',
      message: expect.stringMatching(
        /^uWebSockets\.js cannot be loaded on .*: set 'front_end' to NODE_HTTP or AUTO$/,
      ) as string,
      cause,
    });
  });

  test('of node:http loads no binary of uWebSockets.js', async () => {
    const file = fileURLToPath(new URL('../../src/core/core.ts', import.meta.url));
    const script = `
      import { loadFrontEnd } from '${new URL('../../src/http/front-ends/front-end.ts', import.meta.url).href}';
      await import('${file}');
      const loaded = () => process.report.getReport().sharedObjects.some((name) => name.includes('uws_'));
      await loadFrontEnd('NODE_HTTP', { warn: () => undefined });
      const before = loaded();
      await loadFrontEnd('UWEBSOCKETS', { warn: () => undefined });
      console.log(JSON.stringify([before, loaded()]));`;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).toEqual([false, true]);
  });
});

describe('a succession of front ends', () => {
  function prepare(failures = 0) {
    const [first, second] = [serverOf(), serverOf(failures)];
    const sent: { away: () => void } = { away: () => undefined };
    const { promise: changed, resolve } = Promise.withResolvers<unknown>();
    const front = succession(
      (onUnread) => {
        sent.away = onUnread;
        return () => first;
      },
      () => second,
      resolve,
    );
    return { first, second, sent, changed, server: front(() => undefined) };
  }

  test('listens once with the second, at the same address, and ends both', async () => {
    const { first, second, sent, changed, server } = prepare();
    expect(await server.listen('::1', 81)).toBe(81);
    sent.away();
    sent.away();
    expect(await changed).toBeUndefined();
    server.stopListening();
    server.close();
    expect(first.calls).toEqual(['listen ::1:81', 'stop', 'close']);
    expect(second.calls).toEqual(['listen ::1:81', 'stop', 'close']);
  });

  test('goes back to the first where the second cannot listen', async () => {
    const { first, second, sent, changed, server } = prepare(1);
    await server.listen('::1', 81);
    sent.away();
    expect(await changed).toMatchObject({ message: 'taken' });
    server.stopListening();
    expect(first.calls).toEqual(['listen ::1:81', 'stop', 'listen ::1:81', 'stop']);
    expect(second.calls).toEqual(['listen ::1:81']);
  });

  test('leaves nothing that listens when it is stopped in between', async () => {
    const { first, second, sent, server } = prepare();
    await server.listen('::1', 81);
    sent.away();
    // The change begins in the next turn, and this is between its two halves.
    await new Promise((resolve) =>
      setImmediate(() => {
        queueMicrotask(() => {
          resolve(undefined);
        });
      }),
    );
    server.stopListening();
    await expect.poll(() => second.calls.filter((call) => call === 'stop')).toEqual(['stop']);
    expect(first.calls).toEqual(['listen ::1:81', 'stop']);
  });
});
