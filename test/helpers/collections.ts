/** Counts full garbage collections while buffers are made and dropped as by an import: prints the number and ends. */
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { letHeapsGrow } from '../../src/process/heap-growth.ts';

const buffers = 600;
const bufferBytes = 1_048_576;
const underWay = 8;

if (process.argv[2] === 'grow') letHeapsGrow();
let collections = 0;
const observer = new PerformanceObserver((list) => {
  // The types leave out `kind`.
  const entries = list.getEntries() as unknown as { readonly detail: { readonly kind: number } }[];
  const whole = entries.filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
  collections += whole.length;
});
observer.observe({ entryTypes: ['gc'] });
// Some 15 MB of live objects, as the core has.
const live = Array.from({ length: 150_000 }, (_, n) => ({ n, text: `object ${n}` }));
const held: Buffer[] = [];
for (let n = 0; n < buffers; n++) {
  held[n % underWay] = Buffer.alloc(bufferBytes, 1);
  // The event loop mostly waits for the next one.
  await delay(1);
}
process.stdout.write(JSON.stringify({ collections, live: live.length }));
