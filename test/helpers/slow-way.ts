/** A TCP proxy for PostgreSQL that delays every byte; the set time is for both directions together. */
import { once } from 'node:events';
import net from 'node:net';

export interface SlowWay {
  readonly port: number;
  /** Added to a round trip from now on, ms. */
  delayMs: number;
  close(): Promise<void>;
}

export async function openSlowWay(to: number): Promise<SlowWay> {
  const sockets = new Set<net.Socket>();
  const way = { delayMs: 0 };
  const server = net.createServer((client) => {
    const target = net.connect(to, '127.0.0.1');
    for (const [from, onwards] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      // Timers of one duration end in order; a shorter one must not overtake the previous.
      let last = Promise.resolve();
      from.on('data', (bytes) => {
        const due = performance.now() + way.delayMs / 2;
        last = last.then(async () => {
          const ms = due - performance.now();
          if (ms > 0) await new Promise((resolve) => setTimeout(resolve, ms));
          if (onwards.writable) onwards.write(bytes);
        });
      });
      from.on('error', () => onwards.destroy());
      from.on('close', () => {
        sockets.delete(from);
        void last.then(() => onwards.end());
      });
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return Object.assign(way, {
    port: (server.address() as net.AddressInfo).port,
    close: async () => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  });
}
