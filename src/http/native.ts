/** The part of a native response that is used beside the exchange. A chunk's memory is taken back after the call. */
export interface NativeResponse {
  pause(): void;
  resume(): void;
  onData(take: (chunk: ArrayBuffer, isLast: boolean) => void): unknown;
  /** The handler returns whether it failed to write nothing: always true here. */
  onWritable(handler: (offset: number) => boolean): unknown;
  cork(write: () => void): unknown;
  writeStatus(line: string): unknown;
  writeHeader(name: string, value: string): unknown;
  /** @returns false when it was kept in memory because the client does not read fast enough */
  write(chunk: string | Uint8Array): boolean;
  end(body?: string, closes?: boolean): unknown;
  endWithoutBody(): unknown;
  close(): unknown;
}
