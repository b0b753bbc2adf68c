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

/** A server that has not answered by then, such as one cut off from the network, no longer delays the next in the list. */
const headStartMs = 500;

/** A server that cannot be used, and why. */
interface Unfit {
  readonly server: Server;
  readonly why: string;
  /** Undefined if it answered and is of another kind. */
  readonly code: string | undefined;
}

/**
 * Finds the server of a connection URI: the first that answers and is of the requested kind (PostgreSQL 18 manual, 32.1.1.3). A
 * server that refuses the role ends the search, as in libpq. Unlike libpq the search does not wait for the timeout of a silent
 * server before it tries the next one.
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
    const found = Promise.withResolvers<Server>();
    found.promise.catch(() => undefined); // awaited below, perhaps later
    const judged: Promise<Unfit | undefined>[] = [];
    for (const server of this.#target.servers) {
      const outcome = this.#judge(server, found);
      judged.push(outcome);
      const isSettled = found.promise.then(() => undefined);
      const unfit = await withinHeadStart(Promise.race([outcome, isSettled]));
      if (unfit === undefined) return found.promise;
    }
    const all = Promise.all(judged).then((each) => each.filter((unfit) => unfit !== undefined));
    return Promise.race([found.promise, all.then((unfit) => this.#leastUnfit(unfit))]);
  }

  /** @returns undefined once it has settled `found`: the server is of the requested kind, or refuses the role. Never rejects. */
  async #judge(server: Server, found: PromiseWithResolvers<Server>): Promise<Unfit | undefined> {
    const where = `${server.host}:${server.port}`;
    try {
      const state = await this.#look(server);
      if (!fits[this.#target.kind](state)) {
        const kind = state.isStandby ? 'a standby' : state.isReadOnly ? 'read-only' : 'a primary';
        return { server, why: `${where} is ${kind}`, code: undefined };
      }
      found.resolve(server);
    } catch (error) {
      if (!isRefusedConnection(error))
        return { server, why: `${where}: ${reasonOf(error)}`, code: codeOf(error) };
      found.reject(error);
    }
    return undefined;
  }

  #leastUnfit(unfit: readonly Unfit[]): Server {
    const { kind } = this.#target;
    const answering = unfit.find(({ code }) => code === undefined);
    if (kind === 'prefer-standby' && answering !== undefined) return answering.server;
    const code = answering === undefined ? (unfit.at(-1)?.code ?? 'CONNECT_TIMEOUT') : wrongKind;
    const reasons = unfit.map(({ why }) => why).join('; ');
    throw Object.assign(new Error(`no server is ${kind} (${reasons})`), { code });
  }
}

/** @returns what `search` finds, or null after the head start. @throws what it throws */
async function withinHeadStart<Found>(search: Promise<Found>): Promise<Found | null> {
  const over = Promise.withResolvers<null>();
  const timer = setTimeout(over.resolve, headStartMs, null);
  try {
    return await Promise.race([search, over.promise]);
  } finally {
    clearTimeout(timer);
  }
}

/** Error code: servers answer, but none is of the requested kind. */
export const wrongKind = 'NO_SUCH_SERVER';
