import { register } from 'prom-client';
import { describe, expect, test } from 'vitest';
import { createMetrics } from '../../src/process/metrics/metrics.ts';

/** The lines of one metric, without its help. */
async function samples(metrics: { text(): Promise<string> }, name: string): Promise<string[]> {
  return (await metrics.text()).split('\n').filter((line) => line.startsWith(name));
}

describe('requests', () => {
  test('are counted by route, method and status', async () => {
    const metrics = createMetrics();
    const observer = metrics.request('/recipe/signin', 'POST');
    observer.done(200, 0.003);
    observer.done(200, 0.2);
    observer.done(401, 30);
    const expected = [
      'carryover_requests_total{route="/recipe/signin",method="POST",status="200"} 2',
      'carryover_requests_total{route="/recipe/signin",method="POST",status="401"} 1',
    ];
    expect(await samples(metrics, 'carryover_requests_total')).toEqual(expected);
    // A second scrape must not count them again.
    expect(await samples(metrics, 'carryover_requests_total')).toEqual(expected);
  });

  test('fall into cumulative buckets whose upper bound counts as inside', async () => {
    const metrics = createMetrics();
    const observer = metrics.request('/hello', 'GET');
    for (const seconds of [0.0005, 0.005, 0.0051, 99]) observer.done(200, seconds);
    const lines = await samples(metrics, 'carryover_request_duration_seconds');
    const of = (le: string) => lines.find((line) => line.includes(`le="${le}"`))?.split(' ')[1];
    expect(['0.001', '0.005', '0.01', '10', '+Inf'].map(of)).toEqual(['1', '2', '3', '3', '4']);
    expect(lines.filter((line) => !line.includes('_bucket'))).toEqual([
      expect.stringMatching(
        /^carryover_request_duration_seconds_sum\{route="\/hello",method="GET"\} 99\.0106/,
      ) as string,
      'carryover_request_duration_seconds_count{route="/hello",method="GET"} 4',
    ]);
  });

  test('of one route and method share one observer', () => {
    const metrics = createMetrics();
    expect(metrics.request('/a', 'GET')).toBe(metrics.request('/a', 'GET'));
    expect(metrics.request('/a', 'GET')).not.toBe(metrics.request('/a', 'POST'));
  });
});

test('batches are measured by operation, and their backlog is read at the scrape', async () => {
  const metrics = createMetrics();
  let waiting = 3;
  metrics.watchBacklog('signinup', () => waiting);
  metrics.batch('signinup', 40, 0.02);
  expect(await samples(metrics, 'carryover_batch_size_sum')).toEqual([
    'carryover_batch_size_sum{operation="signinup"} 40',
  ]);
  expect(await samples(metrics, 'carryover_batch_duration_seconds_count')).toEqual([
    'carryover_batch_duration_seconds_count{operation="signinup"} 1',
  ]);
  expect(await samples(metrics, 'carryover_batch_backlog')).toEqual([
    'carryover_batch_backlog{operation="signinup"} 3',
  ]);
  waiting = 0;
  expect(await samples(metrics, 'carryover_batch_backlog')).toEqual([
    'carryover_batch_backlog{operation="signinup"} 0',
  ]);
});

test('the hashing pool is asked at the scrape, its tasks are measured by kind', async () => {
  const metrics = createMetrics();
  expect(await samples(metrics, 'carryover_hashing_pool_waiting')).toEqual([
    'carryover_hashing_pool_waiting 0',
  ]);
  metrics.watchHashingPool(() => ({ running: 2, waiting: 5, bytes: 4096, threads: 4 }));
  metrics.poolTask('verify', 0.06);
  expect(await samples(metrics, 'carryover_hashing_pool')).toEqual([
    'carryover_hashing_pool_running 2',
    'carryover_hashing_pool_waiting 5',
    'carryover_hashing_pool_bytes 4096',
    'carryover_hashing_pool_threads 4',
  ]);
  expect(await samples(metrics, 'carryover_pool_task_duration_seconds_count')).toEqual([
    'carryover_pool_task_duration_seconds_count{kind="verify"} 1',
  ]);
});

test('imports are counted by kind and by outcome', async () => {
  const metrics = createMetrics();
  metrics.imported('bcrypt', 'new');
  metrics.imported('bcrypt', 'new', 99);
  metrics.imported('thirdparty', 'replaced');
  expect(await samples(metrics, 'carryover_imports_total')).toEqual([
    'carryover_imports_total{kind="bcrypt",outcome="new"} 100',
    'carryover_imports_total{kind="thirdparty",outcome="replaced"} 1',
  ]);
});

test("two sets of metrics share nothing, and the library's global registry stays empty", async () => {
  const [one, other] = [createMetrics(), createMetrics()];
  one.imported('argon2', 'new');
  expect(await samples(other, 'carryover_imports_total{')).toEqual([]);
  expect(register.getMetricsAsArray()).toEqual([]);
});

test('the process is watched, and the text says what it is', async () => {
  const metrics = createMetrics();
  const text = await metrics.text();
  for (const name of ['nodejs_eventloop_lag_seconds', 'process_resident_memory_bytes', 'process_open_fds'])
    expect(text).toContain(`\n${name} `);
  expect(metrics.contentType).toMatch(/^text\/plain; version=0\.0\.4/);
});
