/**
 * Latencies as counts, to three digits, in the buckets of an HDR histogram (Tene, hdrhistogram.org). Unlike Node's it can be written
 * down, read again and added up, so that percentiles of several machines are those of all their visits.
 */

/** µs and count of each bucket that has any, ascending: a bucket is named by its highest time. */
export type Times = readonly (readonly [us: number, count: number])[];

/** An hour in µs: longer than any run waits. */
const highest = 3_600_000_000;
/** Times up to 2^11 µs are exact; above, a power of two has 2^10 buckets. */
const exactBits = 11;

export class Histogram {
  readonly #counts = new Map<number, number>();
  #count = 0;

  static of(times: Times): Histogram {
    const histogram = new Histogram();
    histogram.add(times);
    return histogram;
  }

  /** The number of latencies. */
  get count(): number {
    return this.#count;
  }

  /** Anything under a microsecond counts as one, and more than an hour as an hour. */
  record(ms: number): void {
    this.#put(bucketOf(Math.min(highest, Math.max(1, Math.round(ms * 1000)))), 1);
  }

  add(times: Times): void {
    for (const [us, count] of times) this.#put(bucketOf(us), count);
  }

  times(): Times {
    return [...this.#counts].sort(([a], [b]) => a - b);
  }

  /** @param percentiles from 0 to 100, ascending @returns the ms of each; 0 without any latency */
  percentilesMs(percentiles: readonly number[]): number[] {
    const buckets = this.times().values();
    let reached = 0;
    let last = 0;
    return percentiles.map((percentile) => {
      const rank = Math.max(1, Math.round((percentile / 100) * this.#count));
      while (reached < rank) {
        const { value, done } = buckets.next();
        if (done === true) break;
        last = value[0];
        reached += value[1];
      }
      return last / 1000;
    });
  }

  #put(bucket: number, count: number): void {
    this.#counts.set(bucket, (this.#counts.get(bucket) ?? 0) + count);
    this.#count += count;
  }
}

/** @param us a whole number from 1 to 2^32 - 1 @returns the highest time of its bucket */
function bucketOf(us: number): number {
  const width = 2 ** Math.max(0, 32 - Math.clz32(us) - exactBits);
  return Math.floor(us / width) * width + width - 1;
}
