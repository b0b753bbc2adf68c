/** The real program as one of several cores: killed, paused, cut off from a database or slowed, and started again at its address. */
import { setTimeout as delay } from 'node:timers/promises';
import { type CuttableWay, openCuttableWay } from './cuttable-way.ts';
import { freePort } from './free-port.ts';
import { type Program, runMain } from './process.ts';
import { openSlowWay, type SlowWay } from './slow-way.ts';

type Environment = Readonly<Record<string, string>>;

/** To a database. */
interface Way {
  readonly uri: string;
  readonly cuttable: CuttableWay;
  readonly slow: SlowWay;
}

async function openWay(database: string): Promise<Way> {
  const uri = new URL(database);
  const slow = await openSlowWay(Number(uri.port));
  const cuttable = await openCuttableWay('127.0.0.1', slow.port);
  uri.port = String(cuttable.port);
  return { uri: uri.href, cuttable, slow };
}

export class MortalCore {
  readonly url: string;
  readonly #environment: Environment;
  readonly #ways: readonly Way[];
  #program: Program;
  #ready: Promise<void>;

  private constructor(environment: Environment, ways: readonly Way[]) {
    this.#environment = environment;
    this.#ways = ways;
    this.url = `http://127.0.0.1:${environment.PORT}`;
    this.#program = runMain({ environment });
    this.#ready = this.#whenReady();
  }

  /**
   * Resolves before it is ready.
   * @param databases their addresses, over TCP of this machine
   * @param environmentOf the settings, with the addresses that the core gets for these databases
   */
  static async start(
    databases: readonly string[],
    environmentOf: (uris: readonly string[]) => Environment,
  ): Promise<MortalCore> {
    const ways = await Promise.all(databases.map(openWay));
    const environment = environmentOf(ways.map(({ uri }) => uri));
    const PORT = String(await freePort());
    return new MortalCore({ HOST: '127.0.0.1', ...environment, PORT }, ways);
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

  /** @param database its position in the list */
  async cutOff(ms: number, database = 0): Promise<void> {
    const way = this.#ways[database]?.cuttable;
    way?.cut();
    await delay(ms);
    way?.mend();
  }

  /** @param delayMs added to each round trip to a database */
  async slow(delayMs: number, ms: number): Promise<void> {
    for (const { slow } of this.#ways) slow.delayMs = delayMs;
    await delay(ms);
    for (const { slow } of this.#ways) slow.delayMs = 0;
  }

  async end(): Promise<void> {
    await this.#program.end('SIGKILL');
    await Promise.all(this.#ways.flatMap(({ cuttable, slow }) => [cuttable.close(), slow.close()]));
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
