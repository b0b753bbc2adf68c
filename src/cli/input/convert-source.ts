import { availableParallelism } from 'node:os';
import { convert } from '../../exports/convert/convert.ts';
import type { Reject } from '../../imports/model.ts';
import { createConvertPool } from '../../threads/convert-pool.ts';
import { ConvertedSource } from './converted-source.ts';
import { plural } from '../output/format.ts';
import type { Input } from './input.ts';
import { nativeSource } from './native-source.ts';
import type { UploadSource } from './source.ts';
import type { Output } from '../surroundings.ts';

export interface SourceListeners {
  /** Told of what conversion rejects. */
  readonly onRejects: (rejects: readonly Reject[]) => Promise<void>;
  /** For notes. */
  readonly stderr: Output;
}

/** Runs `work` with the input as native records: as it stands, or converted in threads that end with it. */
export async function withSource<Result>(
  input: Input,
  { onRejects, stderr }: SourceListeners,
  work: (source: UploadSource) => Promise<Result>,
): Promise<Result> {
  const { provider, file, related, settings, tenant, idPrefix } = input;
  if (input.isPlain) return work(nativeSource(file.path, file.bytes));
  // One core is left for sending, and for a core on the same machine.
  const pool = createConvertPool({ threads: Math.max(1, availableParallelism() - 1) });
  const paths = Object.fromEntries(Object.entries(related).map(([table, known]) => [table, known.path]));
  const source = { file: file.path, related: paths, provider, options: settings.options, tenant, idPrefix };
  try {
    return await work(
      new ConvertedSource({
        fileBytes: file.bytes,
        convert: (signal) => convert(source, pool, signal),
        onRejects,
        onUnmatched: (rows) => {
          for (const [table, count] of Object.entries(rows))
            if (count > 0)
              stderr.write(
                `Of ${table}: ${plural(count, 'row')} not used, for a user who is not in the export\n`,
              );
        },
      }),
    );
  } finally {
    await pool.close();
  }
}
