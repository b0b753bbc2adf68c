/** The command as a separate process, stopped as a person stops it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** @param endless the scenario's code once it has a separate process, `child` */
const program = (endless: string) => `
  import { spawn } from 'node:child_process';
  import { once } from 'node:events';
  import { bench } from '${root}bench/bench.ts';
  import { benchContext } from '${root}test/helpers/bench.ts';

  const start = () => spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)']);
  const print = (line) => process.stdout.write(line + '\\n');
  const endless = {
    name: 'endless',
    about: '',
    run: async ({ say }) => {
      const child = start();
      try {
        print('pid ' + child.pid);
        ${endless}
      } finally {
        print('tidied');
      }
    },
  };
  const next = { name: 'next', about: 'the next', run: () => Promise.resolve([]) };
  process.exit(await bench({ ...benchContext([endless, next], []).context, print }));
`;

function run(endless: string) {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program(endless)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const lines: string[] = [];
  const begun = Promise.withResolvers<number>();
  createInterface(child.stdout).on('line', (line) => {
    lines.push(line);
    const pid = /^pid (\d+)$/.exec(line)?.[1];
    if (pid !== undefined) begun.resolve(Number(pid));
  });
  const ended = once(child, 'close').then(([code]) => code as number | null);
  return { child, lines, begun: begun.promise, ended };
}

const exists = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

describe('a run that is stopped', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)(
    'by %s ends its processes, lets the scenario tidy up, and runs no other one',
    async (signal) => {
      const { child, lines, begun, ended } = run(`await once(child, 'exit'); throw new Error('ended early')`);
      const pid = await begun;
      child.kill(signal);
      expect(await ended).toBe(130);
      expect(lines.slice(-2)).toEqual(['tidied', 'stopped']);
      expect(lines.join('\n')).not.toMatch(/FAILED|the next/);
      expect(exists(pid)).toBe(false);
    },
  );

  it('ends processes that a scenario starts afterwards', async () => {
    const { child, lines, begun, ended } = run(`
      await once(child, 'exit');
      const later = start();
      await once(later, 'exit');
      print('later ended');
    `);
    await begun;
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(lines.slice(-3)).toEqual(['later ended', 'tidied', 'stopped']);
  });

  it('lets the scenario tidy up also when a promise fails that it does not wait for', async () => {
    const { child, lines, begun, ended } = run(`
      void once(child, 'exit').then(() => Promise.reject(new Error('nobody hears this')));
      await once(child, 'exit');
      await new Promise((resolve) => setTimeout(resolve, 10));
    `);
    await begun;
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(lines.slice(-2)).toEqual(['tidied', 'stopped']);
  });

  it('throws where a scenario says something', async () => {
    const { child, lines, begun, ended } = run(`
      await once(child, 'exit');
      for (;;) say('never printed');
    `);
    await begun;
    child.kill('SIGINT');
    expect(await ended).toBe(130);
    expect(lines).not.toContain('  never printed');
  });

  it('ends at once at a second signal, a while later', async () => {
    const { child, lines, begun, ended } = run(`await new Promise(() => setInterval(() => undefined, 1000))`);
    await begun;
    const insisting = setInterval(() => child.kill('SIGINT'), 50);
    expect(await ended).toBe(130);
    clearInterval(insisting);
    expect(lines).not.toContain('tidied');
    expect(lines.filter((line) => line.startsWith('stopping'))).toHaveLength(1);
  });
});

describe('a promise that fails while no caller waits for it', () => {
  const careless = (then: string) => `
    child.kill();
    await once(child, 'exit');
    void Promise.reject(new Error('nobody hears this'));
    await new Promise(setImmediate);
    ${then}
  `;

  it('fails its scenario, and neither the others nor the program', async () => {
    const { lines, ended } = run(careless('return [];'));
    expect(await ended).toBe(1);
    const text = lines.join('\n');
    expect(text.match(/FAILED.*/g)).toEqual(['FAILED: Error: nobody hears this']);
    expect(text).toMatch(/FAILED[^]*next: the next\n[^]* in all$/);
  });

  it('does not fail the next scenario when its own has failed anyway', async () => {
    const { lines, ended } = run(careless(`throw new Error('something else')`));
    expect(await ended).toBe(1);
    expect(lines.join('\n').match(/FAILED.*/g)).toEqual(['FAILED: Error: something else']);
  });
});
