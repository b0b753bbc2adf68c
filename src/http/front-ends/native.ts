/** uWebSockets.js has these types; adapters give them, with the same guarantees, to other libraries. */

/** The head of a request. Invalid after the call that passes it. */
export interface NativeRequest {
  getCaseSensitiveMethod(): string;
  getUrl(): string;
  getQuery(): string | undefined;
  /** Every header in order, repeated ones too; names in lower case. */
  forEach(visit: (name: string, value: string) => void): void;
}

/** The body and the answer. Not to be used after the answer or `onAborted`. */
export interface NativeResponse {
  /** The peer's address, as bytes or text. Only within the call that passes the request. */
  getRemoteAddress(): ArrayBuffer | string;
  /** The client hung up, or was dropped, before the answer was complete. */
  onAborted(handler: () => void): unknown;
  /** Must be called within the call that passes the request, or the body is skipped. A chunk is valid during the call only. */
  onData(take: (chunk: ArrayBuffer | Uint8Array, isLast: boolean) => void): unknown;
  /** Stops reading, apart from what is under way, and the time-out of a slow sender. */
  pause(): void;
  /** Resumes reading; the time-out of a slow sender restarts. */
  resume(): void;
  /** The handler returns whether it failed to write nothing: always true here. */
  onWritable(handler: (offset: number) => boolean): unknown;
  cork(write: () => void): unknown;
  writeStatus(line: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /** @returns false when it was buffered because the client reads too slowly */
  write(chunk: string | Uint8Array): boolean;
  end(body?: string, closes?: boolean): unknown;
  endWithoutBody(): unknown;
  close(): unknown;
}

/** A view of a chunk, without a copy. */
export function bytesOf(chunk: ArrayBuffer | Uint8Array): Uint8Array {
  return chunk instanceof Uint8Array ? chunk : new Uint8Array(chunk);
}

export type Serve = (response: NativeResponse, request: NativeRequest) => void;

export interface NativeServer {
  /** @param port 0: the system chooses @returns the port @throws Error when the address is unavailable */
  listen(host: string, port: number): Promise<number>;
  /** Accepts no new connections; existing ones stay. */
  stopListening(): void;
  /** Closes every connection, after all answers. */
  close(): void;
}

/** Makes a library's server, which does not listen yet. */
export type FrontEnd = (serve: Serve) => NativeServer;
