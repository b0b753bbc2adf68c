import type { Database } from '../../database/database.ts';

/** How often a core looks for moves that lead, while users sign in. */
const intervalMs = 5000;

const leading = 'select m.app_no as "appNo" from moves m where m.stage = 3';

/**
 * The apps whose move leads, so that sign-ins of all others cost nothing: of all sign-ins of a core, one in five seconds starts a
 * statement, and none waits for it. A step that another core takes is known after that time.
 */
export class LeadingApps {
  readonly #databases: readonly Pick<Database, 'read'>[];
  readonly #onLost: (error: unknown) => void;
  /** By database: one that is away keeps its own as they were. */
  readonly #apps: ReadonlySet<number>[];
  #readAt = -Infinity;

  constructor(databases: readonly Pick<Database, 'read'>[], onLost: (error: unknown) => void) {
    this.#databases = databases;
    this.#onLost = onLost;
    this.#apps = databases.map(() => new Set());
  }

  has(appNo: number): boolean {
    if (performance.now() - this.#readAt >= intervalMs) void this.refresh();
    return this.#apps.some((apps) => apps.has(appNo));
  }

  /** Never rejects. */
  async refresh(): Promise<void> {
    this.#readAt = performance.now();
    await Promise.all(this.#databases.map((database, at) => this.#refreshAt(database, at)));
  }

  async #refreshAt({ read }: Pick<Database, 'read'>, at: number): Promise<void> {
    try {
      const rows = await read<{ appNo: number }>(leading);
      this.#apps[at] = new Set(rows.map(({ appNo }) => appNo));
    } catch (error) {
      this.#onLost(error);
    }
  }
}
