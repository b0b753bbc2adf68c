/** Files in shapes other than the usual one of their format, as the command imports them. */
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { type FakeTus, startFakeTus } from '../helpers/tus-server.ts';

let tus: FakeTus;
let place: Place;

beforeEach(async () => {
  [tus, place] = await Promise.all([startFakeTus(), makePlace()]);
});

afterEach(async () => {
  await Promise.all([tus.stop().catch(() => undefined), place.remove()]);
});

const importing = (...args: string[]): string[] => ['import', '--yes', ...args, '--url', tus.url];
const sent = (): string => tus.jobs.at(-1)?.committed.toString('utf8') ?? '';
const users = (): unknown[] =>
  sent()
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);
const sample = (name: string): string =>
  path.join(fileURLToPath(new URL('../exports/files/', import.meta.url)), name);

describe('the native format', () => {
  it('as CSV with the names of the record is converted, named or not', async () => {
    const expected = ['kin0@example.com', 'kin1@example.com'].map(
      (email, n) =>
        expect.objectContaining({
          externalUserId: `kp_${n}`,
          loginMethods: [expect.objectContaining({ email, isVerified: true })],
        }) as unknown,
    );
    for (const named of [[], ['--from', 'native']]) {
      const { code } = await place.run(importing(sample('native.csv'), ...named));
      expect({ code, users: users() }).toEqual({ code: 0, users: expected });
    }
  });

  it('as lines goes out as it is, also where the first line is damaged', async () => {
    for (const text of ['{"loginMethods":[}\n{"loginMethods":[]}\n', 'nonsense\n{"loginMethods":[]}\n']) {
      await place.write('lines.ndjson', text);
      await place.run(importing('lines.ndjson', '--from', 'native'));
      expect(sent()).toBe(text);
    }
  });
});
