/** Consecutive ones, to ignore clients that change their mind or only check the port. */
const inARow = 3;

/**
 * Detects clients that are rejected before a request is served. uWebSockets.js answers HTTP/1.0 with 505 before it calls a
 * handler; visible is only a connection that opens and closes without a request. Logged once.
 */
export class UnreadConnections {
  /** Of all connections; the only number that a request updates. */
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

  closed(): void {
    this.#unread = this.requests === this.#requestsAtOpening ? this.#unread + 1 : 0;
    if (this.#unread < inARow || this.#isStated) return;
    this.#isStated = true;
    this.#onUnread();
  }
}
