import type { ConfigSources } from '../config/load.ts';
import type { ConvertPool } from '../exports/convert/ports.ts';

/** The command's access to its process. `cli.ts` provides it; no other code touches the process. */
export interface Surroundings {
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** The base of relative paths. */
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
  /** The threads that convert exports: started by the first call, and ended with the process. */
  readonly convertPool: () => Promise<ConvertPool>;
  /** Runs a core in this process until a signal stops it. @throws StartupError */
  readonly serve: (sources: ConfigSources) => Promise<void>;
  /** Migrates the database of the settings to this version. @throws StartupError */
  readonly migrate: (options: MigrateSources) => Promise<MigratedDatabase>;
  /** The effect that `migrate` would have. @throws StartupError */
  readonly foreseeMigration: (sources: DatabaseSources) => Promise<PendingMigration>;
  /** What a core would find there, and what a failover would lose. @throws StartupError for a condition that would stop a core */
  readonly examineDatabase: (sources: DatabaseSources) => Promise<ExaminedDatabaseView>;
  /** Writes the whole database of the settings out. @throws StartupError */
  readonly backup: (options: BackupSources) => Promise<WrittenBackup>;
  /** Moves an app to another place of the settings. @throws StartupError */
  readonly moveApp: (options: MoveSources) => Promise<{ readonly stoppedMs: number }>;
  /** Why nothing can be restored into the database of the settings; undefined if it is empty. @throws StartupError */
  readonly foreseeRestore: (options: NotedSources) => Promise<string | undefined>;
  /** Restores a backup into the database of the settings. @throws StartupError */
  readonly restore: (options: RestoreSources) => Promise<RestoredBackup>;
}

export interface DatabaseSources extends Pick<ConfigSources, 'file' | 'environment'> {
  /** The name of one of the places; left out: the first one. */
  readonly place?: string | undefined;
}

/** See `ExaminedDatabase` of core/examine-database.ts. */
export interface ExaminedDatabaseView {
  readonly servers: readonly { readonly where: string; readonly kind: string; readonly reason?: string }[];
  readonly version: string;
  readonly forgetting: readonly string[];
  readonly clockAheadMs: number;
  readonly failover: { readonly state: string };
  readonly failoverInWords: string;
  readonly isSafe: boolean;
  readonly tables: { readonly pending: readonly number[]; readonly newest: number };
}

/** Progress of a backup or a restore. */
export interface Moved {
  readonly bytes: number;
  /** An estimate; undefined if unknown. */
  readonly total: number | undefined;
  readonly table: string;
}

interface NotedSources extends DatabaseSources {
  /** Receives messages of the core's own PostgreSQL. */
  readonly note: (line: string) => void;
}

interface Moving extends NotedSources {
  readonly onMoved: (moved: Moved) => void;
}

export interface BackupSources extends Moving {
  /** ms since the epoch */
  readonly now: number;
  /** Consumes all of the backup. */
  readonly take: (bytes: AsyncIterable<Uint8Array>) => Promise<void>;
}

export interface WrittenBackup {
  /** Of the database. */
  readonly version: number;
  /** Identifies the backup. */
  readonly sha256: string;
  /** Apps that the database has or names. */
  readonly apps: readonly BackedUpApp[];
  /** The number of rows, by table. */
  readonly rows: ReadonlyMap<string, number>;
  /** Set for a core with an embedded PostgreSQL. */
  readonly dataDir: string | undefined;
}

/** See `BackedUpApp` of core/backup/backup-database.ts. */
export interface BackedUpApp {
  readonly appId: string;
  readonly home: string | null;
  readonly isHeld: boolean;
}

export interface RestoreSources extends Moving {
  readonly source: AsyncIterable<Uint8Array>;
  /** Bytes of the source, if known. */
  readonly total: number | undefined;
  /** That of the backup; left out: any. */
  readonly sha256?: string | undefined;
  readonly interrupt: AbortSignal;
}

export interface RestoredBackup extends Pick<WrittenBackup, 'rows' | 'dataDir'> {
  readonly header: { readonly madeAt: string };
  /** Tables that do not belong to the core. */
  readonly leftOut: readonly string[];
  /** Whether a core there could open the sealed values. */
  readonly hasKeys: boolean;
}

export interface MoveSources extends DatabaseSources {
  readonly appId: string;
  /** A place's name, or how the move ends. */
  readonly step: { readonly to: string } | 'back' | 'confirm';
  readonly interrupt: AbortSignal;
  /** Receives progress, a sentence each. */
  readonly note: (line: string) => void;
}

export interface MigrateSources extends DatabaseSources {
  /** A role that is granted the rights to work with the tables. */
  readonly grantTo: string | undefined;
}

export interface MigratedDatabase {
  /** The versions that were applied now, oldest first. */
  readonly applied: readonly number[];
  readonly version: number;
}

export interface PendingMigration {
  /** The versions that would be applied, oldest first. */
  readonly versions: readonly number[];
  /** The version of the database afterwards. */
  readonly version: number;
  /** For psql. */
  readonly sql: string;
}

export interface Input extends AsyncIterable<Uint8Array> {
  /** Whether it is a terminal. */
  readonly isTTY?: boolean;
  /** For a terminal: whether it sends each key at once, without echo. */
  setRawMode?(isRaw: boolean): unknown;
}

export interface Output extends NodeJS.WritableStream {
  /** Whether it is a terminal. */
  readonly isTTY?: boolean;
  /** For a terminal: its width. */
  readonly columns?: number;
}
