/** Twins of exports, and what they have in common with their originals. */
import { expect } from 'vitest';
import type { Place } from './carryover.ts';

export type Inspected = Readonly<Record<string, unknown>> & {
  readonly social: Readonly<Record<string, number>>;
  readonly rejectedByCode: Readonly<Record<string, number>>;
};

export async function inspect(place: Place, ...args: readonly string[]): Promise<Inspected> {
  const { stdout, stderr } = await place.run(['inspect', ...args, '--json']);
  expect(stderr).not.toContain('unexpected');
  return JSON.parse(stdout) as Inspected;
}

/** What a twin has in common with its original. */
export function shapeOf({ social, ...found }: Inspected): object {
  const { records, valid, linked, verified, unverified, withoutPassword, passwordless } = found;
  const { duplicates, duplicatesByCase, oddDates, rejected, rejectedByCode, byKind, byFactor, byState } =
    found;
  const methods = { records, valid, linked, verified, unverified, withoutPassword, passwordless };
  const keys = { duplicates, duplicatesByCase, oddDates, rejected, rejectedByCode };
  const providers = Object.values(social).toSorted();
  const kinds = JSON.stringify(byKind).replaceAll(/legacy:[^"]*/g, 'legacy');
  return { ...methods, ...keys, kinds, byFactor, byState, providers };
}

export async function twinOf(place: Place, ...args: readonly string[]): Promise<readonly string[]> {
  const { code, stdout, stderr } = await place.run(['twin', ...args, '-o', 'twin.ndjson', '--hashing', '1']);
  expect([code, stdout], stderr).toEqual([0, expect.stringContaining('Searched: none of')]);
  return (await place.list()).includes('twin.config.yaml') ? ['--config', 'twin.config.yaml'] : [];
}
