import { mkdir, open, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { homedir } from 'node:os';
import path from 'node:path';
import { CommandFailure, fileFailure, systemCode } from '../failure.ts';
import type { Surroundings } from '../surroundings.ts';

/** A file as it was when the import began. */
export interface KnownFile {
  /** Absolute. */
  readonly path: string;
  readonly bytes: number;
  /** ms since the epoch */
  readonly modifiedAt: number;
}

/** What `resume` needs to go on. Holds no key, and of secret options only that they were given. */
export interface ImportState {
  readonly version: 1;
  readonly jobId: string;
  readonly startedAt: number;
  readonly url: string;
  readonly app?: string | undefined;
  readonly provider: string;
  readonly file: KnownFile;
  /** Made from the standard input: removed with the state. */
  readonly isSpooled: boolean;
  readonly related: Readonly<Record<string, KnownFile>>;
  readonly options: Readonly<Record<string, string>>;
  readonly secretOptions: readonly string[];
  readonly tenant?: string | undefined;
  /** Absolute. */
  readonly rejectsFile: string;
}

/** `$XDG_STATE_HOME/carryover`, by default `~/.local/state/carryover`: one small file for each unfinished import. */
export class StateFiles {
  readonly folder: string;

  constructor({ environment }: Surroundings) {
    const base = environment.XDG_STATE_HOME;
    const home = environment.HOME ?? homedir();
    this.folder = path.join(
      base && path.isAbsolute(base) ? base : path.join(home, '.local/state'),
      'carryover',
    );
  }

  /** For what only the own user may read. @throws CommandFailure */
  async makeFolder(): Promise<void> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 }).catch((error: unknown) => {
      throw fileFailure(this.folder, error);
    });
  }

  /** Whole or not at all. @throws CommandFailure */
  async save(state: ImportState): Promise<void> {
    await this.makeFolder();
    const file = this.#fileOf(state.jobId);
    const draft = `${file}.draft`;
    try {
      const handle = await open(draft, 'w', 0o600);
      await handle.writeFile(`${JSON.stringify(state, undefined, 2)}\n`);
      await handle.close();
      await rename(draft, file);
    } catch (error) {
      throw fileFailure(file, error);
    }
  }

  /** The import is over. */
  async remove(state: ImportState): Promise<void> {
    await rm(this.#fileOf(state.jobId), { force: true });
    if (state.isSpooled) await rm(state.file.path, { force: true });
  }

  /** @throws CommandFailure when there is none of this id */
  async get(jobId: string): Promise<ImportState> {
    const state = await read(this.#fileOf(jobId));
    if (state) return state;
    throw new CommandFailure(
      `Nothing is known here of an unfinished import ${JSON.stringify(jobId)}: resume it on the machine and as the user that began it`,
    );
  }

  /** The one that began last. @throws CommandFailure when there is none */
  async getNewest(): Promise<ImportState> {
    const names = await readdir(this.folder).catch((): string[] => []);
    const files = names.filter((name) => name.endsWith('.json'));
    const states = await Promise.all(files.map((name) => read(path.join(this.folder, name))));
    const [newest] = states.flatMap((state) => state ?? []).sort((a, b) => b.startedAt - a.startedAt);
    if (newest) return newest;
    throw new CommandFailure('There is no unfinished import here to resume');
  }

  #fileOf(jobId: string): string {
    return path.join(this.folder, `${jobId.replace(/[^\w-]/g, '_')}.json`);
  }
}

async function read(file: string): Promise<ImportState | undefined> {
  try {
    const state = JSON.parse(await readFile(file, 'utf8')) as ImportState;
    // A later release's state is none of ours.
    return (state.version as number) === 1 ? state : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw fileFailure(file, error);
  }
}

/** @throws CommandFailure for what is no readable file */
export async function knownFile(file: string): Promise<KnownFile> {
  try {
    const handle = await open(file, 'r');
    await handle.close();
    const found = await stat(file);
    if (found.isDirectory()) throw new CommandFailure(`${file}: is a folder: give one of the files in it`);
    if (!found.isFile())
      throw new CommandFailure(`${file}: is no plain file: use - to read the standard input`);
    return { path: file, bytes: found.size, modifiedAt: Math.floor(found.mtimeMs) };
  } catch (error) {
    throw error instanceof CommandFailure ? error : fileFailure(file, error);
  }
}

/** Whether the file is the one that it was. @throws CommandFailure when there is none any more */
export async function isUnchanged(known: KnownFile): Promise<boolean> {
  const now = await knownFile(known.path);
  return now.bytes === known.bytes && now.modifiedAt === known.modifiedAt;
}

/** @throws CommandFailure when the file is not the one that it was */
export async function requireUnchanged(known: KnownFile): Promise<void> {
  if (await isUnchanged(known)) return;
  throw new CommandFailure(
    `${known.path}: has changed since the import began: import it anew (who is there already counts as unchanged)`,
  );
}
