import type { JobStore, Postponed } from '../ports.ts';
import type { JobRef } from '../model.ts';
import type { Engine } from '../engine.ts';
import { Sealer } from '../../process/sealer.ts';
import { recordSeals } from '../queue/sealed-records.ts';

interface Stores {
  readonly jobs: JobStore;
  readonly chunksOf: Engine['chunksOf'];
}

/** The stores of imports, with the second factors of postponed records sealed in the database. */
export function sealingPostponed({
  jobs,
  chunksOf,
  encryptionKeys,
}: Stores & Pick<Engine, 'encryptionKeys'>): Stores {
  const seals = recordSeals(new Sealer(encryptionKeys));
  const rowOf = ({ id }: JobRef, line: number): string => `${id}/${line}`;
  const sealed = (job: JobRef, { line, text }: Postponed): Postponed => ({
    line,
    text: seals.seal(job.appNo, rowOf(job, line), text),
  });
  const opened = (job: JobRef, { line, text }: Postponed): Postponed => ({
    line,
    text: seals.open(job.appNo, rowOf(job, line), text),
  });
  return {
    jobs: {
      ...jobs,
      postponed: async (job) => (await jobs.postponed(job)).map((each) => opened(job, each)),
    },
    chunksOf: (appNo) => ({
      transaction: (work) =>
        chunksOf(appNo).transaction((chunk) =>
          work({
            ...chunk,
            progress: (progress) =>
              chunk.progress({
                ...progress,
                postponed: progress.postponed.map((each) => sealed(progress.job, each)),
              }),
          }),
        ),
    }),
  };
}
