import { once } from 'node:events';
import type { Express } from 'express';

export interface Listening {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Listens on this machine only.
 * @throws Error that names the setting, if the port is taken
 */
export async function listen(app: Express, port: number, setting: string): Promise<Listening> {
  const server = app.listen(port, 'localhost');
  await once(server, 'listening').catch((cause: unknown) => {
    throw new Error(`port ${port} cannot be used: set ${setting} to another`, { cause });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return {
    url: `http://localhost:${address.port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
