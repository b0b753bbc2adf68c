/** A TCP proxy that can be cut as a network is: bytes vanish, and no side sees an end. */
import { once } from 'node:events';
import net from 'node:net';

export interface CuttableWay {
  readonly port: number;
  cut(): void;
  /** Connections from the time of the cut are reset. */
  mend(): void;
  close(): Promise<void>;
}

export async function openCuttableWay(host: string, port: number): Promise<CuttableWay> {
  const sockets = new Set<net.Socket>();
  let isCut = false;
  const forward = (from: net.Socket, to: net.Socket): void => {
    sockets.add(from);
    from.on('data', (bytes) => {
      if (!isCut) to.write(bytes);
    });
    from.on('error', () => undefined);
    from.on('close', () => {
      sockets.delete(from);
      if (!isCut) to.destroy();
    });
  };
  const server = net.createServer((client) => {
    const target = net.connect(port, host);
    forward(client, target);
    forward(target, client);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const reset = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as net.AddressInfo).port,
    cut: () => {
      isCut = true;
    },
    mend: () => {
      reset();
      isCut = false;
    },
    close: async () => {
      server.close();
      reset();
      await once(server, 'close');
    },
  };
}
