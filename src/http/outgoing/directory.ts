/**
 * LDAP connections of the core, one for each question. TLS is a layer below the client, which gets a ready socket: it would
 * otherwise reconnect without STARTTLS, and accept data that was injected before TLS began.
 */
import { errorMonitor, type EventEmitter, once } from 'node:events';
import { connect as connectPlain, isIP, type Socket } from 'node:net';
import { connect as connectSafe, type TLSSocket } from 'node:tls';
import type { Client, Entry } from 'ldapts';
import type {
  DirectoryEntry,
  DirectoryRequest,
  DirectorySession,
  InDirectory,
} from '../../operations/ports/outgoing.ts';
import { type LookupFunction, lookupWithin, requireReach } from './reach.ts';
import { guidOf, isGuid, objectGuid } from './object-guid.ts';

/** Bytes of all answers of a connection. */
const answersLimit = 65_536;
const startTls = '1.3.6.1.4.1.1466.20037';

/** No complete answer; the message is our own. */
class Broken extends Error {
  readonly code: string;

  constructor(code: string, options?: ErrorOptions) {
    super(code, options);
    this.code = code;
  }
}

/**
 * Always verifies certificates.
 * @param lookup resolves names
 */
export function directoriesBy(lookup: LookupFunction): InDirectory {
  return async (request, work) => {
    requireReach(new URL(request.url).hostname, request.reach);
    const line = new Line(request, lookupWithin(request.reach, lookup));
    try {
      return await work(await sessionOver(line));
    } catch (error) {
      throw line.fault === undefined ? error : new Broken(line.fault, { cause: error });
    } finally {
      line.close();
    }
  };
}

/** A connection that closes at the deadline, and after too many bytes. */
class Line {
  readonly request: DirectoryRequest;
  fault: string | undefined;
  #socket: Socket;
  #bytes = 0;

  constructor(request: DirectoryRequest, lookup: LookupFunction) {
    this.request = request;
    const { port } = new URL(request.url);
    const at = { host: this.host, port: Number(port || (this.isSafeAtOnce ? 636 : 389)) };
    this.#socket = connectPlain({ ...at, lookup });
    this.#watch();
    request.signal.addEventListener('abort', this.#late, { once: true });
    if (request.signal.aborted) this.#late();
  }

  get isSafeAtOnce(): boolean {
    return this.request.url.toLowerCase().startsWith('ldaps:');
  }

  get host(): string {
    return new URL(this.request.url).hostname.replaceAll(/[[\]]/g, '');
  }

  /** @throws Error when it has closed meanwhile */
  async opened(): Promise<void> {
    await this.#happened('connect');
  }

  /** Drops all earlier data: nothing sent in the clear is treated as TLS data. */
  async secure(): Promise<void> {
    const { host, request } = this;
    const plain = this.#socket;
    plain.removeAllListeners();
    const secure: TLSSocket = connectSafe({
      socket: plain,
      host,
      minVersion: 'TLSv1.2',
      rejectUnauthorized: true,
      ...(isIP(host) === 0 && { servername: host }),
      ...(request.ca !== undefined && { ca: request.ca }),
    });
    this.#socket = secure;
    this.#watch();
    await this.#happened('secureConnect');
  }

  /** Counts bytes from now on. The client opens no second connection, which would have no TLS. */
  async client(): Promise<Client> {
    const { Client: LdapClient } = await import('ldapts');
    let taken = false;
    const socket = this.#socket;
    const createConnection = (): Socket => {
      if (taken || socket.destroyed) throw new Broken(this.fault ?? 'CLOSED');
      taken = true;
      return socket;
    };
    socket.on('data', (chunk: Buffer) => {
      this.#bytes += chunk.length;
      if (this.#bytes > answersLimit) this.#end('ANSWER_TOO_LARGE');
    });
    return new LdapClient({ url: 'ldap://connected', createConnection });
  }

  close(): void {
    this.request.signal.removeEventListener('abort', this.#late);
    this.#socket.destroy();
  }

  readonly #late = (): void => {
    this.#end('TIMEOUT');
  };

  #end(fault: string): void {
    this.fault ??= fault;
    this.#socket.destroy();
  }

  /** The client removes error listeners; these stay. */
  #watch(): void {
    const events: EventEmitter = this.#socket;
    events.on(errorMonitor, (error: NodeJS.ErrnoException) => {
      this.fault ??= error.code ?? 'BROKEN';
    });
    this.#socket.on('error', () => undefined);
  }

  async #happened(event: 'connect' | 'secureConnect'): Promise<void> {
    const waiting = new AbortController();
    const closed = once(this.#socket, 'close', { signal: waiting.signal }).then(() => {
      throw new Broken(this.fault ?? 'CLOSED');
    });
    try {
      await Promise.race([once(this.#socket, event, { signal: waiting.signal }), closed]);
    } finally {
      waiting.abort();
      closed.catch(() => undefined);
    }
  }
}

async function sessionOver(line: Line): Promise<DirectorySession> {
  await line.opened();
  if (line.isSafeAtOnce) await line.secure();
  else if (line.request.startsTls) await upgrade(line);
  const client = await line.client();
  return {
    bind: (dn, password) => codeOf(() => client.bind(dn, password)),
    search: async ({ baseDn, filter, attributes }) => {
      let entries: readonly DirectoryEntry[] = [];
      const code = await codeOf(async () => {
        const explicitBufferAttributes = [objectGuid, ...attributes.filter(isGuid)];
        const asked = { filter, attributes: [...attributes], explicitBufferAttributes };
        const found = await client.search(baseDn, { scope: 'sub', ...asked });
        entries = found.searchEntries.map(entryOf);
      });
      return { code, entries };
    },
  };
}

async function upgrade(line: Line): Promise<void> {
  const client = await line.client();
  const code = await codeOf(() => client.exop(startTls));
  if (code !== 0) throw new Broken('STARTTLS_REFUSED');
  await line.secure();
}

async function codeOf(work: () => Promise<unknown>): Promise<number> {
  const { ResultCodeError } = await import('ldapts');
  try {
    await work();
    return 0;
  } catch (error) {
    if (error instanceof ResultCodeError) return error.code;
    // The client's message quotes the request.
    throw error instanceof Broken ? error : new Broken('BROKEN', { cause: error });
  }
}

function entryOf({ dn, ...values }: Entry): DirectoryEntry {
  const attributes = Object.entries(values).map(([name, value]) => {
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    const texts = all.map((each) => (isGuid(name) ? guidOf(each) : each)).filter(isText);
    return [name.toLowerCase(), texts] as const;
  });
  return { dn, attributes: new Map(attributes) };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
