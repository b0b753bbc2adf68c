import { vi } from 'vitest';

/**
 * Waits until a check passes, as long as `expect.poll` does: however busy the machine is.
 * @param everyMs for checks that change something themselves, or must see a short moment
 */
export function eventually<Value>(check: () => Value | Promise<Value>, everyMs = 50): Promise<Value> {
  return vi.waitFor(check, { timeout: 60_000, interval: everyMs });
}
