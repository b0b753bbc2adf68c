/** Conclusions from several pairs of one project: whether the signer key is wrong. */

import { parameters, type Examination, type KeyEvidence } from './examination.ts';

/** Findings that a wrong key explains. RIGHT is not among them: it shows that the key is right. */
const openCodes: ReadonlySet<Examination['code']> = new Set(['WRONG', 'MALFORMED', 'SECRET_MISSING']);

/**
 * With the right passwords all hashes of a project decrypt to its signer key; with wrong ones to noise, each to another. So when
 * two different hashes decrypt to the same key, and it is not the configured one, both passwords are right and the configured key
 * is wrong. Those examinations become SIGNER_KEY_WRONG, or SIGNER_KEY_MISSING if no key is configured; the others do not change.
 */
export function conclude<Each extends Examination>(examinations: readonly Each[]): (Each | Examination)[] {
  const evidence = examinations.flatMap(({ code, keys = [] }) => (openCodes.has(code) ? keys : []));
  const agreed = agreements(evidence);
  const isKeyProven = examinations.some(({ code, keys = [] }) => code === 'RIGHT' && keys.length > 0);
  return examinations.map((each) => {
    if (!openCodes.has(each.code) || each.keys === undefined) return each;
    if (isKeyProven) return { ...each, advice: [provenKey] };
    const found = each.keys.find((key) => agreed.has(markOf(key)));
    return found === undefined ? each : concluded(each, found);
  });
}

const provenKey =
  'The configured signer key is right, as another pair shows: this password is another one, or its hash was damaged.';

/** Keys to which two different hashes decrypt, after the same change. */
function agreements(evidence: readonly KeyEvidence[]): ReadonlySet<string> {
  const stored = new Map<string, Set<string>>();
  for (const key of evidence) {
    const all = stored.get(markOf(key)) ?? new Set<string>();
    stored.set(markOf(key), all.add(key.stored));
  }
  return new Set([...stored].filter(([, all]) => all.size > 1).map(([mark]) => mark));
}

function markOf({ repair = '', decrypted }: KeyEvidence): string {
  return `${repair} ${decrypted}`;
}

function concluded(examination: Examination, { repair, decrypted, configured }: KeyEvidence): Examination {
  const isMissing = configured === undefined;
  const own = isMissing ? 'no signer key is configured' : `the configured one has ${configured}`;
  return {
    ...examination,
    code: isMissing ? 'SIGNER_KEY_MISSING' : 'SIGNER_KEY_WRONG',
    message: `The passwords are right and the SIGNER KEY is ${isMissing ? 'missing' : 'wrong'}: several hashes decrypt to one key (fingerprint ${decrypted}), and ${own}.`,
    advice: [
      `Copy base64_signer_key from the hash parameters of the project${isMissing ? '' : ' once more'}, and set ${parameters.signerKey}. Do not import before: no user could sign in.`,
      ...(repair === undefined ? [] : [`One more change is needed: ${repair}.`]),
    ],
    parameter: parameters.signerKey,
  };
}
