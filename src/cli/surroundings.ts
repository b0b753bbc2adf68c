import type { ConfigSources } from '../config/load.ts';

/** What the command gets from the process that runs it. `cli.ts` fills it in; nothing else touches the process. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Where relative paths start. */
  readonly folder: string;
  readonly stdin: Input;
  /** Results only. */
  readonly stdout: Output;
  /** Progress, notes and errors. */
  readonly stderr: Output;
  /** Aborted by the first Ctrl-C. */
  readonly interrupt: AbortSignal;
  /** ms since the epoch */
  readonly now: () => number;
  /** Runs a core in this process until a signal stops it. @throws StartupError */
  readonly serve: (sources: ConfigSources) => Promise<void>;
  /** Brings the database of the settings to this version. @throws StartupError */
  readonly migrate: (options: MigrateSources) => Promise<MigratedDatabase>;
}

export interface MigrateSources extends ConfigSources {
  /** A role that gets the rights to work with the tables. */
  readonly grantTo: string | undefined;
}

export interface MigratedDatabase {
  /** The versions that were applied now, oldest first. */
  readonly applied: readonly number[];
  readonly version: number;
}

export interface Input extends AsyncIterable<Uint8Array> {
  /** Whether a person types. */
  readonly isTTY?: boolean;
  /** Of a terminal: whether it gives each key at once, and shows none. */
  setRawMode?(isRaw: boolean): unknown;
}

export interface Output extends NodeJS.WritableStream {
  /** Whether a person watches. */
  readonly isTTY?: boolean;
}
