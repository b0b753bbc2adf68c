import { describe, expect, test } from 'vitest';
import { listMaxAgeSeconds, needsNewKey, signingKeyOf } from '../../src/features/sessions/keys/rotation.ts';

const hourMs = 3_600_000;
const times = { intervalMs: 168 * hourMs, accessTokenValidityMs: hourMs };
const now = Date.parse('2026-01-01T00:00:00Z');
/** Made while the clock was 400 days ahead. */
const future = { createdAt: now + 400 * 24 * hourMs };
const today = { createdAt: now - hourMs };

describe('a key that a clock of the future has made', () => {
  test('is due at once, and signs nothing once there is another', () => {
    expect(needsNewKey([future], now, times)).toBe(true);
    expect(signingKeyOf([future], now, times)).toBeUndefined();
    expect(needsNewKey([future, today], now, times)).toBe(false);
    expect(signingKeyOf([future, today], now, times)).toBe(today);
    expect(listMaxAgeSeconds([future, today], now, times)).toBeLessThan(168 * 3600);
  });

  test('is not due where clocks differ by minutes', () => {
    const near = { createdAt: now + 120_000 };
    expect(needsNewKey([near], now, times)).toBe(false);
    expect(signingKeyOf([near], now, times)).toBe(near);
  });
});
