/** Files on their way into a run: in `data_dir`, for their owner alone, removed a day after their last use. */
import { once } from 'node:events';
import { constants, createWriteStream } from 'node:fs';
import { copyFile, mkdir, readdir, readFile, rm, stat, statfs, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { randomUUID } from 'node:crypto';
import { Refusal } from '../../domain/errors.ts';
import type { BodySink, Outcome } from '../../http/response/outcome.ts';
import type { StagedFile } from './model.ts';

/** Part of the free space that files may take: the database needs the rest more. */
const shareOfDisk = 0.5;
export const keptMs = 24 * 3_600_000;
const mostFiles = 200;

interface Meta {
  /** Whose keys and operators see it. */
  readonly appId: string;
  readonly name: string;
  readonly size: number | undefined;
}

/**
 * A folder for each file: `meta.json`, and the bytes under the file's own name, which says its format in part. The bytes on disk
 * are the offset, so an upload that broke off goes on where they end, also after a restart.
 */
export class StagedFiles {
  readonly #base: string;
  /** Uploads under way: two writers would mix their bytes. */
  readonly #busy = new Set<string>();

  /** @param base made with the first file */
  constructor(base: string) {
    this.#base = base;
  }

  /**
   * @param size bytes of the whole; undefined if a run of this core writes it
   * @throws Refusal NO_ROOM_FOR_FILE
   */
  async create(appId: string, name: string, size: number | undefined): Promise<StagedFile> {
    const files = await this.#all();
    if (files.length >= mostFiles)
      throw new Refusal('NO_ROOM_FOR_FILE', `The core keeps at most ${mostFiles} files: remove some`);
    const room = await this.#roomBeside(files);
    if (size !== undefined && size > room)
      throw new Refusal(
        'NO_ROOM_FOR_FILE',
        `The file has ${size} bytes, and ${room} are left for files in data_dir: make room, or use the command carryover import`,
      );
    const id = randomUUID();
    const shown = plainName(name);
    await mkdir(this.#folder(id), { mode: 0o700 });
    const meta: Meta = { appId, name: shown, size };
    await writeFile(this.#meta(id), JSON.stringify(meta), { mode: 0o600 });
    await writeFile(this.#bytes(id, shown), '', { mode: 0o600, flag: 'wx' });
    return { id, name: shown, offset: 0, size, at: Date.now() };
  }

  /** Bytes that a new file may have. */
  async room(): Promise<number> {
    return this.#roomBeside(await this.#all());
  }

  async #roomBeside(files: readonly StagedFile[]): Promise<number> {
    await mkdir(this.#base, { recursive: true, mode: 0o700 });
    const { bavail, bsize } = await statfs(this.#base);
    const announced = files.reduce((sum, file) => sum + (file.size ?? file.offset) - file.offset, 0);
    return Math.max(0, Math.floor(bavail * bsize * shareOfDisk) - announced);
  }

  /** A file with this content, whole or in parts. @throws Refusal NO_ROOM_FOR_FILE */
  async write(appId: string, name: string, content: string | AsyncIterable<string>): Promise<StagedFile> {
    const parts: string[] = [];
    for await (const part of typeof content === 'string' ? [content] : content) parts.push(part);
    const size = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
    const { id, name: shown } = await this.create(appId, name, size);
    await writeFile(this.#bytes(id, shown), parts, { mode: 0o600 });
    return this.find(appId, id);
  }

  /** A copy of a file that a run wrote. @throws Refusal NO_ROOM_FOR_FILE, NOT_FOUND */
  async copy(appId: string, name: string, from: string): Promise<StagedFile> {
    const found = await stat(from).catch(() => undefined);
    if (found === undefined) throw new Refusal('NOT_FOUND', 'The run has written no such file');
    const { id, name: shown } = await this.create(appId, name, found.size);
    await copyFile(from, this.#bytes(id, shown), constants.COPYFILE_FICLONE);
    return this.find(appId, id);
  }

  /** @throws Refusal NOT_FOUND, also for a file of another app */
  async find(appId: string, id: string): Promise<StagedFile> {
    const found = await this.#look(id);
    if (found?.appId !== appId)
      throw new Refusal(
        'NOT_FOUND',
        'This core does not have the file: it was removed, or uploaded to another core of the group. Upload it again',
      );
    return found.file;
  }

  /** Newest first. */
  async list(appId: string): Promise<StagedFile[]> {
    const ids = await readdir(this.#base).catch(() => []);
    const found = await Promise.all(ids.map((id) => this.#look(id)));
    return found.flatMap((each) => (each?.appId === appId ? each.file : [])).sort((a, b) => b.at - a.at);
  }

  async #all(): Promise<StagedFile[]> {
    const ids = await readdir(this.#base).catch(() => []);
    const files = await Promise.all(ids.map((id) => this.#look(id)));
    return files.flatMap((each) => each?.file ?? []);
  }

  /** The absolute path of its bytes, for a run. @throws Refusal NOT_FOUND, or INVALID_FIELD if parts are missing */
  async pathOf(appId: string, id: string): Promise<string> {
    const { name, offset, size } = await this.find(appId, id);
    if (size !== undefined && offset < size)
      throw new Refusal(
        'INVALID_FIELD',
        `files: ${name} is not complete: ${offset} of ${size} bytes are here`,
      );
    const file = this.#bytes(id, name);
    const now = new Date();
    await utimes(file, now, now);
    return file;
  }

  /** @throws Refusal NOT_FOUND */
  async remove(appId: string, id: string): Promise<void> {
    await this.find(appId, id);
    await rm(this.#folder(id), { recursive: true, force: true });
  }

  /** Those that no run or upload used for a day. @param inUse ids of files that runs need @returns their number */
  async removeOld(now: number, inUse: ReadonlySet<string>): Promise<number> {
    const old = (await this.#all()).filter(({ id, at }) => at < now - keptMs && !inUse.has(id));
    for (const { id } of old) await rm(this.#folder(id), { recursive: true, force: true });
    return old.length;
  }

  /**
   * Takes bytes from the offset on.
   * @param conclude makes the answer, when they are on disk
   * @throws Refusal NOT_FOUND, UPLOAD_LOCKED while another upload writes it, UPLOAD_OFFSET_CONFLICT
   */
  async receive(
    appId: string,
    { id, offset }: { readonly id: string; readonly offset: number },
    conclude: (file: StagedFile) => Outcome,
  ): Promise<BodySink> {
    const file = await this.find(appId, id);
    if (this.#busy.has(id)) throw new Refusal('UPLOAD_LOCKED');
    if (file.offset !== offset)
      throw new Refusal('UPLOAD_OFFSET_CONFLICT', `The file continues at byte ${file.offset}`);
    this.#busy.add(id);
    const free = (): void => void this.#busy.delete(id);
    const room = (file.size ?? 0) - offset;
    return sinkTo(this.#bytes(id, file.name), room, {
      free,
      answer: async () => conclude(await this.find(appId, id)),
    });
  }

  async #look(id: string): Promise<{ readonly appId: string; readonly file: StagedFile } | undefined> {
    if (!uuid.test(id)) return undefined;
    try {
      const { appId, name, size } = JSON.parse(await readFile(this.#meta(id), 'utf8')) as Meta;
      const { size: offset, mtimeMs } = await stat(this.#bytes(id, name));
      return { appId, file: { id, name, offset, size, at: Math.round(mtimeMs) } };
    } catch {
      return undefined;
    }
  }

  #folder(id: string): string {
    return path.join(this.#base, id);
  }

  #meta(id: string): string {
    return path.join(this.#folder(id), 'meta.json');
  }

  #bytes(id: string, name: string): string {
    return path.join(this.#folder(id), name);
  }
}

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** Of a file in its folder: no path, nothing that a shell or a terminal reads otherwise, and not that of the folder's own. */
function plainName(name: string): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const plain = last.replaceAll(/[^\p{L}\p{N}._ -]/gu, '_').slice(-120);
  return /^\.*$/.test(plain) || plain === 'meta.json' ? `file-${plain}` : plain;
}

interface Ends {
  /** Another upload may write the file. */
  readonly free: () => void;
  readonly answer: () => Promise<Outcome>;
}

/** Appends. What arrived stays, also if the sender is gone. */
function sinkTo(file: string, room: number, { free, answer }: Ends): BodySink {
  const stream = createWriteStream(file, { flags: 'a' });
  const failed = Promise.withResolvers<never>();
  failed.promise.catch(() => undefined);
  stream.on('error', failed.reject);
  let left = room;
  const close = async (): Promise<void> => {
    const closed = once(stream, 'close');
    stream.end();
    await Promise.race([failed.promise, closed]);
  };
  return {
    write(bytes) {
      left -= bytes.length;
      if (left < 0) throw new Refusal('UPLOAD_TOO_LONG');
      return stream.write(Buffer.from(bytes));
    },
    async ready() {
      if (stream.writableNeedDrain) await Promise.race([failed.promise, once(stream, 'drain')]);
    },
    async end() {
      try {
        await close();
      } finally {
        free();
      }
      return answer();
    },
    async abort() {
      await close().catch(() => undefined);
      free();
    },
  };
}
