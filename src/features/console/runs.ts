/**
 * Runs of the command `carryover` for the console: inspecting, trying and importing files, reading databases. Each is a process of
 * its own, so the conversion is the command's, its memory is given back, and a tab that is closed does not end it.
 */
import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import { Refusal } from '../../domain/errors.ts';
import type { KeyHolder } from '../../domain/access/key-holder.ts';
import type { Grant } from '../../process/keys/key-ring.ts';
import { type RunningCommand, startCommand } from './command-process.ts';
import {
  commandLine,
  type CommandLine,
  type OwnCore,
  readsDatabase,
  type RunFiles,
  shownAddress,
} from './command-line.ts';
import { keptMs, type StagedFiles } from './files.ts';
import type { Run } from './model.ts';
import type { ConsoleInputs } from './schema.ts';

/** One at a time: an import takes all threads for parsing anyway. */
const mostWaiting = 8;
/** Runs that have ended and are still shown. */
const mostShown = 50;
/** Characters of what a run prints. */
const mostSaid = 16_384;
const defaultLookMs = 60_000;

export interface RunParts {
  readonly files: StagedFiles;
  /** Folder of the runs' folders. */
  readonly base: string;
  /** @returns undefined until the core listens */
  readonly url: () => string | undefined;
  /** A key for one run, with the rights of the key that began it. */
  readonly grant: (holder: KeyHolder) => Grant;
  readonly now: () => number;
  /** The program, and what Node needs to run it. */
  readonly program: readonly string[];
  /** Between two looks at whether runs have their rights still. Default: a minute. */
  readonly lookMs?: number;
}

interface Asked {
  readonly input: ConsoleInputs['startRun'];
  readonly appId: string;
  readonly holder: KeyHolder;
  /** Whether the session that began it is there still; left out: that of a key, which the grant knows. */
  readonly isPresent?: (() => Promise<boolean>) | undefined;
}

type Mutable = { -readonly [Key in keyof Run]: Run[Key] };

interface Kept {
  readonly run: Mutable;
  readonly appId: string;
  readonly folder: string;
  /** Ids of all files that it needs. */
  readonly files: readonly string[];
  /** With keys of the old system, so it is dropped when the run ends. */
  line: CommandLine | undefined;
  readonly grant: Grant;
  readonly isPresent: Asked['isPresent'];
  child: RunningCommand | undefined;
}

/**
 *   state     ends by
 *   waiting   its turn → running; stop, or the end of its rights → ended
 *   running   the end of its process → ended; stop, or the end of its rights → SIGTERM, and SIGKILL after 10 s
 *   ended     removed when 50 newer ones have ended, or with the core
 *
 * Invariants: at most one runs and eight wait. A run's key is valid until it has ended, unless the key that began it is revoked before.
 */
export class Runs {
  readonly #parts: RunParts;
  readonly #kept = new Map<string, Kept>();
  readonly #timer: NodeJS.Timeout;
  #isClosed = false;

  constructor(parts: RunParts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#look(), parts.lookMs ?? defaultLookMs);
    this.#timer.unref();
  }

  /** @throws Refusal OVERLOADED when too many wait, INVALID_FIELD, NOT_FOUND for a file that is not here */
  async start({ input, appId, holder, isPresent }: Asked): Promise<Run> {
    const url = this.#parts.url();
    if (url === undefined) throw new Refusal('SHUTTING_DOWN');
    this.#requireRoom();
    const id = randomUUID();
    const folder = path.join(this.#parts.base, id);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    const { fileId, ...files } = await this.#filesOf(input, appId, folder);
    try {
      // Others may have come while the files were looked up.
      this.#requireRoom();
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      if (fileId !== undefined) await this.#parts.files.remove(appId, fileId);
      throw error;
    }
    const line = commandLine(input, files, { url, appId } satisfies OwnCore);
    const subject = readsDatabase(input)
      ? [shownAddress(input.address ?? '')]
      : files.files.map((file) => path.basename(file));
    const run: Mutable = {
      id,
      kind: input.kind,
      subject,
      input: withoutSecrets(input),
      state: 'waiting',
      by: holder.name,
      at: this.#parts.now(),
      endedAt: undefined,
      exitCode: undefined,
      said: '',
      result: undefined,
      jobId: undefined,
      fileId,
      command: line.shown,
    };
    const grant = this.#parts.grant(holder);
    const used = filesOf(input, fileId);
    this.#kept.set(id, { run, appId, folder, files: used, line, grant, isPresent, child: undefined });
    this.#startNext();
    return run;
  }

  /** Newest first. */
  async list(appId: string): Promise<Run[]> {
    const kept = [...this.#kept.values()].filter((each) => each.appId === appId);
    await Promise.all(kept.map(findJob));
    return kept.map(({ run }) => run).reverse();
  }

  /** @throws Refusal NOT_FOUND */
  async find(appId: string, id: string): Promise<Run & { readonly folder: string }> {
    const kept = this.#require(appId, id);
    await findJob(kept);
    return { ...kept.run, folder: kept.folder };
  }

  /** For what the command has written, which is whole at its end. @throws Refusal NOT_FOUND, RUN_NOT_ENDED */
  async findEnded(appId: string, id: string): Promise<Run & { readonly folder: string }> {
    const run = await this.find(appId, id);
    if (run.state !== 'ended') throw new Refusal('RUN_NOT_ENDED');
    return run;
  }

  /** A running one is interrupted as by Ctrl-C: what is committed stays. @throws Refusal NOT_FOUND */
  stop(appId: string, id: string): Run {
    const kept = this.#require(appId, id);
    this.#stop(kept);
    return kept.run;
  }

  /** Ids of the files of runs that have not ended. */
  get filesInUse(): ReadonlySet<string> {
    const open = [...this.#kept.values()].filter(({ run }) => run.state !== 'ended');
    return new Set(open.flatMap(({ files }) => files));
  }

  /** Folders of runs that ended with an earlier process, a day after. @returns their number */
  async removeOld(now: number): Promise<number> {
    const names = await readdir(this.#parts.base).catch(() => []);
    const left = names
      .filter((name) => !this.#kept.has(name))
      .map((name) => path.join(this.#parts.base, name));
    const old = await Promise.all(left.map(async (folder) => ({ folder, at: (await stat(folder)).mtimeMs })));
    const gone = old.filter(({ at }) => at < now - keptMs);
    for (const { folder } of gone) await rm(folder, { recursive: true, force: true });
    return gone.length;
  }

  /** Stops all, and waits for their processes. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    const running = [...this.#kept.values()].flatMap(({ child }) => child ?? []);
    await Promise.all(running.map((child) => child.stop()));
  }

  /** @throws Refusal SHUTTING_DOWN, OVERLOADED */
  #requireRoom(): void {
    if (this.#isClosed) throw new Refusal('SHUTTING_DOWN');
    if (this.#waiting().length >= mostWaiting)
      throw new Refusal('OVERLOADED', `${mostWaiting} runs wait already: try again when some have ended`);
  }

  #require(appId: string, id: string): Kept {
    const kept = this.#kept.get(id);
    if (kept?.appId !== appId)
      throw new Refusal(
        'NOT_FOUND',
        'This core does not know the run: it ended long ago, the core was restarted since, or it runs on another core of the group. The jobs of all cores are in the list of imports',
      );
    return kept;
  }

  #waiting(): Kept[] {
    return [...this.#kept.values()].filter(({ run }) => run.state === 'waiting');
  }

  async #filesOf(
    input: ConsoleInputs['startRun'],
    appId: string,
    folder: string,
  ): Promise<RunFiles & { readonly fileId: string | undefined }> {
    const { files: ids = [], canaries, related = {} } = input;
    const { files } = this.#parts;
    const pathOf = (id: string) => files.pathOf(appId, id);
    const named = Object.entries(related as Readonly<Record<string, unknown>>);
    const paths = await Promise.all(
      named.map(async ([option, id]) => [option, await pathOf(String(id))] as const),
    );
    const read =
      input.kind === 'read-database'
        ? await files.create(appId, `${input.from ?? 'users'}.ndjson`, undefined)
        : undefined;
    return {
      files: await Promise.all(ids.map(pathOf)),
      canaries: canaries === undefined ? undefined : await pathOf(canaries),
      related: Object.fromEntries(paths),
      folder,
      out: read === undefined ? undefined : await files.pathOf(appId, read.id),
      fileId: read?.id,
    };
  }

  #stop(kept: Kept): void {
    if (kept.run.state === 'waiting') this.#end(kept, undefined);
    else if (kept.child !== undefined) void kept.child.stop();
  }

  /** Stops runs without rights: also what asks no core, such as reading a database. */
  async #look(): Promise<void> {
    for (const kept of this.#kept.values()) {
      const { run, grant, isPresent } = kept;
      if (run.state === 'ended' || (grant.isValid() && (await isTrue(isPresent)))) continue;
      grant.revoke();
      run.said += `Stopped: the key or the session of ${run.by} that began it is no longer valid.\n`;
      this.#stop(kept);
    }
  }

  #startNext(): void {
    const isBusy = [...this.#kept.values()].some(({ run }) => run.state === 'running');
    const [next] = this.#waiting();
    if (isBusy || this.#isClosed || next === undefined) return;
    this.#spawn(next);
  }

  #spawn(kept: Kept): void {
    const { line, folder, grant, run } = kept;
    if (line === undefined) return;
    const { base, program } = this.#parts;
    run.state = 'running';
    kept.child = startCommand(
      program,
      { line, folder, key: grant.key },
      {
        onSaid: (text) => {
          run.said = withoutFolders(run.said + text, base).slice(-mostSaid);
        },
        onEnd: (printed, exitCode) => {
          run.result = parsed(withoutFolders(printed, base));
          if (run.kind === 'compare') run.jobId = jobIn(run.result);
          this.#end(kept, exitCode);
        },
      },
    );
  }

  #end(kept: Kept, exitCode: number | undefined): void {
    kept.child = undefined;
    kept.line = undefined;
    const { run, grant } = kept;
    grant.revoke();
    run.state = 'ended';
    run.endedAt = this.#parts.now();
    run.exitCode = exitCode ?? 130;
    const ended = [...this.#kept.values()].filter(({ run: { state } }) => state === 'ended');
    for (const old of ended.slice(0, Math.max(0, ended.length - mostShown))) {
      this.#kept.delete(old.run.id);
      void rm(old.folder, { recursive: true, force: true });
    }
    this.#startNext();
  }
}

/** What cannot be looked up now holds. */
function isTrue(is: Asked['isPresent']): Promise<boolean> {
  return is?.().catch(() => true) ?? Promise.resolve(true);
}

function folderOf(base: string): RegExp {
  const literal = path.dirname(base).replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`${literal}/(?:files|runs)/[0-9a-f-]{36}/`, 'g');
}

/** Folders of the core are of no use to people. */
function withoutFolders(text: string, base: string): string {
  return text.replaceAll(folderOf(base), '');
}

function withoutSecrets({ secrets: _secrets, address, ...rest }: ConsoleInputs['startRun']) {
  return { ...rest, ...(address !== undefined && { address: shownAddress(address) }) };
}

function filesOf(input: ConsoleInputs['startRun'], fileId: string | undefined): string[] {
  const { files = [], canaries, related = {} } = input;
  return [...files, canaries, fileId, ...Object.values(related)].flatMap((id) =>
    typeof id === 'string' ? id : [],
  );
}

/** The last line, because some commands print more. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text.trim().split('\n').at(-1) ?? '');
  } catch {
    return undefined;
  }
}

/** Of a comparison. */
function jobIn(result: unknown): string | undefined {
  const { job } = (result ?? {}) as { readonly job?: unknown };
  return typeof job === 'string' ? job : undefined;
}

/** The command makes a folder with the name of its job. */
async function findJob({ run, folder }: Kept): Promise<void> {
  if (run.jobId !== undefined || (run.kind !== 'import' && run.kind !== 'dry-run')) return;
  const names = await readdir(folder).catch(() => []);
  run.jobId = names.find((name) => jobName.test(name));
}

const jobName = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
