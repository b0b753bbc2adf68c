/** A busy machine makes a core refuse some visits: the run continues, and counts them. */
import { expect, test } from 'vitest';
import { refusedForNow } from '../../bench/load/run-load.ts';

test.each([
  ['a few that had no room', { OK: 7692, 503: 308 }, 308],
  ['both kinds of them', { OK: 95, 503: 3, 429: 2 }, 5],
  ['too many', { OK: 80, 503: 20 }, undefined],
  ['a wrong answer', { OK: 99, 500: 1 }, undefined],
  ['a wrong answer among them', { OK: 97, 503: 2, WRONG_CREDENTIALS_ERROR: 1 }, undefined],
])('%s', (_what, outcomes, refused) => {
  expect(refusedForNow(outcomes)).toBe(refused);
});
