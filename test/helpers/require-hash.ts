import type { HashLimits } from '../../src/domain/model.ts';
import { parseHash, refusalOf } from '../../src/hashes/recognise.ts';
import type { HashKindName, ParsedHash } from '../../src/hashes/registry.ts';

/** As parseHash, throwing a Refusal INVALID_PASSWORD_HASH or HASH_OVER_CEILING. */
export function requireHash(hash: string, given: HashKindName | undefined, limits: HashLimits): ParsedHash {
  const result = parseHash(hash, given, limits);
  if (result.ok) return result.parsed;
  throw refusalOf(result);
}
