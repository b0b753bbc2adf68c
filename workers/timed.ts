import type { Timed } from './protocol.ts';

/** Has the thread tell how long a task took it: seen from outside, its wait behind the one before would count too. */
export function timed<Task, Result>(run: (task: Task) => Result): (task: Task) => Timed<Result> {
  return (task) => {
    const startedAt = performance.now();
    const value = run(task);
    return { value, seconds: (performance.now() - startedAt) / 1000 };
  };
}
