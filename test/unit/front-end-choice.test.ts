import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { loadFrontEnd } from '../../src/http/front-ends/front-end.ts';

const cause = new Error('No binary for this Node.\n\nRequire stack:\n- /usr/lib/uws.mjs');
const withoutBinary = () => Promise.reject(cause);

function recorder() {
  const lines: [object, string][] = [];
  return { lines, log: { warn: (details: object, message: string) => void lines.push([details, message]) } };
}

describe('the front end', () => {
  test('AUTO takes uWebSockets.js where it can be loaded', async () => {
    const { lines, log } = recorder();
    const loaded = () => ({
      listen: () => Promise.resolve(1),
      stopListening: () => undefined,
      close: () => undefined,
    });
    expect(await loadFrontEnd('AUTO', log, { load: () => Promise.resolve(loaded) })).toBe(loaded);
    expect(lines).toEqual([]);
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
