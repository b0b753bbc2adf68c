import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cluster, startCluster } from '../../bench/load/cluster.ts';

describe('a phase of a load scenario', () => {
  let cluster: Cluster;
  beforeAll(async () => {
    cluster = await startCluster(1);
  });
  afterAll(() => cluster.stop());

  const launchers = () =>
    cluster.database.read<{ pid: number }>(
      `select pid from pg_stat_activity where backend_type = 'autovacuum launcher'`,
    );

  it("begins with autovacuum's clock set again, or without it, whatever was before", async () => {
    await cluster.reset();
    const [first] = await launchers();
    await cluster.reset();
    const [second] = await launchers();
    expect(first).toBeDefined();
    expect(second).toBeDefined();
    expect(second).not.toEqual(first);
    await cluster.reset(false);
    expect(await launchers()).toEqual([]);
    await cluster.reset(false);
    expect(await launchers()).toEqual([]);
    await cluster.reset();
    expect(await launchers()).toHaveLength(1);
  });
});
