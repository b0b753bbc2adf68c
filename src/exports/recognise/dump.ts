/** Recognises the system of a dump: a dump has many tables, and one of them has the users. */

import { providers } from '../providers/index.ts';
import { ExportFault } from '../providers/provider.ts';
import type { Provider } from '../providers/provider.ts';
import {
  fullName,
  namesOf,
  rankedTables,
  surest,
  type DumpSample,
  type Ranked,
} from '../readers/sql/samples.ts';
import type { Recognised } from './recognised.ts';
import { scoreOf } from './score.ts';

interface Candidate {
  readonly provider: Provider;
  readonly ranked: readonly Ranked[];
}

/**
 * @returns undefined if the only table, or the named one, belongs to no known system
 * @throws ExportFault if none of several tables is known, or several may be it
 */
export function recogniseDump(samples: readonly DumpSample[]): Recognised | undefined {
  const candidates = providers.flatMap((provider) => candidateOf(provider, samples)).sort(bySurest);
  const [best] = candidates;
  const sample = best && surest(best.ranked);
  if (best === undefined || sample === undefined) {
    if (samples.length === 1) return undefined;
    throw unknown(samples);
  }
  const others = best.ranked.map((each) => each.sample).filter((each) => each !== sample);
  return {
    provider: best.provider,
    sample,
    alternatives: candidates
      .slice(1)
      .filter((each) => each.ranked[0]?.sample === sample)
      .map(({ provider }) => provider),
    table: fullName(sample.dump.table),
    otherTables: others.map(({ dump }) => fullName(dump.table)),
  };
}

function candidateOf(provider: Provider, samples: readonly DumpSample[]): readonly Candidate[] {
  const [users] = provider.tables;
  const ranked = users && rankedTables(samples, users, (sample) => scoreOf(provider, sample));
  return ranked === undefined || ranked.length === 0 ? [] : [{ provider, ranked }];
}

function bySurest(a: Candidate, b: Candidate): number {
  return (b.ranked[0]?.rank ?? 0) - (a.ranked[0]?.rank ?? 0);
}

function unknown(samples: readonly DumpSample[]): ExportFault {
  return new ExportFault(
    `it is a dump in which no table of users is recognised: give it with --table, one of ${namesOf(samples)}: then its columns are looked at, or its format can be given with --from`,
  );
}
