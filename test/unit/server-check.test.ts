import { describe, expect, it } from 'vitest';
import { checkClock } from '../../src/database/server-check.ts';
import { failoverInWords, readFailover } from '../../src/database/failover.ts';
import type { Query } from '../../src/database/query.ts';

const answering = (row: () => object): { read: Query } => ({
  read: (() => Promise.resolve([row()])) as unknown as Query,
});

describe('the clock of the database', () => {
  it.each([
    [0, 0],
    [-5000, 5000],
    [119_000, -119_000],
  ])('%i ms from ours is accepted', async (ms, aheadMs) => {
    const ahead = await checkClock(answering(() => ({ ms: Date.now() + ms })));
    expect(Math.abs(ahead - aheadMs)).toBeLessThan(1000);
  });

  it.each([
    [300_000, /5 minutes behind that of the database: set both by NTP/],
    [-3_600_000, /60 minutes ahead of that of the database/],
  ])('%i ms from ours is refused', async (ms, message) => {
    await expect(checkClock(answering(() => ({ ms: Date.now() + ms })))).rejects.toThrow(message);
  });
});

describe('what a failover would lose', () => {
  const row = { commit: 'on', names: '', standbys: 0, synchronous: 0, lag: null, is_visible: true };
  it.each([
    [{}, 'NO_STANDBY', /No standby is connected/],
    [{ standbys: 1, lag: 4096 }, 'ASYNCHRONOUS', /4096 bytes.*set synchronous_standby_names/],
    [{ standbys: 1, names: '*', synchronous: 1 }, 'SYNCHRONOUS', /loses nothing/],
    [{ standbys: 1, names: 'two' }, 'WAITING', /'two'.*is connected, so no commit is answered/],
    // Without the right to see which standby is synchronous, it counts that one is connected.
    [{ standbys: 1, names: '*', is_visible: false }, 'SYNCHRONOUS', /loses nothing/],
    [{ names: '*', is_visible: false }, 'WAITING', /no commit is answered/],
    [{ standbys: 1, names: '*', synchronous: 1, commit: 'local' }, 'ASYNCHRONOUS', /it is local/],
    [{ standbys: 1, names: '*', synchronous: 1, commit: 'remote_write' }, 'ASYNCHRONOUS', /to on/],
    [{ standbys: 1, names: '*', synchronous: 1, commit: 'remote_apply' }, 'SYNCHRONOUS', /nothing/],
  ] as const)('with %j it is %s', async (given, state, words) => {
    const found = await readFailover(answering(() => ({ ...row, ...given })).read);
    expect(found.state).toBe(state);
    expect(failoverInWords(found)).toMatch(words);
  });
});
