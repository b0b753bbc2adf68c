import { monitorEventLoopDelay } from 'node:perf_hooks';

/** What the load generator itself used. */
export interface ClientUse {
  readonly cpuSeconds: number;
  /** Share of one CPU core: near 1 means that it was the limit, not the core under test. */
  readonly cpuShare: number;
  /** How late its event loop was, p99, ms. */
  readonly lagMs: number;
}

/** Begins to measure. @returns a function that ends it */
export function watchClient(): () => ClientUse {
  const cpuBefore = process.cpuUsage();
  const startedAt = performance.now();
  const delays = monitorEventLoopDelay({ resolution: resolutionMs });
  delays.enable();
  return () => {
    delays.disable();
    const { user, system } = process.cpuUsage(cpuBefore);
    const cpuSeconds = (user + system) / 1e6;
    const lagMs = Math.max(0, delays.percentile(99) / 1e6 - resolutionMs);
    return { cpuSeconds, cpuShare: (cpuSeconds * 1000) / (performance.now() - startedAt), lagMs };
  };
}

const resolutionMs = 10;
/** Above this share of one CPU core the generator is the limit, not the server under test. */
const saturatedAbove = 0.9;
/** If the p99 of its delay exceeds this, the visits are not those that were planned. */
const lateAboveMs = 50;

/** @param behindMs how late visits began, p99 @returns why the figures may be the client's own, a sentence each; empty if they are not */
export function clientLimits({ cpuShare }: Pick<ClientUse, 'cpuShare'>, behindMs: number): string[] {
  return [
    ...(cpuShare > saturatedAbove
      ? [`the load generator used ${cpuShare.toFixed(2)} of a core: it may be the limit`]
      : []),
    ...(behindMs > lateAboveMs
      ? [`the load generator was ${behindMs.toFixed(0)} ms behind (p99): it may be the limit`]
      : []),
  ];
}
