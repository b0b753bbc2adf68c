import { describe, expect, it } from 'vitest';
import { untilKnown } from '../../bench/rounds.ts';
import { type BenchOptions, measured, type Measurement } from '../../bench/scenario.ts';

const facts = { name: 'some', unit: 'users/s', reference: 'another' };

const whole = { quick: false, say: () => undefined };

/** Runs rounds whose ratios are `ratios`, in turn and repeatedly. */
async function take(
  limits: { least: number; most: number },
  ratios: readonly number[],
  options: BenchOptions = whole,
) {
  const numbers: number[] = [];
  const run = (n: number) => {
    numbers.push(n);
    return Promise.resolve(ratios[(n - 1) % ratios.length] ?? NaN);
  };
  const [found] = await untilKnown(options, limits, run, (rounds) => [
    measured(
      facts,
      rounds.map((ratio) => [ratio, 1]),
    ),
  ]);
  return { numbers, found };
}

describe('rounds are taken until', () => {
  it('there are the least, when they agree', async () => {
    const { numbers, found } = await take({ least: 4, most: 9 }, [1, 1.01]);
    expect(numbers).toEqual([1, 2, 3, 4]);
    expect(found.ratio).toBeCloseTo(1.005);
  });

  it('there are the most, when they do not', async () => {
    const { numbers } = await take({ least: 4, most: 9 }, [1, 2]);
    expect(numbers).toHaveLength(9);
  });

  it('they are known, which takes the more the further they differ', async () => {
    const roundsOf = async (ratios: readonly number[]) =>
      (await take({ least: 4, most: 500 }, ratios)).numbers.length;
    const [near, far] = [
      await roundsOf([0.9, 1, 1.1, 0.95, 1.05, 1]),
      await roundsOf([0.8, 1, 1.2, 0.9, 1.1, 1]),
    ];
    expect(near).toBeGreaterThan(4);
    expect(far).toBeGreaterThan(near);
    expect(far).toBeLessThan(500);
  });

  it('each of several ratios is known', async () => {
    const run = (n: number) => Promise.resolve(n);
    const both = (rounds: readonly number[]): Measurement[] => [
      measured(
        facts,
        rounds.map(() => [1, 1]),
      ),
      measured(
        facts,
        rounds.map((n) => [1 + (n % 2), 1]),
      ),
    ];
    const found = await untilKnown(whole, { least: 2, most: 6 }, run, (rounds) => {
      expect(rounds).toEqual(Array.from(rounds, (_, place) => place + 1));
      return both(rounds);
    });
    expect(found).toHaveLength(2);
    expect(found[1]?.spread).toEqual([1, 2]);
  });

  it('the time of the scenario is over, but not before the least', async () => {
    const limits = { least: 4, most: 9 };
    const said: string[] = [];
    const say = (line: string) => {
      said.push(line);
    };
    expect((await take(limits, [1, 2], { quick: false, say, endBy: 0 })).numbers).toHaveLength(4);
    expect(said).toEqual(['no more rounds: they take longer than was said']);
    expect((await take(limits, [1, 2], { ...whole, endBy: Infinity })).numbers).toHaveLength(9);
  });

  it('there is one in a quick run, whose ratio has no error', async () => {
    const { numbers, found } = await take({ least: 4, most: 9 }, [3], { ...whole, quick: true });
    expect(numbers).toEqual([1]);
    expect(found).toMatchObject({ ratio: 3 });
    expect(found).not.toHaveProperty('error');
  });

  it('and each is said, by its number', async () => {
    const lines: string[] = [];
    const say = (line: string) => {
      lines.push(line);
    };
    const inWords = (ratio: number) => `ratio ${ratio}`;
    const run = (n: number) => Promise.resolve(n);
    await untilKnown({ quick: false, say }, { least: 2, most: 2, inWords }, run, () => []);
    expect(lines).toEqual(['round 1: ratio 1', 'round 2: ratio 2']);
  });

  it('a round fails', async () => {
    const broken = () => Promise.reject(new Error('broken'));
    await expect(untilKnown(whole, { least: 2, most: 3 }, broken, () => [])).rejects.toThrow('broken');
  });
});
