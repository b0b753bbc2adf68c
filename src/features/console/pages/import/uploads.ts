/** Uploads of files to the core, which continue where they broke off: by tus-js-client. */
import { Upload } from 'tus-js-client';
import { headersOf, urlOf } from '../api.ts';

export interface Sending {
  readonly key: number;
  readonly name: string;
  readonly size: number;
  readonly sent: number;
  readonly error: string | undefined;
  readonly stop: () => void;
}

const chunkBytes = 8 * 2 ** 20;
/** About five minutes: as long as a core takes to restart, and a train to leave its tunnel. */
const retryDelays = [0, 1000, 3000, 5000, 10_000, 20_000, 30_000, 60_000, 60_000, 60_000];
let lastKey = 0;

interface Calls {
  readonly onChange: (sending: Sending) => void;
  readonly onDone: (key: number, id: string) => void;
}

export function sendFile(file: File, { onChange, onDone }: Calls): Sending {
  lastKey += 1;
  const upload = new Upload(file, {
    endpoint: new URL(urlOf('/console/files'), location.origin).href,
    headers: headersOf(),
    chunkSize: chunkBytes,
    retryDelays,
    removeFingerprintOnSuccess: true,
    metadata: { filename: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath },
    onProgress: (sent) => {
      change({ sent });
    },
    onError: (error) => {
      change({ error: messageOf(error) });
    },
    onSuccess: () => {
      onDone(sending.key, upload.url?.split('/').at(-1) ?? '');
    },
  });
  let sending: Sending = {
    key: lastKey,
    name: file.name,
    size: file.size,
    sent: 0,
    error: undefined,
    stop: () => {
      void upload.abort(true).catch(() => undefined);
    },
  };
  const change = (to: Partial<Sending>): void => {
    sending = { ...sending, ...to };
    onChange(sending);
  };
  // A file that was begun in another tab, or before the page was closed, continues.
  void upload
    .findPreviousUploads()
    .then(([before]) => {
      if (before !== undefined) upload.resumeFromPreviousUpload(before);
    })
    .catch(() => undefined)
    .then(() => {
      upload.start();
    });
  return sending;
}

/** The core's own words, where it answered. */
function messageOf(error: unknown): string {
  const body = (error as { originalResponse?: { getBody(): string } | null }).originalResponse?.getBody();
  try {
    if (body !== undefined) return (JSON.parse(body) as { message: string }).message;
  } catch {
    // Not from the core: as below.
  }
  return error instanceof Error ? error.message : String(error);
}
