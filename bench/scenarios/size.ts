import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Cluster } from '../load/cluster.ts';
import { withCluster } from '../load/stand.ts';
import { untilKnown } from '../rounds.ts';
import { type BenchOptions, measured, type Measurement, type Scenario } from '../scenario.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** The sizes that a user meets before any request: the package, the time to start, the memory at rest. */
export const size: Scenario = {
  name: 'size',
  about: 'size of the package, start time, memory at rest (package and clone), and the time of a type check',
  run: (options) => withCluster((cluster) => measureSizes(cluster, options)),
};

/** The bar for resident memory of the package at rest, MB. */
const promisedMb = 120;
/** Until the heap and the connections of a start are at rest, ms. */
const restMs = 5000;

/** The start and the memory of a program. */
interface AtRest {
  /** From its start until it serves, ms. */
  readonly startMs: number;
  readonly residentMb: number;
  /** The part without a file behind it: heaps, stacks, compiled code. */
  readonly anonymousMb: number;
}

interface Round {
  readonly node: AtRest;
  readonly package: AtRest;
  readonly clone: AtRest;
  /** s of a type check of everything, and of an empty file. */
  readonly types: number;
  readonly noTypes: number;
}

async function measureSizes(cluster: Cluster, options: BenchOptions): Promise<Measurement[]> {
  options.say('building the package');
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: root, stdio: 'ignore' });
  const packed = packedMb();
  const found = await untilKnown(
    options,
    { least: 3, most: 7, inWords },
    () => runRound(cluster, options.quick ? 500 : restMs),
    measurements,
  );
  const facts = { name: 'size/package', unit: 'MB unpacked', reference: 'the archive' };
  return [measured(facts, [[packed.unpacked, packed.archive]]), ...found];
}

async function runRound({ uri }: Cluster, wait: number): Promise<Round> {
  return {
    node: await startAndRest(['-e', 'console.log("ready"); setInterval(() => {}, 1e6)'], { uri, wait }),
    package: await startAndRest([path.join(root, 'dist/src/main.js')], { uri, wait }),
    clone: await startAndRest([path.join(root, 'src/main.ts')], { uri, wait }),
    types: secondsOfTypes(path.join(root, 'tsconfig.json')),
    noTypes: secondsWithoutTypes(),
  };
}

function measurements(rounds: readonly Round[]): Measurement[] {
  const details = { rounds };
  return [
    measured(
      { name: 'size/memory-package', unit: 'MB resident', reference: 'the promise', atMost: 1, details },
      rounds.map((round) => [round.package.residentMb, promisedMb]),
    ),
    measured(
      { name: 'size/anonymous-package', unit: 'MB anonymous', reference: 'bare Node' },
      rounds.map((round) => [round.package.anonymousMb, round.node.anonymousMb]),
    ),
    measured(
      { name: 'size/memory-clone', unit: 'MB resident', reference: 'bare Node' },
      rounds.map((round) => [round.clone.residentMb, round.node.residentMb]),
    ),
    measured(
      { name: 'size/start-package', unit: 'ms until ready', reference: 'bare Node' },
      rounds.map((round) => [round.package.startMs, round.node.startMs]),
    ),
    measured(
      { name: 'size/start-clone', unit: 'ms until ready', reference: 'bare Node' },
      rounds.map((round) => [round.clone.startMs, round.node.startMs]),
    ),
    measured(
      { name: 'size/types', unit: 's', reference: 'an empty file' },
      rounds.map((round) => [round.types, round.noTypes]),
    ),
  ];
}

function inWords({ node, package: built, clone, types }: Round): string {
  const words = ({ startMs, residentMb, anonymousMb }: AtRest): string =>
    `${startMs.toFixed(0)} ms, ${residentMb.toFixed(0)} MB (${anonymousMb.toFixed(0)} anonymous)`;
  return `package ${words(built)}; clone ${words(clone)}; bare Node ${words(node)}; types ${types.toFixed(1)} s`;
}

/** MB of the archive that npm would publish, and of its files. */
function packedMb(): { readonly archive: number; readonly unpacked: number } {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts'];
  const text = execFileSync('npm', args, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const [found] = JSON.parse(text) as readonly { readonly size: number; readonly unpackedSize: number }[];
  return { archive: (found?.size ?? NaN) / 1e6, unpacked: (found?.unpackedSize ?? NaN) / 1e6 };
}

/** @param program arguments of Node; it prints "ready" when it serves */
async function startAndRest(
  program: readonly string[],
  { uri, wait }: { readonly uri: string; readonly wait: number },
): Promise<AtRest> {
  const startedAt = performance.now();
  const child = spawn(process.execPath, program, {
    env: {
      PATH: process.env.PATH,
      POSTGRESQL_CONNECTION_URI: uri,
      PORT: '0',
      API_KEYS: 'bench-key-of-more-than-twenty-characters',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    await isReady(child);
    const startMs = performance.now() - startedAt;
    await delay(wait);
    return { startMs, ...memoryOf(child.pid ?? 0) };
  } finally {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  }
}

/** @throws Error when the program ends before */
async function isReady(child: ChildProcess): Promise<void> {
  let text = '';
  await new Promise<void>((resolve, reject) => {
    child.stdout?.setEncoding('utf8').on('data', (part: string) => {
      text += part;
      if (/\bready\b/.test(text)) resolve();
    });
    child.once('exit', () => {
      reject(new Error(`a program ended before it was ready: ${text}`));
    });
  });
}

function memoryOf(pid: number): Pick<AtRest, 'residentMb' | 'anonymousMb'> {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (name: string): number =>
    Number(new RegExp(String.raw`${name}:\s+(\d+)`).exec(status)?.[1] ?? NaN) / 1024;
  return { residentMb: mb('VmRSS'), anonymousMb: mb('RssAnon') };
}

function secondsOfTypes(project: string): number {
  const compiler = createRequire(import.meta.url).resolve('typescript/bin/tsc');
  const startedAt = performance.now();
  execFileSync(process.execPath, [compiler, '--project', project, '--noEmit'], {
    cwd: root,
    stdio: 'ignore',
  });
  return (performance.now() - startedAt) / 1000;
}

/** The same settings and libraries, without the project. */
function secondsWithoutTypes(): number {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'carryover-types-'));
  try {
    const project = path.join(folder, 'tsconfig.json');
    const compilerOptions = { typeRoots: [path.join(root, 'node_modules/@types')] };
    writeFileSync(
      project,
      JSON.stringify({ extends: path.join(root, 'tsconfig.json'), compilerOptions, include: ['empty.ts'] }),
    );
    writeFileSync(path.join(folder, 'empty.ts'), 'export {};\n');
    return secondsOfTypes(project);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
