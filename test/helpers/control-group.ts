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
  /** The processors' controller: the folder of its groups, and of a group the file and text for so many of them. */
  readonly cpu: { readonly folder: string; readonly file: string; quota(cpus: number): string };
}

const root = '/sys/fs/cgroup';
/** The system's default. */
const periodUs = 100_000;
const versions: readonly Version[] = [
  {
    ...{ folder: `${root}/memory`, limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
    cpu: {
      folder: `${root}/cpu`,
      file: 'cpu.cfs_quota_us',
      quota: (cpus) => String(Math.round(cpus * periodUs)),
    },
  },
  {
    ...{ folder: root, limit: 'memory.max', events: 'memory.events' },
    cpu: { folder: root, file: 'cpu.max', quota: (cpus) => `${Math.round(cpus * periodUs)} ${periodUs}` },
  },
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

/**
 * @param memoryBytes which all processes of the group may take together
 * @param cpus of which they may have so many together, also a part of one; undefined: all
 */
export function makeControlGroup(memoryBytes: number, cpus?: number): ControlGroup {
  if (version === undefined) throw new Error('this machine has no control groups for tests');
  const name = `carryover-test-${process.pid}`;
  const group = path.join(version.folder, name);
  const groups = cpus === undefined ? [group] : [...new Set([group, path.join(version.cpu.folder, name)])];
  for (const each of groups) mkdirSync(each, { recursive: true });
  writeFileSync(path.join(group, version.limit), String(memoryBytes));
  if (cpus !== undefined)
    writeFileSync(path.join(version.cpu.folder, name, version.cpu.file), version.cpu.quota(cpus));
  const events = path.join(group, version.events);
  return {
    enter: groups.map((each) => `echo $$ > '${each}/cgroup.procs'`).join(' && '),
    killed: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(events, 'utf8'))?.[1] ?? NaN),
    remove: () => {
      for (const each of groups) rmdirSync(each);
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
