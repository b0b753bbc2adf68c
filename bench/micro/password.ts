import { readFileSync } from 'node:fs';
import { parseHash } from '../../src/hashes/recognise.ts';
import { kindNames } from '../../src/hashes/registry.ts';
import type { HashKindName } from '../../src/hashes/registry.ts';
import type { HashLimits } from '../../src/domain/model.ts';
import { defaultLimits } from './samples.ts';
import { type Operation, pick } from './operation.ts';

/** The bar for recognising, parsing and bounding a hash of any kind. */
const promisedNs = 2000;

interface Vector {
  readonly hash: string;
  readonly valid: boolean;
}

/** A hash, and the kind that an import has to name for it. */
interface Sample {
  readonly hash: string;
  readonly given: HashKindName | undefined;
}

/** Recognising, parsing and bounding, for each kind: the known answers of the tests in turn. */
export function passwordOperations(): Operation[] {
  const file = new URL('../../test/vectors/vectors.json', import.meta.url);
  const vectors = JSON.parse(readFileSync(file, 'utf8')) as readonly Vector[];
  const hashes = vectors.filter(({ valid }) => valid).map(({ hash }) => hash);
  const limits = defaultLimits();
  return kindNames.map((kind) => {
    const samples = samplesOf(kind, [...hashes, sha384, construction], limits);
    return {
      name: `password/${kind}`,
      promisedNs,
      run: (n) => {
        const { hash, given } = pick(samples, n);
        return parseHash(hash, given, limits);
      },
    };
  });
}

/** Of the empty text (FIPS 180-4); the vectors have none of this kind. */
const sha384 =
  '38b060a751ac96384cd9327eb1b1e36a21fdb71114be07434c0cc7bf63f6e1da274edebfe76f65fbd51ad2f14898b95b';

/** vBulletin's, which is parsed only and never verified. */
const construction = '$construction$md5(md5(password).salt)$c2FsdA==$XUFAKrxLKna5cZ2REBfFkg==';

/** Those that show their kind, or else those that can be named. @throws Error for neither */
function samplesOf(kind: HashKindName, hashes: readonly string[], limits: HashLimits): Sample[] {
  const isOfKind = ({ hash, given }: Sample): boolean => {
    const result = parseHash(hash, given, limits);
    return result.ok && result.parsed.kind === kind;
  };
  const telling = hashes.map((hash) => ({ hash, given: undefined })).filter(isOfKind);
  const samples =
    telling.length > 0 ? telling : hashes.map((hash) => ({ hash, given: kind })).filter(isOfKind);
  if (samples.length === 0) throw new Error(`no hash of the kind ${kind} is among the vectors`);
  return samples;
}
