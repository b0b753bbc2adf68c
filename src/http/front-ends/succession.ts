import type { FrontEnd, NativeServer, Serve } from './native.ts';

export type First = (onUnread: () => void) => FrontEnd;

/**
 * Serves with `first` until it rejects clients unread, then accepts new connections with `second`. Existing connections stay.
 * Nothing listens during the switch, for less than a millisecond.
 * @param onChange called after the switch, or with the error that prevented it: then the first continues
 */
export function succession(first: First, second: FrontEnd, onChange: (error?: unknown) => void): FrontEnd {
  return (serve) => new Succession(first, second, serve, onChange);
}

/**
 *   mode      ends by
 *   first     its call → changing; stopListening → stopped
 *   changing  the second listens → second; it cannot → first; stopListening → stopped, whatever listens then is stopped, too
 *   second    stopListening → stopped
 *   stopped   -
 */
class Succession implements NativeServer {
  #mode: 'first' | 'changing' | 'second' | 'stopped' = 'first';
  readonly #first: NativeServer;
  readonly #second: NativeServer;
  readonly #onChange: (error?: unknown) => void;
  #host = '';
  #port = 0;

  constructor(first: First, second: FrontEnd, serve: Serve, onChange: (error?: unknown) => void) {
    // Not within the library's call, which may concern a connection of the listener to close.
    this.#first = first(() => setImmediate(() => void this.#change()))(serve);
    this.#second = second(serve);
    this.#onChange = onChange;
  }

  async listen(host: string, port: number): Promise<number> {
    this.#host = host;
    this.#port = await this.#first.listen(host, port);
    if (port !== 0) return this.#port;
    // A port that the system chose cannot be reused while it has connections; a configured one can.
    this.#first.stopListening();
    return this.#first.listen(host, this.#port);
  }

  stopListening(): void {
    if (this.#mode === 'first') this.#first.stopListening();
    if (this.#mode === 'second') this.#second.stopListening();
    this.#mode = 'stopped';
  }

  close(): void {
    this.#first.close();
    this.#second.close();
  }

  async #change(): Promise<void> {
    if (this.#mode !== 'first') return;
    this.#mode = 'changing';
    this.#first.stopListening();
    const [server, mode, error] = await this.#takeOver();
    if (this.#hasStopped()) {
      server.stopListening();
      return;
    }
    this.#mode = mode;
    this.#onChange(error);
  }

  #hasStopped(): boolean {
    return this.#mode === 'stopped';
  }

  async #takeOver(): Promise<readonly [NativeServer, 'first' | 'second', unknown?]> {
    try {
      await this.#second.listen(this.#host, this.#port);
      return [this.#second, 'second'];
    } catch (error) {
      await this.#first.listen(this.#host, this.#port);
      return [this.#first, 'first', error];
    }
  }
}
