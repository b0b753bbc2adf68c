import { bytes } from '../format.ts';
import { useRef, useState } from 'preact/hooks';

interface DropProps {
  readonly onFiles: (files: readonly File[]) => void;
  /** Bytes; undefined until they are known. */
  readonly room: number | undefined;
}

/** Files or a folder, dropped or chosen; each way works by keyboard. */
export function Drop({ onFiles, room }: DropProps) {
  const [isOver, setOver] = useState(false);
  const files = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const take = (list: FileList | null): void => {
    if (list !== null && list.length > 0) onFiles([...list]);
  };
  return (
    <div
      class={isOver ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => {
        setOver(false);
      }}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void filesOf(event.dataTransfer).then(onFiles);
      }}
    >
      <p>
        <strong>Drop an export here</strong>
      </p>
      <p class="soft">
        CSV, JSON, NDJSON or an SQL dump, also packed (gzip, zip, zstd, xz). Several files of one export are
        read as one.{room === undefined ? '' : ` This core has room for ${bytes(room)}.`}
      </p>
      <div class="row">
        <button type="button" onClick={() => files.current?.click()}>
          Choose files
        </button>
        <button type="button" class="quiet" onClick={() => folder.current?.click()}>
          Choose a folder
        </button>
      </div>
      <input
        ref={files}
        class="hidden"
        type="file"
        multiple
        tabIndex={-1}
        aria-label="Files"
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
      <input
        ref={folder}
        class="hidden"
        type="file"
        tabIndex={-1}
        aria-label="Folder"
        {...{ webkitdirectory: true }}
        onChange={({ currentTarget }) => {
          take(currentTarget.files);
          currentTarget.value = '';
        }}
      />
    </div>
  );
}

/** A dropped folder gives its files, those of its folders too. */
async function filesOf(transfer: DataTransfer | null): Promise<readonly File[]> {
  const entries = [...(transfer?.items ?? [])].map((item) => item.webkitGetAsEntry());
  const found = await Promise.all(
    entries.map((entry) => (entry === null ? Promise.resolve([]) : filesUnder(entry))),
  );
  return found.flat();
}

async function filesUnder(entry: FileSystemEntry): Promise<readonly File[]> {
  if (entry.isFile)
    return [
      await new Promise<File>((resolve, reject) => {
        (entry as FileSystemFileEntry).file(resolve, reject);
      }),
    ];
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  const found: File[] = [];
  for (;;) {
    // A reader gives at most a hundred at once.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => {
      reader.readEntries(resolve, reject);
    });
    if (some.length === 0) return found;
    for (const each of some) found.push(...(await filesUnder(each)));
  }
}
