/** So many in a row are no accident: a client that changed its mind, or one that looks whether the port is open. */
const inARow = 3;

/**
 * Notices that clients are sent away before any of their requests is served. uWebSockets.js answers HTTP/1.0 with 505 before it
 * calls a handler, so all that can be seen of it is a connection that opens and closes without a request in between. Logged once.
 */
export class UnreadConnections {
  /** Of all connections; the one number that a request touches. */
  requests = 0;
  #requestsAtOpening = 0;
  #unread = 0;
  #isStated = false;
  readonly #onUnread: () => void;

  constructor(onUnread: () => void) {
    this.#onUnread = onUnread;
  }

  opened(): void {
    this.#requestsAtOpening = this.requests;
  }

  /** Counts one that closed without a request since the last one was opened. */
  closed(): void {
    this.#unread = this.requests === this.#requestsAtOpening ? this.#unread + 1 : 0;
    if (this.#unread < inARow || this.#isStated) return;
    this.#isStated = true;
    this.#onUnread();
  }
}
