/** What is uploaded, whatever it is made of. */
export interface UploadSource {
  /** What a reject's number counts: lines of a native file, records of an export. */
  readonly unit: 'line' | 'record';
  /** Bytes of the whole upload; undefined until `open` has come to the end once. */
  readonly length: number | undefined;
  /** Bytes of the file that it is made of. */
  readonly fileBytes: number;
  /**
   * The bytes from this offset of the upload on. Gives the same bytes each time.
   * @throws CommandFailure when the file is not the one it was
   */
  open(offset: number, signal: AbortSignal): AsyncIterable<Uint8Array>;
  /** How far into the file an offset of the upload is, for showing. Offsets only grow. */
  fileBytesAt(offset: number): number;
}
