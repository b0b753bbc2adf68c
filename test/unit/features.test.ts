import { describe, expect, test } from 'vitest';
import { openFeatures } from '../../src/core/features.ts';
import { defineFeature, type Feature } from '../../src/features/feature.ts';

const clock = defineFeature({
  name: 'clock',
  open: () => ({ time: () => 'noon' }),
  routes: () => [],
  offer: ({ time }) => time,
});

const bell = defineFeature({
  name: 'bell',
  open: ({ offered }) => ({ ring: () => `it is ${offered(clock)()}` }),
  routes: () => [],
  offer: ({ ring }) => ring,
});

const eager = defineFeature({
  name: 'eager',
  open: ({ offered }) => ({ time: offered(clock) }),
  routes: () => [],
});

const open = (...list: readonly Feature[]) => openFeatures({} as never, {} as never, list).opened;

describe('a feature', () => {
  test('reaches the offer of one that is listed before it', () => {
    const [, second] = open(clock, bell);
    expect((second?.offer as () => string)()).toBe('it is noon');
  });

  test('offers nothing unless it is defined to', () => {
    const [, second] = open(clock, eager);
    expect(second?.offer).toBeUndefined();
  });

  test.each([['after it', [eager, clock]] as const, ['nowhere', [eager]] as const])(
    'does not reach one that is listed %s',
    (_where, list) => {
      expect(() => open(...list)).toThrow('must list clock before the features that use it');
    },
  );

  test('has offers for each core', () => {
    const [first] = open(clock);
    const [other] = open(clock);
    expect(first?.offer).not.toBe(other?.offer);
  });
});
