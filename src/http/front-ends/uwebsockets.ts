/** The front end of uWebSockets.js: a native addon. Importing this file loads it. */
import * as library from 'uWebSockets.js';
import { App, type us_listen_socket, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import type { NativeServer, Serve } from './native.ts';

/** The types leave out this form of `listen`, and export the option under a name that the library does not have. */
interface Listening {
  listen(
    host: string,
    port: number,
    option: number,
    done: (socket: us_listen_socket | false) => void,
  ): unknown;
}

/** By default the library shares a port with other processes: a second core would start, and get half of the connections. */
const exclusively = (library as unknown as { readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number })
  .LIBUS_LISTEN_EXCLUSIVE_PORT;

export function uWebSocketsServer(serve: Serve): NativeServer {
  const app = App();
  withoutVersion();
  // One handler for every path and verb: the contract's order of checks is not that of the native router.
  app.any('/*', serve);
  let socket: us_listen_socket | undefined;
  return {
    listen: async (host, port) => {
      const listening = await new Promise<us_listen_socket | false>((resolve) => {
        (app as unknown as Listening).listen(host, port, exclusively, resolve);
      });
      if (listening === false) throw new Error(`cannot listen on ${host}:${port}: is the port taken?`);
      socket = listening;
      return us_socket_local_port(listening);
    },
    stopListening: () => {
      if (socket !== undefined) us_listen_socket_close(socket);
      socket = undefined;
    },
    close: () => {
      app.close();
    },
  };
}

/** No header that names library and version on every answer. The types leave the switch out. */
function withoutVersion(): void {
  const { _cfg: configure } = library as { readonly _cfg?: (word: string) => void };
  configure?.('silent');
}
