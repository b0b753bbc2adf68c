/**
 * The search for the knee: the highest rate that is still borne, by the bounds of `measure.ts`.
 *
 * Rates double from a low one until one is not borne; then the middle of the interval is tried, in the logarithm, until its ends
 * are 5 % apart. The lower end is confirmed by one more step with other arrivals; if chance had helped it, the search goes on
 * below. Each step begins with an empty queue, and a hopeless one is cut short (`measure.ts`), so the deployment is over its limit
 * for a second or two at a time.
 */

export interface Step {
  readonly rate: number;
  readonly isBorne: boolean;
}

export interface Search<Found extends Step> {
  readonly from: number;
  readonly most: number;
  /** @param n its number, from 0 */
  readonly step: (rate: number, n: number) => Promise<Found>;
}

export interface Knee<Found extends Step> {
  /** The highest that was borne; undefined if not even the lowest was. */
  readonly highest: Found | undefined;
  /** The lowest that was not borne; undefined if all were, up to the most that was tried. */
  readonly beyond: Found | undefined;
  readonly steps: readonly Found[];
}

const apart = 1.05;
/** Halvings after a doubling: the fifth leaves 2^(1/32), 2 %. */
const mostSteps = 30;

export async function findKnee<Found extends Step>({
  from,
  most,
  step,
}: Search<Found>): Promise<Knee<Found>> {
  const steps: Found[] = [];
  const run = async (rate: number): Promise<Found> => {
    const found = await step(rate, steps.length);
    steps.push(found);
    return found;
  };
  let borne: Found[] = [];
  let beyond: Found | undefined;
  let isConfirmed = false;
  while (steps.length < mostSteps && !isConfirmed) {
    const low = borne.at(-1);
    const rate = nextRate({ low: low?.rate, high: beyond?.rate, from, most });
    const isAgain = rate === low?.rate;
    const found = await run(rate);
    if (found.isBorne && !isAgain) borne.push(found);
    isConfirmed = found.isBorne && isAgain;
    if (found.isBorne) continue;
    beyond = found;
    borne = borne.filter((each) => each.rate < found.rate);
    if (rate <= from / least) break;
  }
  return { highest: borne.at(-1), beyond, steps };
}

/** Below this part of the lowest rate nothing is searched. */
const least = 64;

/** @returns the lower end again once both are close, which confirms it */
export function nextRate(ends: {
  readonly low: number | undefined;
  readonly high: number | undefined;
  readonly from: number;
  readonly most: number;
}): number {
  const { low, high, from, most } = ends;
  if (low === undefined) return high === undefined ? Math.min(from, most) : high / 2;
  if (high === undefined) return low >= most ? low : Math.min(low * 2, most);
  return high / low <= apart ? low : Math.sqrt(low * high);
}
