/** Kinds and costs in words. */

import { costOf, costText, hashClass, workOf } from '../assess.ts';
import { rowOf } from '../registry.ts';
import type { ParsedHash } from '../registry.ts';

const bytesPerMiB = 1024 * 1024;

/** `BCrypt (logRounds 10), about 57 ms and 4 KiB a verification` */
export function describe(parsed: ParsedHash): string {
  const parameters = costText(hashClass(parsed).cost);
  const cost = `${timeText(workOf(parsed))} and ${memoryText(costOf(parsed).memoryBytes)} a verification`;
  return `${rowOf(parsed.kind).label}${parameters === '' ? '' : ` (${parameters})`}, ${cost}`;
}

function timeText(ms: number): string {
  if (ms < 1) return 'less than 1 ms';
  return ms < 1000 ? `about ${Math.round(ms)} ms` : `about ${(ms / 1000).toFixed(1)} s`;
}

function memoryText(bytes: number): string {
  const mib = bytes / bytesPerMiB;
  return mib >= 1 ? `${Math.round(mib)} MiB` : `${Math.ceil(bytes / 1024)} KiB`;
}
