import type { Provider } from '../providers/provider.ts';
import { namedSample } from '../readers/columns.ts';
import type { FileSample } from '../readers/sample-of.ts';

/**
 * How certain it is that a file is the provider's: as it is, or with the columns of the provider's own table if it has no header
 * row.
 */
export function scoreOf(provider: Provider, sample: FileSample): number {
  const named = provider.tables[0] && namedSample(sample, provider.tables[0]);
  return Math.max(provider.recognises(sample), named === undefined ? 0 : provider.recognises(named));
}
