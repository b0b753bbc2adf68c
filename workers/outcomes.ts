import type { Outcome } from '../src/hashes/tasks.ts';

export function outcomesOf<Task, Result>(
  tasks: readonly Task[],
  run: (task: Task) => Result,
): readonly Outcome<Result>[] {
  return tasks.map((task) => {
    const startedAt = performance.now();
    try {
      return { result: run(task), ms: performance.now() - startedAt };
    } catch (error) {
      return { error };
    }
  });
}
