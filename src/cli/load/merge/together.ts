import { CommandError } from '../../command-error.ts';
import type { Part } from './part.ts';

/** What all parts of a load have in common, by its name in a message. */
const common: Readonly<Record<string, (part: Part) => unknown>> = {
  core: ({ asked }) => asked.url,
  '--mix': ({ asked }) => asked.mix,
  '--people': ({ asked }) => asked.people,
  '--rate': ({ rate }) => rate,
  '--for': ({ asked }) => asked.asked.seconds,
  '--at': ({ asked }) => asked.asked.at,
  '--within': ({ asked }) => asked.asked.bounds.p99Ms,
  '--share': ({ asked }) => asked.asked.share.of,
};

/**
 * Makes sure that these are all parts of one load, each once.
 * @returns them in the order of their shares
 * @throws CommandError, which names the files
 */
export function requireWhole(parts: readonly Part[]): [Part, ...Part[]] {
  const [first, ...others] = parts.toSorted((a, b) => numberOf(a) - numberOf(b));
  if (first === undefined) throw new Error('there are no parts');
  for (const part of others) requireSameLoad(first, part);
  const all = [first, ...others] as const;
  for (const [n, part] of others.entries()) {
    const before = all[n];
    if (before !== undefined && numberOf(before) === numberOf(part))
      throw new CommandError(
        `${before.file} and ${part.file} are both part ${shareOf(part)}: give the result of each machine once`,
        { code: 'PART_TWICE', field: part.file },
      );
  }
  const { of } = first.asked.asked.share;
  const numbers = Array.from({ length: of }, (_, n) => n + 1);
  const missing = numbers.filter((n) => !all.some((part) => numberOf(part) === n));
  if (missing.length > 0)
    throw new CommandError(
      `Of this load ${missing.map((n) => `${n}/${of}`).join(', ')} ${missing.length === 1 ? 'is' : 'are'} missing: give the results of all ${of} machines`,
      { code: 'PART_MISSING' },
    );
  return [first, ...others];
}

function requireSameLoad(first: Part, part: Part): void {
  if (first.version !== part.version)
    throw new CommandError(
      `${part.file} was written by version ${part.version}, ${first.file} by ${first.version}: send the load again from all machines with one version`,
      { code: 'VERSIONS_DIFFER', field: part.file },
    );
  const differing = Object.entries(common)
    .filter(([, of]) => JSON.stringify(of(first)) !== JSON.stringify(of(part)))
    .map(([name]) => name);
  if (differing.length > 0)
    throw new CommandError(
      `${part.file} and ${first.file} are not parts of one load: they differ in ${differing.join(', ')}. Give the parts of one, which begin at the same time (--at)`,
      { code: 'LOADS_DIFFER', field: part.file },
    );
}

function numberOf({ asked }: Part): number {
  return asked.asked.share.part;
}

function shareOf({ asked }: Part): string {
  const { part, of } = asked.asked.share;
  return `${part}/${of}`;
}
