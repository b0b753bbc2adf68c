import { CoreClient } from '../../client/core-client.ts';
import { HttpClient, type Server } from '../../client/http.ts';
import { Patience } from '../../client/retry.ts';
import { TusClient } from '../../client/tus.ts';
import { upload } from '../../client/upload.ts';
import type { JobView } from '../../client/views.ts';
import type { UploadSource } from '../../input/source.ts';
import { createProgress, type Progress } from '../../output/progress.ts';
import type { Surroundings } from '../../surroundings.ts';

/** The import of a file into an app. */
export interface Fill {
  /** With the app. */
  readonly server: Server;
  readonly source: UploadSource;
  readonly patienceMs: number;
  readonly signal: AbortSignal;
  readonly onTrouble: (reason: string) => void;
}

/** As `carryover import` sends it, through broken connections and a core that is busy. @returns the job at its end */
export async function fill({ server, source, patienceMs, signal, onTrouble }: Fill): Promise<JobView> {
  const http = new HttpClient(server);
  const tus = new TusClient(http);
  const id = await tus.create(
    { length: source.length, name: 'load', onConflict: 'update', dryRun: false, secondFactor: 'flag' },
    signal,
  );
  await upload({ tus, id, source, patience: new Patience(patienceMs, Date.now), onTrouble, signal });
  return new CoreClient(http).job(id, signal);
}

/** The same, with its progress. */
export async function fillShown(
  asked: Omit<Fill, 'onTrouble'>,
  { stderr, now }: Pick<Surroundings, 'stderr' | 'now'>,
): Promise<JobView> {
  const { source } = asked;
  const progress = createProgress({ output: stderr, totalBytes: source.fileBytes, now });
  const onTrouble = (reason: string): void => {
    progress.note(`The core: ${reason}; it is tried again`);
  };
  try {
    return await fill({ ...asked, source: shown(source, progress), onTrouble });
  } finally {
    progress.stop();
  }
}

function shown(source: UploadSource, progress: Progress): UploadSource {
  return {
    ...source,
    get length() {
      return source.length;
    },
    open: async function* (offset, signal) {
      let sent = offset;
      let records = 0;
      for await (const chunk of source.open(offset, signal)) {
        yield chunk;
        sent += chunk.length;
        records += chunk.reduce((sum, byte) => sum + (byte === newline ? 1 : 0), 0);
        progress.update({ bytes: source.fileBytesAt(sent), records, rejected: 0 });
      }
    },
  };
}

const newline = 10;
