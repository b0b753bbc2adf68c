/** Processes of the machine by their ids, for servers that start others. */
import { readdirSync, readFileSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';

function childrenOf(parent: number): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((pid) => {
      try {
        // After the command in parentheses: state and parent.
        return Number(readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ')[1]) === parent;
      } catch {
        return false;
      }
    });
}

/** A zombie that its parent has not waited for is dead. */
export function isAlive(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.startsWith('Z') === false;
  } catch {
    return false;
  }
}

/** As when their machine loses power: these and their children, at once. Resolves when none is left. */
export async function killWithChildren(pids: readonly number[]): Promise<void> {
  const alive = pids.filter(isAlive);
  for (const pid of alive) process.kill(pid, 'SIGSTOP'); // they start no other meanwhile
  const all = [alive, alive.flatMap(childrenOf)].flat();
  for (const pid of all) process.kill(pid, 'SIGKILL');
  while (all.some(isAlive)) await turn();
}
