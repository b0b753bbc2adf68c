/** A control group with a limit of memory, if the machine allows the tests to create one. */
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
  /** The CPU controller: the folder of its groups, and the file and text of a group's limit. */
  readonly cpu: { readonly folder: string; readonly file: string; quota(cpus: number): string };
}

const root = '/sys/fs/cgroup';
/** The system's default. */
const periodUs = 100_000;
const versions: readonly Version[] = [
  {
    folder: `${root}/memory`,
    limit: 'memory.limit_in_bytes',
    events: 'memory.oom_control',
    cpu: {
      folder: `${root}/cpu`,
      file: 'cpu.cfs_quota_us',
      quota: (cpus) => String(Math.round(cpus * periodUs)),
    },
  },
  {
    folder: root,
    limit: 'memory.max',
    events: 'memory.events',
    cpu: { folder: root, file: 'cpu.max', quota: (cpus) => `${Math.round(cpus * periodUs)} ${periodUs}` },
  },
];

let made = 0;

const version = versions.find(({ folder, limit }) => mayLimit(folder, limit));

/** Whether this machine has them, and allows this user to create one. */
export const hasControlGroups = version !== undefined;

export interface ControlGroup {
  /** Shell commands by which a process joins the group. */
  readonly enter: string;
  /** Moves a running process into the group. */
  add(pid: number): void;
  /** The number of processes of the group that the system has killed for lack of memory. */
  killed(): number;
  /** Call once all its processes have ended. */
  remove(): void;
}

/**
 * @param memoryBytes of all processes of the group together
 * @param cpus CPUs that they may use together, also a fraction; undefined: all
 */
export function makeControlGroup(memoryBytes: number, cpus?: number): ControlGroup {
  if (version === undefined) throw new Error('this machine has no control groups for tests');
  const name = `carryover-test-${process.pid}-${made++}`;
  const group = path.join(version.folder, name);
  const groups = cpus === undefined ? [group] : [...new Set([group, path.join(version.cpu.folder, name)])];
  for (const each of groups) mkdirSync(each, { recursive: true });
  writeFileSync(path.join(group, version.limit), String(memoryBytes));
  if (cpus !== undefined)
    writeFileSync(path.join(version.cpu.folder, name, version.cpu.file), version.cpu.quota(cpus));
  const events = path.join(group, version.events);
  return {
    enter: groups.map((each) => `echo $$ > '${each}/cgroup.procs'`).join(' && '),
    add: (pid) => {
      for (const each of groups) writeFileSync(path.join(each, 'cgroup.procs'), String(pid));
    },
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
