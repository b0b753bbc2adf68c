import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { describe, expect, it } from 'vitest';
import { kindOf, madeUpMix } from '../../src/load/made-up.ts';
import type { LoadResult } from '../../bench/load/client/job.ts';
import { Tally } from '../../src/load/tally.ts';
import { addCpu, cpuPlot, watchCpu } from '../../bench/load/cpu.ts';
import { growthPlot, type Sample, throughputPlot } from '../../bench/load/upload.ts';
import { inTimeMsOf, measuredInTime } from '../../bench/load/latencies.ts';
import { percentilesPlot } from '../../bench/load/latencies.ts';
import { inTimeOf, latenciesOf, middleOf, phasesOf } from '../../bench/load/latencies.ts';
import { verifyRaw } from '../../bench/scenarios/sign-ins/sign-in.ts';
import { judge } from '../../bench/scenarios/sign-ins/storm.ts';
import { growthOf } from '../../bench/scenarios/sign-ins/soak.ts';

describe('a tally', () => {
  it('has percentiles to three digits of what went well, and only of that', () => {
    const tally = new Tally();
    for (let ms = 1; ms <= 1000; ms++) tally.add('OK', ms);
    for (let n = 0; n < 1000; n++) tally.add('503', 0.1);
    const { latencyMs, outcomes } = tally.toJSON();
    expect(outcomes).toEqual({ OK: 1000, 503: 1000 });
    for (const [percentile, ms] of [
      ['p50', 500],
      ['p90', 900],
      ['p99', 990],
      ['p999', 999],
      ['max', 1000],
    ] as const) {
      expect(latencyMs[percentile] / ms).toBeCloseTo(1, 2);
    }
  });

  it('reports the share of all answers that were right and in time', () => {
    const tally = new Tally(10);
    for (const ms of [1, 10, 10.1, 500]) tally.add('OK', ms);
    for (let n = 0; n < 4; n++) tally.add('503', 1);
    expect(tally.toJSON().inTime).toBe(2 / 8);
    const unlimited = new Tally();
    unlimited.add('OK', 1e9);
    expect(unlimited.toJSON().inTime).toBe(1);
  });

  it('takes more than an hour for an hour, and less than nothing for a microsecond', () => {
    const tally = new Tally();
    tally.add('OK', -1);
    tally.add('OK', 1e9);
    expect(tally.toJSON().latencyMs.p50).toBe(0.001);
    expect(tally.toJSON().latencyMs.max / 3_600_000).toBeCloseTo(1, 2);
  });
});

describe.runIf(process.platform === 'linux')('the CPU split', () => {
  /** Computes until this amount of the thread's own time is used. */
  const burn = `
    const spentMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
    const from = spentMs();
    while (spentMs() - from < 200);`;

  it('gives other threads than the main one to the workers, also when they have ended', async () => {
    const split = watchCpu(process.pid, process.pid);
    const worker = new Worker(burn, { eval: true });
    await once(worker, 'exit');
    expect(split(0).coreWorkers).toBeGreaterThanOrEqual(0.15);
  });

  it('takes what the client says, and adds rounds up', () => {
    const one = { coreMain: 1, coreWorkers: 2, postgres: 3, client: 4 };
    expect(watchCpu(process.pid, process.pid)(7)).toMatchObject({ client: 7 });
    expect(addCpu([one, one])).toEqual({ coreMain: 2, coreWorkers: 4, postgres: 6, client: 8 });
  });

  it('is drawn in µs for each visit', () => {
    const { series } = cpuPlot('bulk', { coreMain: 1, coreWorkers: 2, postgres: 3, client: 4 }, 100_000);
    expect(series.map(({ points }) => points)).toEqual([
      [['bulk', 10]],
      [['bulk', 20]],
      [['bulk', 30]],
      [['bulk', 40]],
    ]);
  });
});

describe('the course of an import', () => {
  const samples: readonly Sample[] = [
    { users: 0, seconds: 0, memoryMb: 100 },
    { users: 1000, seconds: 1, memoryMb: 100 },
    { users: 1500, seconds: 1.1, memoryMb: 100 },
    { users: 4000, seconds: 2, memoryMb: 100 },
  ];

  it('is a rate over time, of samples that lie far enough apart', () => {
    expect(throughputPlot('some', samples).series).toEqual([
      {
        name: 'some',
        points: [
          [1, 1000],
          [2, 3000],
        ],
      },
    ]);
  });

  it('is a rate over users stored', () => {
    const [series] = growthPlot('some', samples).series;
    expect(series?.points).toEqual([
      [1000, 1000],
      [1500, 5000],
      [4000, 2778],
    ]);
  });

  it('has no points without samples', () => {
    expect(throughputPlot('some', []).series[0]?.points).toEqual([]);
  });
});

describe('percentiles', () => {
  it('are a curve for each result, up to the longest', () => {
    const latencyMs = { p50: 1, p75: 2, p90: 3, p95: 4, p99: 5, p999: 6, max: 7 };
    const [series] = percentilesPlot({ some: { latencyMs } }).series;
    expect(series?.name).toBe('some');
    expect(series?.points.at(0)).toEqual([50, 1]);
    expect(series?.points.at(-1)).toEqual([100, 7]);
  });

  it('of slices are each those of the middle one', () => {
    const slice = (p50: number, p99: number) => ({ p50, p75: 0, p90: 0, p95: 0, p99, p999: 100, max: 100 });
    const middle = middleOf([slice(1, 9), slice(3, 5), slice(2, 70)]);
    expect(middle).toMatchObject({ p50: 2, p99: 9, max: 100 });
  });
});

describe('slices of time', () => {
  it('come behind a warm-up that does not count', () => {
    const phases = phasesOf(7, { warmUpSeconds: 2, seconds: 3, count: 2 });
    expect(phases).toEqual([2, 3, 3].map((seconds) => ({ rate: 7, seconds })));
    const tallied = phases.map((phase, n) => ({
      ...phase,
      arrived: 1,
      outcomes: {},
      latencyMs: { p50: n, p75: n, p90: n, p95: n, p99: n, p999: n, max: n },
      inTime: n / 2,
    }));
    expect(latenciesOf({ phases: tallied }).map(({ p50 }) => p50)).toEqual([1, 2]);
    expect(inTimeOf({ phases: tallied })).toEqual([0.5, 1]);
  });
});

describe('a bound on p99 against that at rest', () => {
  const slices = (...p99s: number[]) =>
    p99s.map((p99) => ({ p50: 0, p75: 0, p90: 0, p95: 0, p99, p999: 0, max: 0 }));
  const facts = { name: 'some', times: 2, details: { rate: 7 } };

  it('is a time, from the middle slice at rest', () => {
    expect(inTimeMsOf(slices(9, 5, 70), 1.5)).toBe(13.5);
  });

  it('is kept as long as 99 % of the middle slice are in time', () => {
    const found = { atRest: slices(4, 5, 6), beside: slices(9, 20, 10) };
    const kept = measuredInTime(facts, { ...found, inTime: [1, 0.99, 0.5] });
    expect(kept).toMatchObject({ value: 990, referenceValue: 990, ratio: 1, atLeast: 1 });
    expect(kept.details).toEqual({ rate: 7, p99Ms: { atRest: 5, beside: 10 }, p99Times: 2 });
    expect(measuredInTime(facts, { ...found, inTime: [1, 0.98, 0.5] }).ratio).toBeLessThan(1);
  });
});

describe('the growth of what is held', () => {
  it('is that of the medians of its first and its last third', () => {
    const seen = Array.from({ length: 100 }, (_, n) => ({ seconds: n, memoryMb: 100 + n }));
    // A single moment is not decisive.
    const seenWithPeak = seen.map((held, n) => (n === 5 ? { ...held, memoryMb: 1000 } : held));
    const { early, late, perHour } = growthOf(seenWithPeak);
    expect([early, late]).toEqual([117.5, 182.5]);
    expect(perHour).toBeCloseTo((65 / 66) * 3600, 6);
  });
});

describe('the mix of hashes', () => {
  it('has its shares in any ten people', () => {
    for (const from of [0, 3, 17]) {
      const ten = Array.from({ length: 10 }, (_, n) => kindOf(from + n));
      expect(ten.filter((kind) => kind === 'bcrypt')).toHaveLength(5);
      expect(ten.filter((kind) => kind === 'argon2id')).toHaveLength(3);
    }
  });

  it('is verified by the libraries alone, which refuse no user', async () => {
    const { perSecond, msOf } = await verifyRaw(madeUpMix, 1, 0);
    expect(perSecond).toBeGreaterThan(0);
    expect(Object.values(msOf).every((ms) => ms > 0)).toBe(true);
  });
});

describe('a storm', () => {
  const latencyMs = { p50: 1, p75: 2, p90: 3, p95: 4, p99: 5, p999: 6, max: 7 };
  const moment = (seconds: number, arrived: number, ok: number, failed: number, turnedAway: number) => ({
    seconds,
    arrived,
    ok,
    failed,
    turnedAway,
  });
  const load: LoadResult = {
    perSecond: 0,
    seconds: 30,
    failed: 100,
    cpuSeconds: 0,
    cpuShare: 0,
    outcomes: { OK: 1500, 503: 100 },
    latencyMs,
    refusalMs: { ...latencyMs, p99: 12 },
    inTime: 15 / 16,
    phases: [
      {
        rate: 120,
        seconds: 10,
        arrived: 1200,
        outcomes: { OK: 900, 503: 300 },
        latencyMs,
        inTime: 0.75,
      },
      { rate: 20, seconds: 20, arrived: 400, outcomes: { OK: 400 }, latencyMs, inTime: 1 },
    ],
    timeline: [
      moment(5, 600, 200, 0, 0),
      moment(10, 1200, 400, 300, 500),
      moment(10.1, 1202, 404, 300, 502),
      moment(20, 1400, 1100, 300, 600),
      moment(30, 1600, 1300, 300, 600),
    ],
  };

  it('is judged by what was done while it lasted, and by when no client was turned away any more', () => {
    const { goodput, details } = judge(load, 40);
    expect(goodput).toBe(40);
    expect(details).toMatchObject({
      shareAnswered: 0.75,
      p99MsOfTheAnswered: 5,
      refusalP99Ms: 12,
      recoveredAfterSeconds: 10,
    });
  });

  it('is over at once if no client was turned away after it', () => {
    const timeline = load.timeline.map((each) => ({ ...each, turnedAway: 0 }));
    expect(judge({ ...load, timeline }, 40).details.recoveredAfterSeconds).toBe(0);
  });
});
