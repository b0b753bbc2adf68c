/** The front end of uWebSockets.js, a native addon that this import loads. */
import * as library from 'uWebSockets.js';
import { App, type us_listen_socket, us_listen_socket_close, us_socket_local_port } from 'uWebSockets.js';
import type { FrontEnd, NativeServer, Serve } from './native.ts';
import { UnreadConnections } from './unread-connections.ts';

/** The types lack this form of `listen`, and export the option under a wrong name. */
interface Listening {
  listen(
    host: string,
    port: number,
    option: number,
    done: (socket: us_listen_socket | false) => void,
  ): unknown;
}

/** By default processes may share a port: a second core would start, and get half of the connections. */
const exclusively = (library as unknown as { readonly LIBUS_LISTEN_EXCLUSIVE_PORT: number })
  .LIBUS_LISTEN_EXCLUSIVE_PORT;

/** @param onUnread called once, when connections close before a request is served: see UnreadConnections */
export function uWebSocketsFrontEnd(onUnread: () => void): FrontEnd {
  return (serve) => uWebSocketsServer(serve, new UnreadConnections(onUnread));
}

function uWebSocketsServer(serve: Serve, connections: UnreadConnections): NativeServer {
  const app = App();
  withoutVersion();
  // Called with 1 for a connection that opens, and -1 for one that closes.
  app.filter((_response, change) => {
    if (change > 0) connections.opened();
    else connections.closed();
  });
  // One handler for all: the contract's order of checks differs from the native router's.
  app.any('/*', (response, request) => {
    connections.requests++;
    serve(response, request);
  });
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

/** Removes the header with library and version. The types lack the switch. */
function withoutVersion(): void {
  const { _cfg: configure } = library as { readonly _cfg?: (word: string) => void };
  configure?.('silent');
}
