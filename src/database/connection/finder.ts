import { reasonOf } from '../../process/log.ts';
import { codeOf, isRefusedConnection } from '../sqlstate.ts';
import type { Server, ServerKind, UriTarget } from './uri.ts';

export interface ServerState {
  readonly isStandby: boolean;
  /** True for a standby, too. */
  readonly isReadOnly: boolean;
}

/** Connects, reads the state and disconnects. Rejects within about the connect timeout. */
export type Look = (server: Server) => Promise<ServerState>;

const fits: Readonly<Record<ServerKind, (state: ServerState) => boolean>> = {
  any: () => true,
  'read-write': ({ isReadOnly }) => !isReadOnly,
  'read-only': ({ isReadOnly }) => isReadOnly,
  primary: ({ isStandby }) => !isStandby,
  standby: ({ isStandby }) => isStandby,
  'prefer-standby': ({ isStandby }) => isStandby,
};

/** Connections are lost together, so a result is shared for this time. */
const validMs = 1000;

/**
 * Finds the server of a connection URI: the first that answers and is of the requested kind (PostgreSQL 18 manual, 32.1.1.3). A
 * server that refuses the role ends the search, as in libpq.
 */
export class ServerFinder {
  readonly #target: UriTarget;
  readonly #look: Look;
  #found: { readonly server: Promise<Server>; validUntil: number } | undefined;

  constructor(target: UriTarget, look: Look) {
    this.#target = target;
    this.#look = look;
  }

  /** @throws Error with a code that sqlstate.ts knows, and the reason for each server */
  find(): Promise<Server> {
    if (this.#found && performance.now() < this.#found.validUntil) return this.#found.server;
    const found = { server: this.#search(), validUntil: Infinity };
    this.#found = found;
    found.server.then(
      () => (found.validUntil = performance.now() + validMs),
      () => (found.validUntil = 0),
    );
    return found.server;
  }

  async #search(): Promise<Server> {
    const { servers, kind } = this.#target;
    const useless: string[] = [];
    let last = 'CONNECT_TIMEOUT';
    let next: Server | undefined;
    for (const server of servers) {
      const where = `${server.host}:${server.port}`;
      try {
        const state = await this.#look(server);
        if (fits[kind](state)) return server;
        next ??= server;
        useless.push(
          `${where} is ${state.isStandby ? 'a standby' : state.isReadOnly ? 'read-only' : 'a primary'}`,
        );
      } catch (error) {
        if (isRefusedConnection(error)) throw error;
        last = codeOf(error);
        useless.push(`${where}: ${reasonOf(error)}`);
      }
    }
    if (kind === 'prefer-standby' && next !== undefined) return next;
    const code = next === undefined ? last : wrongKind;
    throw Object.assign(new Error(`no server is ${kind} (${useless.join('; ')})`), { code });
  }
}

/** Error code: servers answer, but none is of the requested kind. */
export const wrongKind = 'NO_SUCH_SERVER';
