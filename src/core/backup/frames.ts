/**
 * A backup before compression, as frames: kind (1 byte), length (4 bytes, big-endian) and content.
 *
 *   header, then for each table: rows…, end of table; then the end, with a digest of everything before
 *
 * A frame of rows is a piece of PostgreSQL's binary COPY format, cut anywhere; all others are JSON.
 */
import { createHash } from 'node:crypto';
import { StartupError } from '../../process/startup-error.ts';

export const frameKinds = { header: 1, rows: 2, endOfTable: 3, end: 4 } as const;
export type FrameKind = keyof typeof frameKinds;

export interface Frame {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
}

const headBytes = 5;
/** Of rows, when written. At most four times that is read, so that a file cannot demand more memory. */
const pieceBytes = 262_144;
const maxFrameBytes = 4 * pieceBytes;

const kinds = new Map<number, FrameKind>(
  Object.entries(frameKinds).map(([kind, code]) => [code, kind as FrameKind]),
);

/** Writes compressed bytes; resolves when there is room for more. */
export type WriteBytes = (bytes: Uint8Array) => Promise<void>;

/** Combines small rows into a frame. */
export class FrameWriter {
  readonly #write: WriteBytes;
  readonly #digest = createHash('sha256');
  #rows: Uint8Array[] = [];
  #rowBytes = 0;

  constructor(write: WriteBytes) {
    this.#write = write;
  }

  async rows(piece: Uint8Array): Promise<void> {
    for (let from = 0; from < piece.length; from += pieceBytes) {
      const part = piece.subarray(from, from + pieceBytes);
      if (this.#rowBytes + part.length > pieceBytes) await this.#flush();
      this.#rows.push(part);
      this.#rowBytes += part.length;
    }
  }

  async json(kind: 'header' | 'endOfTable', value: unknown): Promise<void> {
    await this.#flush();
    await this.#frame(kind, Buffer.from(JSON.stringify(value)));
  }

  /** The last frame. @returns the digest of all others */
  async end(): Promise<string> {
    await this.#flush();
    const sha256 = this.#digest.copy().digest('hex');
    await this.#frame('end', Buffer.from(JSON.stringify({ sha256 })));
    return sha256;
  }

  async #flush(): Promise<void> {
    if (this.#rowBytes === 0) return;
    const rows = Buffer.concat(this.#rows);
    [this.#rows, this.#rowBytes] = [[], 0];
    await this.#frame('rows', rows);
  }

  async #frame(kind: FrameKind, bytes: Buffer): Promise<void> {
    const head = Buffer.alloc(headBytes);
    head.writeUInt8(frameKinds[kind]);
    head.writeUInt32BE(bytes.length, 1);
    const frame = Buffer.concat([head, bytes]);
    this.#digest.update(frame);
    await this.#write(frame);
  }
}

/** @param why the file cannot be restored: a clause */
export function unusableBackup(why: string, cause?: unknown): StartupError {
  return new StartupError(`The backup cannot be restored: ${why}`, { cause });
}

const isCut = 'it ends before its end, because it was cut off or not finished: take another one';

/**
 * Frames in order.
 * @returns their digest
 * @throws StartupError for an invalid or incomplete backup, at the latest at its end
 */
export async function* readFrames(source: AsyncIterable<Uint8Array>): AsyncGenerator<Frame, string> {
  const digest = createHash('sha256');
  const bytes = new ByteReader(source);
  for (;;) {
    const head = await bytes.read(headBytes);
    if (head === undefined) throw unusableBackup(isCut);
    const kind = kinds.get(head.readUInt8());
    const length = head.readUInt32BE(1);
    if (kind === undefined || length > maxFrameBytes)
      throw unusableBackup(
        'it is not a file that carryover backup wrote, or it is damaged: take another one',
      );
    const content = await bytes.read(length);
    if (content === undefined) throw unusableBackup(isCut);
    if (kind === 'end') {
      const sha256 = digest.digest('hex');
      checkDigest(jsonOf(content), sha256);
      if ((await bytes.read(1)) !== undefined) throw unusableBackup('something follows its end');
      return sha256;
    }
    digest.update(head).update(content);
    yield { kind, bytes: content };
  }
}

function checkDigest(end: unknown, digest: string): void {
  if (typeof end === 'object' && end !== null && 'sha256' in end && end.sha256 === digest) return;
  throw unusableBackup('its checksum is wrong, so it is damaged: take another one');
}

/** @throws StartupError */
export function jsonOf(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (error) {
    throw unusableBackup('it is damaged: take another one', error);
  }
}

class ByteReader {
  readonly #source: AsyncIterator<Uint8Array>;
  #waiting = Buffer.alloc(0);

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]();
  }

  /** @returns undefined if the source ends before */
  async read(length: number): Promise<Buffer | undefined> {
    const pieces: Uint8Array[] = [this.#waiting];
    let have = this.#waiting.length;
    while (have < length) {
      const next = await this.#source.next();
      if (next.done === true) return undefined;
      pieces.push(next.value);
      have += next.value.length;
    }
    const all = pieces.length === 1 ? this.#waiting : Buffer.concat(pieces);
    this.#waiting = all.subarray(length);
    return all.subarray(0, length);
  }
}
