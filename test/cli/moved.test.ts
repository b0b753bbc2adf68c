/** Progress of a backup or a restore as displayed. */
import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { movedLines } from '../../src/cli/output/moved.ts';

function watched() {
  const output = new PassThrough();
  const clock = { now: 0 };
  const lines = movedLines(output, () => clock.now);
  const printed = (): string => (output.read() as Buffer | null)?.toString() ?? '';
  return { lines, clock, printed };
}

test('is a line every few seconds, with a share where the whole is known', () => {
  const { lines, clock, printed } = watched();
  lines({ bytes: 1, total: 100, table: 'apps' });
  expect(printed()).toBe('');
  clock.now = 5000;
  lines({ bytes: 2_097_152, total: 8_388_608, table: 'users' });
  lines({ bytes: 3_145_728, total: 8_388_608, table: 'users' });
  expect(printed()).toBe('25% of about 8.0 MiB, in users\n');
  clock.now = 10_000;
  lines({ bytes: 2_097_152, total: undefined, table: 'identities' });
  expect(printed()).toBe('2.0 MiB, in identities\n');
});

test('is not said to be all while it goes on', () => {
  const { lines, clock, printed } = watched();
  clock.now = 6000;
  lines({ bytes: 200, total: 100, table: 'users' });
  expect(printed()).toBe('99% of about 100 B, in users\n');
});
