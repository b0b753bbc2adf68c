import { describe, expect, it } from 'vitest';
import { Admission } from '../../src/imports/chunks/admission.ts';
import type { AdmissionOptions } from '../../src/imports/chunks/admission.ts';

/** An admission whose tasks end when the test decides. `started` lists the names of tasks in their order. */
function scene(options: Partial<AdmissionOptions> = {}) {
  const admission = new Admission({ slots: 2, budgetBytes: 100, queueLimit: 10, ...options });
  const started: string[] = [];
  const submit = (name: string, bytes = 1) => {
    const ending = Promise.withResolvers<string>();
    const outcome = admission.run(bytes, () => {
      started.push(name);
      return ending.promise;
    });
    // A refusal that a test examines later must not count as unhandled until then.
    outcome.catch(() => undefined);
    const end = () => {
      ending.resolve(name);
      return outcome;
    };
    return { outcome, end, fail: ending.reject };
  };
  return { admission, started, submit };
}

/** Runs all pending continuations. */
function turn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('room', () => {
  it('is bounded by count, first in, first out', async () => {
    const { admission, started, submit } = scene();
    const [a, b, c, d] = [submit('a'), submit('b'), submit('c'), submit('d')];
    await turn();
    expect(started).toEqual(['a', 'b']);
    expect([admission.running, admission.waiting]).toEqual([2, 2]);
    expect(await b.end()).toBe('b');
    await turn();
    expect(started).toEqual(['a', 'b', 'c']);
    await Promise.all([a.end(), c.end(), d.end()]);
    expect(started).toEqual(['a', 'b', 'c', 'd']);
    expect([admission.running, admission.waiting, admission.bytesInFlight]).toEqual([0, 0, 0]);
  });

  it('is bounded by bytes, and no task overtakes the head of the queue', async () => {
    const { admission, started, submit } = scene({ slots: 8 });
    const a = submit('a', 60);
    const large = submit('large', 60);
    const small = submit('small', 1);
    await turn();
    expect(started).toEqual(['a']);
    expect(admission.bytesInFlight).toBe(60);
    await a.end();
    await turn();
    expect(started).toEqual(['a', 'large', 'small']);
    expect(admission.bytesInFlight).toBe(61);
    await Promise.all([large.end(), small.end()]);
  });

  it('is given to a task larger than the budget when nothing else runs, and to nothing in addition', async () => {
    const { admission, started, submit } = scene({ slots: 8 });
    const [a, giant, b] = [submit('a', 1), submit('giant', 1000), submit('b', 1)];
    await turn();
    expect(started).toEqual(['a']);
    await a.end();
    await turn();
    expect(started).toEqual(['a', 'giant']);
    expect(admission.bytesInFlight).toBe(1000);
    await giant.end();
    await turn();
    expect(started).toEqual(['a', 'giant', 'b']);
    await b.end();
  });

  it('comes back from a task that failed or threw', async () => {
    const { admission, started, submit } = scene({ slots: 1 });
    const a = submit('a', 7);
    const b = submit('b', 7);
    a.fail(new Error('task failed'));
    await expect(a.outcome).rejects.toThrow('task failed');
    const thrown = admission.run(5, () => {
      throw new Error('threw before its first await');
    });
    await b.end();
    await expect(thrown).rejects.toThrow('threw before');
    expect(started).toEqual(['a', 'b']);
    expect([admission.running, admission.bytesInFlight]).toEqual([0, 0]);
  });

  it('is never exceeded, whatever the mixture', async () => {
    const { admission, submit } = scene({ slots: 3, queueLimit: 1000 });
    const tasks = Array.from({ length: 300 }, (_, index) => submit(String(index), (index * 37) % 130));
    for (const task of tasks) {
      await turn();
      expect(admission.running).toBeLessThanOrEqual(3);
      if (admission.running > 1) expect(admission.bytesInFlight).toBeLessThanOrEqual(100);
      await task.end();
    }
    expect([admission.running, admission.waiting, admission.bytesInFlight]).toEqual([0, 0, 0]);
  });
});

describe('refusal', () => {
  it('is immediate when the queue is full, and ends when there is room again', async () => {
    const { started, submit } = scene({ slots: 1, queueLimit: 1 });
    const [a, b, c] = [submit('a'), submit('b'), submit('c')];
    await expect(c.outcome).rejects.toMatchObject({ code: 'OVERLOADED', http: 503 });
    await a.end();
    const d = submit('d');
    await Promise.all([b.end(), d.end()]);
    expect(started).toEqual(['a', 'b', 'd']);
  });

  it('needs no queue at all', async () => {
    const { submit } = scene({ slots: 1, queueLimit: 0 });
    const a = submit('a');
    await expect(submit('b').outcome).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(await a.end()).toBe('a');
  });
});

describe('closing', () => {
  it('refuses what is new, finishes what was accepted, then is drained', async () => {
    const { admission, started, submit } = scene({ slots: 1 });
    const [a, b] = [submit('a'), submit('b')];
    admission.close();
    admission.close();
    let drained = false;
    const end = admission.drained().then(() => (drained = true));
    await expect(submit('c').outcome).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
    await a.end();
    await turn();
    expect(drained).toBe(false);
    await b.end();
    await end;
    expect(started).toEqual(['a', 'b']);
  });

  it('is drained at once when nothing runs', async () => {
    const { admission } = scene();
    admission.close();
    await admission.drained();
    await expect(admission.run(1, () => Promise.resolve())).rejects.toMatchObject({ code: 'SHUTTING_DOWN' });
  });
});
