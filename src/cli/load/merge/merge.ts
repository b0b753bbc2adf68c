/** The results of several machines as that of one which had sent all of the load. Plain arithmetic over figures. */

import type { ClientUse } from '../../../load/client-use.ts';
import { Histogram, type Times } from '../../../load/histogram.ts';
import { begunAfter, refusedAfter } from '../../../load/open-loop.ts';
import { sumOf } from '../../../load/tally.ts';
import type { CoreUse } from '../cores/watch.ts';
import type { Second } from '../course.ts';
import { judged, type Measured } from '../measure.ts';
import { type Machine, machineOf, type Report } from '../report/report.ts';
import { foundAt } from '../run.ts';
import type { Part } from './part.ts';

/** @param parts of one load, each once, in the order of their shares */
export function merged(parts: readonly [Part, ...Part[]]): Omit<Report, 'limits'> {
  const [{ asked, rate, version }] = parts;
  const results = parts.map(({ result }) => result);
  const shown = judged(addedUp(results, parts), asked.asked.bounds);
  const missing = parts.map(({ metricsMissing }) => metricsMissing);
  return {
    version,
    asked: { ...asked, asked: { ...asked.asked, share: { part: 1, of: 1 } } },
    loaded: {
      ...foundAt(rate, shown),
      metricsMissing: missing.every((each) => each !== undefined) ? missing[0] : undefined,
      filled: {
        users: sum(parts, ({ filled }) => filled.users),
        rejected: sum(parts, ({ filled }) => filled.rejected),
      },
      importedMeanwhile: sum(parts, ({ importedMeanwhile }) => importedMeanwhile),
    },
    startedAt: Math.min(...parts.map(({ startedAt }) => startedAt)),
    machines: parts.map(machineIn),
  };
}

function machineIn({ result, app, file, asked }: Part): Machine {
  return machineOf(result, { app, file, share: asked.asked.share });
}

function addedUp(
  results: readonly Measured[],
  parts: readonly Part[],
): Omit<Measured, 'perSecond' | 'refused' | 'broken'> {
  const names = new Set(results.flatMap(({ actions }) => Object.keys(actions)));
  const timesOf = (of: (each: Measured) => Times): Histogram => Histogram.of(results.flatMap(of));
  return {
    ...sumOf(results),
    rate: sum(results, ({ rate }) => rate),
    seconds: Math.max(...results.map(({ seconds }) => seconds)),
    arrived: sum(results, ({ arrived }) => arrived),
    attempts: sum(results, ({ attempts }) => attempts),
    retries: sum(results, ({ retries }) => retries),
    turnedAway: sum(results, ({ turnedAway }) => turnedAway),
    ...refusedAfter(timesOf(({ refusalTimes }) => refusalTimes)),
    ...begunAfter(timesOf(({ behindTimes }) => behindTimes)),
    actions: Object.fromEntries(
      Array.from(names, (name) => [name, sumOf(results.flatMap(({ actions }) => actions[name] ?? []))]),
    ),
    course: courseOfAll(results),
    client: busiest(results.map(({ client }) => client)),
    clientLimits: parts.flatMap(({ asked, result }) => {
      const { part, of } = asked.asked.share;
      return result.clientLimits.map((limit) => `machine ${part}/${of}: ${limit}`);
    }),
    cores: coresOfAll(results),
    isCutShort: results.some(({ isCutShort }) => isCutShort),
  };
}

/** All began at the same moment. */
function courseOfAll(results: readonly Measured[]): Second[] {
  const all = Map.groupBy(
    results.flatMap(({ course }) => course),
    ({ second }) => second,
  );
  return [...all]
    .sort(([a], [b]) => a - b)
    .map(([second, each]) => ({
      second,
      ok: sum(each, ({ ok }) => ok),
      notOk: sum(each, ({ notOk }) => notOk),
      waiting: sum(each, ({ waiting }) => waiting),
    }));
}

/** CPU of all; of the rest that of the busiest. */
function busiest(clients: readonly ClientUse[]): ClientUse {
  return {
    cpuSeconds: sum(clients, ({ cpuSeconds }) => cpuSeconds),
    cpuShare: Math.max(...clients.map(({ cpuShare }) => cpuShare)),
    lagMs: Math.max(...clients.map(({ lagMs }) => lagMs)),
  };
}

/** The same cores, which each machine has asked over the same time. */
function coresOfAll(results: readonly Measured[]): CoreUse[] {
  const byId = Map.groupBy(
    results.flatMap(({ cores }) => cores),
    ({ id }) => id,
  );
  return Array.from(byId.values(), (seen, n) => ({ ...coreOf(seen), name: `core ${n + 1}` }));
}

/** The mean of averages; of all else what was the most for any machine. */
function coreOf(seen: readonly CoreUse[]): CoreUse {
  const most = (of: (each: CoreUse) => number): number => Math.max(...seen.map(of));
  const mean = (of: (each: CoreUse) => number): number => sum(seen, of) / seen.length;
  return {
    id: seen[0]?.id ?? '',
    name: '',
    threads: most(({ threads }) => threads),
    threadsBusy: mean(({ threadsBusy }) => threadsBusy),
    threadsMost: most(({ threadsMost }) => threadsMost),
    waiting: most(({ waiting }) => waiting),
    hashingMb: most(({ hashingMb }) => hashingMb),
    hashingBudgetMb: seen.find(({ hashingBudgetMb }) => hashingBudgetMb !== undefined)?.hashingBudgetMb,
    batchMs: mean(({ batchMs }) => batchMs),
    backlog: most(({ backlog }) => backlog),
    lagMs: most(({ lagMs }) => lagMs),
    cpu: mean(({ cpu }) => cpu),
    memoryMb: most(({ memoryMb }) => memoryMb),
    refused: most(({ refused }) => refused),
  };
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
