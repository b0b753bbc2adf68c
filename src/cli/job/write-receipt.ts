import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileError } from '../command-error.ts';
import { makeReceipt } from '../client/receipts.ts';
import type { Core } from '../client/server.ts';
import { filesOf, type Input } from '../input/input.ts';
import type { Surroundings } from '../surroundings.ts';
import type { ImportState } from './state-files.ts';

interface Ended {
  readonly state: Pick<ImportState, 'jobId' | 'runFolder'>;
  readonly input: Input;
  readonly core: Pick<Core, 'client'>;
}

/** The receipt of an import that has ended, with the digests of its files. @returns the file that it is in */
export async function writeReceipt(
  { state: { jobId, runFolder }, input, core }: Ended,
  { folder, interrupt }: Surroundings,
): Promise<string> {
  const receipt = await makeReceipt(core.client, jobId, filesOf(input), interrupt);
  const file =
    runFolder === undefined
      ? path.join(folder, `carryover-receipt-${jobId.replace(/[^\w-]/g, '_')}.json`)
      : path.join(runFolder, 'receipt.json');
  await writeFile(file, `${JSON.stringify(receipt)}\n`, { mode: 0o600 }).catch((error: unknown) => {
    throw fileError(file, error, true);
  });
  return file;
}
