/** Finds the reading of a TOTP secret that gives the codes its device showed. */

import { codeAlgorithms, codeAt, type CodeAlgorithm } from '../../parts/one-time-code.ts';
import { type Meaning, meaningsOf, type SecretEncoding } from './encodings.ts';

/** A code that a device showed. */
export interface KnownCode {
  /** Digits. */
  readonly code: string;
  /** ms since the epoch */
  readonly at: number;
}

export interface Reading {
  readonly encoding: SecretEncoding;
  /** See Meaning. */
  readonly isWrapped: boolean;
  readonly algorithm: CodeAlgorithm;
  readonly digits: number;
  /** Seconds. */
  readonly period: number;
  /** Periods that the device, or the noted time, is ahead, for each code. */
  readonly drifts: readonly number[];
}

/** Seconds, the likelier first. Only those that some issuer documents: each further one could fit by chance. */
const periods = [30, 60, 15, 20, 90, 120] as const;
/** Periods that a clock or a note may be off. More would let wrong readings fit by chance. */
const driftLimit = 10;
/** How much the drift may differ between codes of one device. */
const driftChange = 1;

/**
 * Readings under which every code is right, the likeliest first. Of a million wrong pairs of reading and drift one fits a code of
 * six digits by chance; about 3,000 are tried, so a single code leaves a second reading in 1 of 300 cases, and two codes leave
 * none.
 * @param codes at least one; all of one length
 * @param documented the encoding that the source documents
 */
export function readingsOf(
  secret: string,
  codes: readonly KnownCode[],
  documented?: SecretEncoding,
): Reading[] {
  const digits = codes[0]?.code.length ?? 0;
  const found: { readonly reading: Reading; readonly cost: number }[] = [];
  for (const [place, meaning] of meaningsOf(secret, documented).entries())
    for (const [rarity, algorithm] of codeAlgorithms.entries())
      for (const [oddity, period] of periods.entries()) {
        const drifts = driftsOf(meaning, codes, { algorithm, period, digits });
        if (drifts === undefined) continue;
        const { encoding, isWrapped } = meaning;
        const reading = { encoding, isWrapped, algorithm, digits, period, drifts };
        // Rarer choices of issuers cost more; a documented one is tried first, and costs nothing.
        found.push({ reading, cost: 2 * place + 4 * rarity + 4 * oddity + Math.abs(drifts[0] ?? 0) });
      }
  return found.toSorted((one, other) => one.cost - other.cost).map(({ reading }) => reading);
}

interface Tried {
  readonly algorithm: CodeAlgorithm;
  readonly period: number;
  readonly digits: number;
}

/** The drift of each code, the smallest first that suits all; undefined when one of them never fits. */
function driftsOf(
  { bytes }: Meaning,
  [first, ...others]: readonly KnownCode[],
  tried: Tried,
): number[] | undefined {
  const fits = ({ code, at }: KnownCode, drift: number): boolean => {
    const step = Math.floor(at / 1000 / tried.period) + drift;
    return step >= 0 && codeAt(bytes, step, tried) === code;
  };
  for (const drift of steps) {
    if (first === undefined || !fits(first, drift)) continue;
    const near = steps.filter((each) => Math.abs(each - drift) <= driftChange);
    const all = others.map((each) => near.find((other) => fits(each, other)));
    if (all.every((each) => each !== undefined)) return [drift, ...all];
  }
  return undefined;
}

/** 0, 1, -1, 2, -2, … */
const steps = Array.from({ length: 2 * driftLimit + 1 }, (_, n) => (n % 2 === 1 ? (n + 1) / 2 : -n / 2));
