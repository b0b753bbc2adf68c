import { open, readdir, readFile, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { CommandError, fileError, systemCode } from '../command-error.ts';
import type { KnownFile } from '../input/files/known-file.ts';
import type { Several } from '../input/files/several.ts';
import type { Reading } from '../../exports/readers/reading.ts';
import { makeStateFolder, stateFolder } from '../state-folder.ts';
import type { Surroundings } from '../surroundings.ts';

/** The state from which `resume` continues. Contains no key, and of secret options only that they were given. */
export interface ImportState {
  readonly version: 1;
  readonly jobId: string;
  readonly startedAt: number;
  readonly url: string;
  readonly app?: string | undefined;
  readonly provider: string;
  readonly file: KnownFile;
  readonly several?: Several | undefined;
  /** A copy of the standard input: removed with the state. */
  readonly isSpooled: boolean;
  readonly related: Readonly<Record<string, KnownFile>>;
  readonly options: Readonly<Record<string, string>>;
  readonly secretOptions: readonly string[];
  readonly tenant?: string | undefined;
  readonly reading?: Reading | undefined;
  /** The file is imported even if it is not all of the input. */
  readonly isPartial?: boolean | undefined;
  /** The upload states rejects of the conversion. Older versions did not. */
  readonly statesRejects?: boolean | undefined;
  /** Absolute; undefined if the run has none. */
  readonly runFolder?: string | undefined;
  /** Absolute. */
  readonly rejectsFile: string;
}

/** One small file in the state folder for each unfinished import. */
export class StateFiles {
  readonly #surroundings: Surroundings;
  readonly #folder: string;

  constructor(surroundings: Surroundings) {
    this.#surroundings = surroundings;
    this.#folder = stateFolder(surroundings);
  }

  /** Called before a job is created that could not be stored. @throws CommandError */
  async prepare(): Promise<void> {
    await makeStateFolder(this.#surroundings);
  }

  /** Atomic. @throws CommandError */
  async save(state: ImportState): Promise<void> {
    await makeStateFolder(this.#surroundings);
    const file = this.#fileOf(state.jobId);
    const draft = `${file}.draft`;
    try {
      const handle = await open(draft, 'w', 0o600);
      await handle.writeFile(`${JSON.stringify(state, undefined, 2)}\n`);
      await handle.close();
      await rename(draft, file);
    } catch (error) {
      throw fileError(file, error);
    }
  }

  /** Called when the import is over. */
  async remove(state: ImportState): Promise<void> {
    await rm(this.#fileOf(state.jobId), { force: true });
    if (state.isSpooled) await rm(state.file.path, { force: true });
  }

  /** @throws CommandError when no run has this id */
  async get(jobId: string): Promise<ImportState> {
    const state = await read(this.#fileOf(jobId));
    if (state) return state;
    throw new CommandError(
      `Nothing is known here of an unfinished import ${JSON.stringify(jobId)}: resume it on the machine and as the user that began it`,
    );
  }

  /** The one that began last. @throws CommandError if there are no state files */
  async getNewest(): Promise<ImportState> {
    const names = await readdir(this.#folder).catch((): string[] => []);
    const files = names.filter((name) => name.endsWith('.json'));
    const states = await Promise.all(files.map((name) => read(path.join(this.#folder, name))));
    const [newest] = states.flatMap((state) => state ?? []).sort((a, b) => b.startedAt - a.startedAt);
    if (newest) return newest;
    throw new CommandError('There is no unfinished import here to resume');
  }

  #fileOf(jobId: string): string {
    return path.join(this.#folder, `${jobId.replace(/[^\w-]/g, '_')}.json`);
  }
}

async function read(file: string): Promise<ImportState | undefined> {
  try {
    const state = JSON.parse(await readFile(file, 'utf8')) as ImportState;
    // The state of a later release cannot be read.
    return (state.version as number) === 1 ? state : undefined;
  } catch (error) {
    if (systemCode(error) === 'ENOENT' || error instanceof SyntaxError) return undefined;
    throw fileError(file, error);
  }
}
