/** How often a heap is collected as a whole while buffers come and go as those of an import do: says it and ends. */
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { letHeapsGrow } from '../../src/process/heap-growth.ts';

const buffers = 600;
const bufferBytes = 1_048_576;
const underWay = 8;

if (process.argv[2] === 'grow') letHeapsGrow();
let collections = 0;
const observer = new PerformanceObserver((list) => {
  // What `kind` is of, the types leave out.
  const entries = list.getEntries() as unknown as { readonly detail: { readonly kind: number } }[];
  const whole = entries.filter(({ detail }) => detail.kind === constants.NODE_PERFORMANCE_GC_MAJOR);
  collections += whole.length;
});
observer.observe({ entryTypes: ['gc'] });
// Some 15 MB that live, as the core's own objects do.
const live = Array.from({ length: 150_000 }, (_, n) => ({ n, text: `object ${n}` }));
const held: Buffer[] = [];
for (let n = 0; n < buffers; n++) {
  held[n % underWay] = Buffer.alloc(bufferBytes, 1);
  // Waiting for the next one is what the event loop does mostly.
  await delay(1);
}
process.stdout.write(JSON.stringify({ collections, live: live.length }));
