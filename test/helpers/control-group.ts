/** A control group of the system with a limit of memory, where the machine lets the tests make one. */
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  rmdirSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';

interface Version {
  readonly folder: string;
  readonly limit: string;
  readonly events: string;
}

const root = '/sys/fs/cgroup';
const versions: readonly Version[] = [
  { folder: `${root}/memory`, limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
  { folder: root, limit: 'memory.max', events: 'memory.events' },
];

const version = versions.find(({ folder, limit }) => mayLimit(folder, limit));

/** Whether this machine has them, and lets this user make one. */
export const hasControlGroups = version !== undefined;

export interface ControlGroup {
  /** A shell's words that put itself into the group. */
  readonly enter: string;
  /** How many processes of the group the system has ended for want of memory. */
  killed(): number;
  /** Once all its processes have ended. */
  remove(): void;
}

/** @param memoryBytes which all processes of the group may take together */
export function makeControlGroup(memoryBytes: number): ControlGroup {
  if (version === undefined) throw new Error('this machine has no control groups for tests');
  const group = path.join(version.folder, `carryover-test-${process.pid}`);
  mkdirSync(group, { recursive: true });
  writeFileSync(path.join(group, version.limit), String(memoryBytes));
  const events = path.join(group, version.events);
  return {
    enter: `echo $$ > '${group}/cgroup.procs'`,
    killed: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(events, 'utf8'))?.[1] ?? NaN),
    remove: () => {
      rmdirSync(group);
    },
  };
}

function mayLimit(folder: string, limit: string): boolean {
  const probe = path.join(folder, `carryover-probe-${process.pid}`);
  try {
    accessSync(folder, constants.W_OK);
    mkdirSync(probe);
    const isThere = existsSync(path.join(probe, limit));
    rmdirSync(probe);
    return isThere;
  } catch {
    return false;
  }
}
