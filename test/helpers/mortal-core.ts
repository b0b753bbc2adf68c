/** The real program as one of several cores: killed, paused, cut off from its database or slowed, and started again at its address. */
import { setTimeout as delay } from 'node:timers/promises';
import { type CuttableWay, openCuttableWay } from './cuttable-way.ts';
import { freePort } from './free-port.ts';
import { type Program, runMain } from './process.ts';
import { openSlowWay, type SlowWay } from './slow-way.ts';

export class MortalCore {
  readonly url: string;
  readonly #environment: Readonly<Record<string, string>>;
  readonly #cuttable: CuttableWay;
  readonly #slow: SlowWay;
  #program: Program;
  #ready: Promise<void>;

  private constructor(environment: Readonly<Record<string, string>>, cuttable: CuttableWay, slow: SlowWay) {
    this.#environment = environment;
    this.#cuttable = cuttable;
    this.#slow = slow;
    this.url = `http://127.0.0.1:${environment.PORT}`;
    this.#program = runMain({ environment });
    this.#ready = this.#whenReady();
  }

  /**
   * Resolves before it is ready.
   * @param database as its own role, over TCP of this machine
   */
  static async start(database: string, environment: Readonly<Record<string, string>>): Promise<MortalCore> {
    const uri = new URL(database);
    const slow = await openSlowWay(Number(uri.port));
    const cuttable = await openCuttableWay('127.0.0.1', slow.port);
    uri.port = String(cuttable.port);
    const PORT = String(await freePort());
    const all = { HOST: '127.0.0.1', ...environment, PORT, POSTGRESQL_CONNECTION_URI: uri.href };
    return new MortalCore(all, cuttable, slow);
  }

  get ready(): Promise<void> {
    return this.#ready;
  }

  /** Starts it again at once; `ready` is of the new one. */
  async kill(): Promise<void> {
    await this.#program.end('SIGKILL');
    this.#program = runMain({ environment: this.#environment });
    this.#ready = this.#whenReady();
  }

  async pause(ms: number): Promise<void> {
    const { child } = this.#program;
    child.kill('SIGSTOP');
    await delay(ms);
    child.kill('SIGCONT');
  }

  /** Cut off from the database. */
  async cutOff(ms: number): Promise<void> {
    this.#cuttable.cut();
    await delay(ms);
    this.#cuttable.mend();
  }

  /** @param delayMs added to each round trip to the database */
  async slow(delayMs: number, ms: number): Promise<void> {
    this.#slow.delayMs = delayMs;
    await delay(ms);
    this.#slow.delayMs = 0;
  }

  async end(): Promise<void> {
    await this.#program.end('SIGKILL');
    await Promise.all([this.#cuttable.close(), this.#slow.close()]);
  }

  /** A client that connects while no core listens may be assigned the core's port: then it starts again. */
  async #whenReady(): Promise<void> {
    const program = this.#program;
    try {
      await program.printed(/"msg":"ready"/);
    } catch (error) {
      const [code] = await program.ended;
      if (code === null) return; // killed
      if (!/EADDRINUSE|in use/.test(program.stdout() + program.stderr())) throw error;
      this.#program = runMain({ environment: this.#environment });
      await this.#whenReady();
    }
  }
}
