/** The files of examples/patroni, with addresses and passwords of a test. */
import { readFileSync } from 'node:fs';
import { freePort } from './free-port.ts';

export type NodeName = 'pg-1' | 'pg-2' | 'pg-3';
export const names = ['pg-1', 'pg-2', 'pg-3'] as const;

export const passwords = {
  SUPERUSER: 'of-postgres',
  REPLICATION: 'of-replicator',
  REWIND: 'of-rewind',
  RESTAPI: 'of-patroni',
};

export const read = (file: string): string =>
  readFileSync(new URL(`../../examples/patroni/${file}`, import.meta.url), 'utf8');

export const variablesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^([A-Z\d_]+)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
  );

/** Of PostgreSQL, Patroni, and etcd for clients and for its members. */
const usualPorts = ['5432', '8008', '2379', '2380'] as const;

/**
 * Addresses and ports for the names and numbers of the example. Each node has its own address of loopback: clients there connect
 * from 127.0.0.1, so that none is given the port of a node that is away.
 */
export class Network {
  readonly #prefix = `127.${random()}.${random()}`;
  readonly #ports = new Map<string, number>();

  static async open(): Promise<Network> {
    const network = new Network();
    const free = new Set<number>();
    while (free.size < usualPorts.length) free.add(await freePort());
    for (const [n, port] of [...free].entries()) network.#ports.set(usualPorts[n] ?? '', port);
    return network;
  }

  host(name: NodeName): string {
    return `${this.#prefix}.${name.slice(3)}`;
  }

  port(usual: string): number {
    const port = this.#ports.get(usual);
    if (port === undefined) throw new Error(`the example has no port ${usual}`);
    return port;
  }

  /** @param own the node whose file it is */
  replaced(text: string, own: NodeName): string {
    return text
      .replaceAll('@NODE@:', `${own}:`)
      .replaceAll('@NODE@', own)
      .replaceAll(/@([A-Z]+)@/g, (_, role: keyof typeof passwords) => passwords[role])
      .replaceAll('0.0.0.0:', `${own}:`)
      .replaceAll(
        /(pg-[123]):(\d+)/g,
        (_, name: NodeName, port: string) => `${this.host(name)}:${this.port(port)}`,
      )
      .replaceAll(/check port (\d+)/g, (_, port: string) => `check port ${this.port(port)}`)
      .replaceAll('10.0.0.0/24', '127.0.0.0/8');
  }
}

const random = (): number => 1 + Math.floor(Math.random() * 254);
