/** `npm run demo -- --console`: something to look at, and nothing left behind. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const demo = fileURLToPath(new URL('../../examples/demo.ts', import.meta.url));

test('imports 20,000 made-up people, starts a move, signs some in, and ends with Ctrl-C', async () => {
  const child = spawn(process.execPath, [demo, '--console'], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit');
  let printed = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await expect.poll(() => printed, { timeout: 240_000 }).toContain('Ctrl-C');
  const [, url = ''] = /(http:\/\/127\.0\.0\.1:\d+)\/console/.exec(printed) ?? [];
  const [, key = ''] = /API key\s+(\S+)/.exec(printed) ?? [];
  const ask = async (path: string) => {
    const response = await fetch(`${url}${path}`, { headers: { 'api-key': key } });
    return (await response.json()) as Record<string, unknown>;
  };
  expect(await ask('/users/count')).toMatchObject({ count: 19_775 });
  expect(await ask('/move/status')).toMatchObject({ stage: 'rehearsing' });
  await expect
    .poll(async () => {
      const { spans } = await ask('/console/morning');
      return (spans as { right: number }[]).reduce((sum, { right }) => sum + right, 0);
    })
    .toBeGreaterThan(0);
  child.kill('SIGINT');
  expect(await ended).toEqual([0, null]);
});
