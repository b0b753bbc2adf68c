import { describe, expect, it } from 'vitest';
import { Refusal } from '../../src/domain/errors.ts';

describe('a refusal', () => {
  it('is an Error with its code, its public message and its cause', () => {
    const cause = new Error('why');
    const refusal = new Refusal('OVERLOADED', undefined, { cause, retryAfterSeconds: 3 });
    expect(refusal).toBeInstanceOf(Error);
    expect(refusal).toMatchObject({
      code: 'OVERLOADED',
      name: 'Refusal',
      cause,
      retryAfterSeconds: 3,
      http: 503,
    });
    expect(refusal.message).not.toBe('');
    expect(new Refusal('OVERLOADED', 'in other words').message).toBe('in other words');
  });

  it('takes no stack, and leaves other errors theirs', () => {
    expect(new Refusal('OVERLOADED').stack).not.toContain('\n    at ');
    expect(new Error('another').stack).toContain('\n    at ');
  });
});
