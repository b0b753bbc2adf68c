/** Counts for the audit log: bounded in memory, one entry an hour for frequent acts of backends. */
import { describe, expect, it } from 'vitest';
import type { Act, ActEnd, AuditEntry, AuditStore } from '../../src/domain/access/act.ts';
import { CountedHours } from '../../src/process/audit/hours.ts';
import { Tally } from '../../src/process/audit/tally.ts';
import { AuditTrail } from '../../src/process/audit/trail.ts';

const act: Act = {
  appId: 'public',
  tenantId: 'public',
  who: 'shop',
  what: 'session.create',
  address: undefined,
  details: {},
};
const hourMs = 3_600_000;

/** Stores entries as the database would. */
class Table implements AuditStore {
  readonly entries = new Map<string, AuditEntry>();
  isAway = false;

  async put(entry: AuditEntry): Promise<void> {
    await this.#reach();
    this.entries.set(entry.id, entry);
  }

  async end(id: string, end: ActEnd): Promise<void> {
    await this.#reach();
    const entry = this.entries.get(id);
    if (entry) this.entries.set(id, { ...entry, ...end });
  }

  list(): Promise<readonly AuditEntry[]> {
    return Promise.resolve([...this.entries.values()]);
  }

  #reach(): Promise<void> {
    return this.isAway ? Promise.reject(new Error('away')) : Promise.resolve();
  }
}

function trailAt(table: Table) {
  const said: unknown[] = [];
  const warned: unknown[] = [];
  const log = {
    info: (details: object) => void said.push(details),
    warn: (details: object) => void warned.push(details),
    error: () => undefined,
  };
  const clock = { now: 100 * hourMs };
  const trail = new AuditTrail({ store: table, log, now: () => clock.now, flushMs: 1 });
  return { trail, said, warned, clock };
}

describe('acts counted by the hour', () => {
  it('are one entry, brought up to date, and one line of the log when the hour is over', async () => {
    const table = new Table();
    const { trail, said, clock } = trailAt(table);
    trail.countByHour(act, 'OK');
    await expect.poll(() => table.entries.size).toBe(1);
    clock.now += 1000;
    for (let n = 0; n < 2; n++) trail.countByHour(act, 'OK');
    await expect.poll(() => [...table.entries.values()].map(({ count }) => count)).toEqual([3]);
    const [entry] = table.entries.values();
    expect(entry).toMatchObject({ begunAt: 100 * hourMs, endedAt: 100 * hourMs + 1000, outcome: 'OK' });
    expect(said).toEqual([]);
    clock.now += hourMs;
    trail.countByHour(act, 'OK');
    await expect.poll(() => said).toEqual([expect.objectContaining({ audit: 'session.create', count: 3 })]);
    await trail.close();
    expect([...table.entries.values()].map(({ count }) => count)).toEqual([3, 1]);
    expect(said).toHaveLength(2);
  });

  it('are counted on while the database is away', async () => {
    const table = new Table();
    const { trail, warned } = trailAt(table);
    table.isAway = true;
    trail.countByHour(act, 'OK');
    await expect.poll(() => warned.length).toBeGreaterThan(0);
    trail.countByHour(act, 'OK');
    table.isAway = false;
    await trail.close();
    expect([...table.entries.values()].map(({ count }) => count)).toEqual([2]);
  });
});

describe('the number of kinds', () => {
  const kinds = (n: number, its: (place: number) => Partial<Act>) =>
    Array.from({ length: n }, (_, place) => ({ ...act, ...its(place) }));

  it('is bounded where callers choose address, app and tenant', () => {
    const tally = new Tally();
    const stranger = { who: 'unknown', what: 'key.refused' };
    const all = kinds(50_000, (n) => ({
      ...stranger,
      appId: `a${n}`,
      tenantId: `t${n}`,
      address: `10.0.0.${n}`,
    }));
    for (const each of all) tally.add(each, 'INVALID_API_KEY', { count: 1, at: 0 });
    const counted = [...tally.take()];
    expect(counted.length).toBeLessThan(2100);
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(50_000);
    expect(counted.at(-1)?.act).toMatchObject({ ...stranger, appId: '*', tenantId: '*' });
  });

  it('is bounded by the hour, too', () => {
    const hours = new CountedHours();
    for (const each of kinds(20_000, (n) => ({ appId: `a${n}`, who: `app:a${n}` }))) hours.add(each, 'OK', 0);
    const counted = hours.dirty();
    expect(counted.length).toBeLessThan(2100);
    expect(counted.reduce((sum, { count }) => sum + count, 0)).toBe(20_000);
    expect(counted.at(-1)?.act).toMatchObject({ appId: '*', who: 'app:*' });
  });
});
