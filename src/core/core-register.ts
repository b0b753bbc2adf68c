import { randomUUID } from 'node:crypto';
import type { CoreReport, CoreStore, ListedCore, ReportedDay } from '../store/cores.ts';

const beatMs = 5000;
/** A lower count holds once as many beats in turn found it: a server that crashed forgets the rows, and their cores are still here. */
const beatsToForget = 3;

/** Which cores use the database, from a row of each that it renews every five seconds. */
export class CoreRegister {
  readonly #store: CoreStore;
  readonly #version: string;
  readonly #id = randomUUID();
  #counts: readonly number[] = [1];
  #report: (() => Promise<CoreReport>) | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isListed = false;
  #isOver = false;

  constructor(store: CoreStore, version: string) {
    this.#store = store;
    this.#version = version;
  }

  /** With this one. The last count stays if the database is away. */
  get count(): number {
    return Math.max(...this.#counts);
  }

  /** All of them, this one with them. @throws errors of the database */
  async list(): Promise<readonly (ListedCore & { readonly isThis: boolean })[]> {
    const cores = await this.#store.list();
    return cores.map((core) => ({ ...core, isThis: core.id === this.#id }));
  }

  /** The last days of the cores, also of those that have ended. @throws errors of the database */
  days(): Promise<readonly ReportedDay[]> {
    return this.#store.days();
  }

  /** From the next time on its row has this. */
  report(report: () => Promise<CoreReport>): void {
    this.#report = report;
  }

  /** Resolves when the cores were counted once, or that failed. */
  start(): Promise<void> {
    return this.#beat();
  }

  /**
   * The others stop counting this core. The last report has until the connections are closed, since the database may be away: a row
   * that is left, or put back by a beat under way, expires.
   */
  async stop(): Promise<void> {
    this.#isOver = true;
    clearTimeout(this.#timer);
    if (!this.#isListed) return;
    const report = await this.#report?.();
    this.#store.leave(this.#id, report).catch(() => undefined);
  }

  async #beat(): Promise<void> {
    try {
      const count = 1 + (await this.#store.renew(this.#id, this.#version, await this.#report?.()));
      this.#counts = [...this.#counts, count].slice(-beatsToForget);
      this.#isListed = true;
    } catch {
      // An unreachable database is reported by what needs it.
    }
    if (this.#isOver) return;
    this.#timer = setTimeout(() => void this.#beat(), beatMs);
    this.#timer.unref();
  }
}
