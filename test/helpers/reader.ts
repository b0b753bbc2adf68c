/** A reader of the documentation: the commands of a page, run by a shell in a separate folder, on a separate core or app. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { Fence } from '../../site/markdown.ts';
import { commandScript, type Desk } from './command-desk.ts';
import { type TestCore, startTestCore } from './core.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
/** The core's address in the pages. */
const writtenUrl = 'http://127.0.0.1:3567';
const separator = '--- next command of the page ---';

/** Commands that call a core, which listens elsewhere than in the pages. */
const npx = `#!/bin/bash
[ "$1 $2" = '--no carryover' ] || { echo "npx $*: only the command of this project" >&2; exit 99; }
command=$3
shift 3
case $command in
  import|resume|jobs|status|purge|conflicts|absent|undo|hashes|export|compare|receipt|receipt-keys) set -- "$@" --url "$READER_URL" ;;
esac
set -- "$command" "$@"
[ -n "$DESK_PORT" ] || exec "$READER_NODE" "$READER_ROOT/src/cli.ts" "$@"
${commandScript}`;

export interface Outcome {
  readonly code: number;
  /** The output of each command, in their order. */
  readonly printed: readonly string[];
  readonly stderr: string;
}

export interface Reader {
  /** Runs these in one shell, up to the first that fails. */
  run(fences: readonly Fence[]): Promise<Outcome>;
  stop(): Promise<void>;
}

/** The core that the pages describe. */
export const startReadersCore = (): Promise<TestCore> =>
  startTestCore({ settings: { ALLOW_HASH_EXPORT: 'true' } });

/** A new app of a core, used as if it were a core. Stopped with the core. */
export async function appOf(core: TestCore, appId: string): Promise<ReadersCore> {
  const { text: answer, http } = await core.put('/recipe/multitenancy/app/v2', { appId });
  if (http !== 200) throw new Error(answer);
  return { url: `${core.url}/appid-${appId}`, apiKey: core.apiKey, stop: () => Promise.resolve() };
}

type ReadersCore = Pick<TestCore, 'url' | 'apiKey' | 'stop'>;

interface ReaderOptions {
  /** Stopped with the reader. */
  readonly core: ReadersCore;
  /** By their names in the page: a text, or the path of one to copy. */
  readonly files: Readonly<Record<string, { path: string } | string>>;
  /** Runs `carryover` for the shell. Without it each command is a process. */
  readonly desk?: Desk | undefined;
}

export async function startReader({ core, files, desk }: ReaderOptions): Promise<Reader> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'carryover-reader-'));
  await furnish(folder, core, files);
  const environment = { ...environmentOf(core, folder), DESK_PORT: desk && String(desk.port) };
  return {
    run: (fences) => runShell(scriptOf(fences, core.url), folder, environment),
    async stop() {
      await Promise.all([core.stop(), rm(folder, { recursive: true, force: true })]);
    },
  };
}

async function furnish(folder: string, core: ReadersCore, files: ReaderOptions['files']): Promise<void> {
  await Promise.all(['bin', 'data', 'home'].map((name) => mkdir(path.join(folder, name))));
  await cp(path.join(root, 'examples'), path.join(folder, 'examples'), { recursive: true });
  await writeFile(path.join(folder, 'data/api-key'), core.apiKey);
  await writeFile(path.join(folder, 'bin/npx'), npx);
  await chmod(path.join(folder, 'bin/npx'), 0o755);
  for (const [name, file] of Object.entries(files))
    if (typeof file === 'string') await writeFile(path.join(folder, name), file);
    else await cp(file.path, path.join(folder, name));
}

function scriptOf(fences: readonly Fence[], url: string): string {
  const parts = fences.map(({ text: commands }) => commands.replaceAll(writtenUrl, url));
  return ['set -e', ...parts.map((part) => `${part}\necho; echo '${separator}'`)].join('\n');
}

function environmentOf(core: ReadersCore, folder: string): NodeJS.ProcessEnv {
  return {
    PATH: `${path.join(folder, 'bin')}:${path.dirname(process.execPath)}:${process.env.PATH ?? ''}`,
    HOME: path.join(folder, 'home'),
    NODE_OPTIONS: process.env.NODE_OPTIONS,
    CARRYOVER_API_KEY: core.apiKey,
    READER_URL: core.url,
    READER_NODE: process.execPath,
    READER_ROOT: root,
  };
}

async function runShell(script: string, folder: string, env: NodeJS.ProcessEnv): Promise<Outcome> {
  const child = spawn('bash', ['-c', script], { cwd: folder, stdio: ['ignore', 'pipe', 'pipe'], env });
  const ended = once(child, 'close') as Promise<[number | null]>;
  const [[code], stdout, stderr] = await Promise.all([ended, text(child.stdout), text(child.stderr)]);
  return { code: code ?? -1, printed: stdout.split(separator), stderr };
}
