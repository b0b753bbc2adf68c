/** Any memory of a buffer; Node 20 cannot free it. */
interface Freeable {
  readonly byteLength: number;
  readonly transfer?: (bytes: number) => ArrayBuffer;
}

/**
 * Frees a buffer's memory now; later readers find it empty. The garbage collector comes late where little else is
 * made than buffers of a MiB: with 60 uploads that are held back, freeing them is 30 MB less for the process, and saves the
 * collections that they would cause. Node 20 leaves it all to the collector.
 */
export function freeMemory(buffer: ArrayBufferLike): void {
  (buffer as Freeable).transfer?.(0);
}
