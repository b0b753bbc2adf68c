import { bytes } from './format.ts';
import type { Moved, Output } from '../surroundings.ts';

/** ms between lines */
const intervalMs = 5000;

/** A line every few seconds: `42% of 1.2 GiB, in users`. */
export function movedLines(output: Output, now: () => number): (moved: Moved) => void {
  let lastAt = now();
  return ({ bytes: done, total, table }) => {
    if (now() - lastAt < intervalMs) return;
    lastAt = now();
    output.write(`${shareOf(done, total)}, in ${table}\n`);
  };
}

/** More may be read than the estimated size of its tables. */
function shareOf(done: number, total: number | undefined): string {
  if (total === undefined || total === 0) return bytes(done);
  return `${Math.min(99, Math.floor((done * 100) / total))}% of about ${bytes(total)}`;
}
