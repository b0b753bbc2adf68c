/** The files of a way back: in a folder that appears whole or not at all, readable for its owner only. */
import { type FileHandle, mkdtemp, open, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';
import type { BackFormat } from '../../../exports/back/format.ts';
import { CommandError, fileError } from '../../command-error.ts';

/** Lines of all lists next to the files of users: NDJSON. */
export type ListName = 'changed' | 'removed' | 'must-reset' | 'left-out' | 'written';

export class BackFolder {
  /** As the user named it. */
  readonly #shown: string;
  readonly #target: string;
  readonly #draft: string;
  readonly #format: BackFormat;
  readonly #users = new Map<string, UserFiles>();
  readonly #lists = new Map<ListName, TextFile>();

  /** @throws CommandError if there is something with its name, or no place for it */
  static async make(shown: string, folder: string, format: BackFormat): Promise<BackFolder> {
    const target = path.resolve(folder, shown);
    const isThere = await stat(target).then(
      () => true,
      () => false,
    );
    if (isThere)
      throw new CommandError(`${shown}: there is one already: name another folder with --out`, {
        code: 'FILE_ERROR',
        field: '--out',
        cure: 'name another folder',
      });
    const draft = await mkdtemp(`${target}.part-`).catch((error: unknown) => {
      throw fileError(shown, error, true);
    });
    return new BackFolder(shown, target, draft, format);
  }

  private constructor(shown: string, target: string, draft: string, format: BackFormat) {
    this.#shown = shown;
    this.#target = target;
    this.#draft = draft;
    this.#format = format;
  }

  /** @param group of the hash @throws CommandError */
  async addUser(group: string, user: object): Promise<void> {
    const line = this.#format.lineOf?.(user) ?? JSON.stringify(user);
    let files = this.#users.get(group);
    if (files === undefined) {
      files = new UserFiles(group, this.#format, (name) => this.#open(name));
      this.#users.set(group, files);
    }
    await this.#guarded(files.add(line));
  }

  /** @throws CommandError */
  async addTo(list: ListName, entry: object): Promise<void> {
    let file = this.#lists.get(list);
    if (file === undefined) {
      file = await this.#guarded(this.#open(`${list}.ndjson`));
      this.#lists.set(list, file);
    }
    await this.#guarded(file.write(`${JSON.stringify(entry)}\n`));
  }

  /** @returns the names of the files, those of users first @throws CommandError */
  async finish(): Promise<readonly string[]> {
    for (const files of this.#users.values()) await this.#guarded(files.end());
    for (const file of this.#lists.values()) await this.#guarded(file.close());
    await this.#guarded(rename(this.#draft, this.#target));
    const ofUsers = Array.from(this.#users.values(), ({ names }) => names).flat();
    const ofLists = Array.from(this.#lists.values(), ({ name }) => name);
    return ofUsers.concat(ofLists);
  }

  /** After a failure. */
  async discard(): Promise<void> {
    const open = [...this.#users.values(), ...this.#lists.values()];
    await Promise.all(open.map((each) => each.abandon().catch(() => undefined)));
    await rm(this.#draft, { recursive: true, force: true });
  }

  async #open(name: string): Promise<TextFile> {
    return new TextFile(name, await open(path.join(this.#draft, name), 'wx', 0o600));
  }

  async #guarded<Result>(work: Promise<Result>): Promise<Result> {
    return work.catch((error: unknown) => {
      throw fileError(this.#shown, error, true);
    });
  }
}

const bufferedCharacters = 65_536;

class TextFile {
  readonly name: string;
  readonly #handle: FileHandle;
  #buffered = '';

  constructor(name: string, handle: FileHandle) {
    this.name = name;
    this.#handle = handle;
  }

  async write(text: string): Promise<void> {
    this.#buffered += text;
    if (this.#buffered.length >= bufferedCharacters) await this.#flush();
  }

  async close(): Promise<void> {
    await this.#flush();
    await this.#handle.sync();
    await this.#handle.close();
  }

  abandon(): Promise<void> {
    return this.#handle.close();
  }

  async #flush(): Promise<void> {
    const text = this.#buffered;
    this.#buffered = '';
    await this.#handle.writeFile(text);
  }
}

/** Files of one group, each as large as one import takes. */
class UserFiles {
  readonly names: string[] = [];
  readonly #group: string;
  readonly #format: BackFormat;
  readonly #openFile: (name: string) => Promise<TextFile>;
  #file: TextFile | undefined;
  #users = 0;
  #bytes = 0;

  constructor(group: string, format: BackFormat, openFile: (name: string) => Promise<TextFile>) {
    this.#group = group;
    this.#format = format;
    this.#openFile = openFile;
  }

  async add(line: string): Promise<void> {
    const { document, most } = this.#format;
    const bytes = Buffer.byteLength(line) + document.between.length;
    const isFull =
      this.#users >= (most?.users ?? Infinity) ||
      this.#bytes + bytes + document.end.length > (most?.bytes ?? Infinity);
    if (this.#file !== undefined && isFull) await this.end();
    if (this.#file === undefined) {
      const name = ['users', this.#group, this.names.length === 0 ? '' : String(this.names.length + 1)]
        .filter((part) => part !== '')
        .join('-');
      this.#file = await this.#openFile(`${name}.${document.extension}`);
      this.names.push(this.#file.name);
      [this.#users, this.#bytes] = [0, document.begin.length];
      await this.#file.write(document.begin);
    }
    await this.#file.write(this.#users === 0 ? line : `${document.between}${line}`);
    this.#users += 1;
    this.#bytes += bytes;
  }

  async end(): Promise<void> {
    await this.#file?.write(this.#format.document.end);
    await this.#file?.close();
    this.#file = undefined;
  }

  async abandon(): Promise<void> {
    await this.#file?.abandon();
  }
}
