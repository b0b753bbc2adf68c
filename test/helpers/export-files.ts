import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, expect, vi } from 'vitest';
import {
  convert,
  type ConvertedBatch,
  type ConvertPool,
  type ConvertSource,
  recogniseFile,
} from '../../src/exports/convert/convert.ts';
import { requireProvider } from '../../src/exports/providers/index.ts';
import type { ConvertOptions } from '../../src/exports/providers/provider.ts';
import type { Reading } from '../../src/exports/readers/reading.ts';
import { createConvertPool } from '../../src/threads/convert-pool.ts';

/** How a file is converted; without `from` by recognition. */
export interface Asked {
  readonly reading?: Reading | undefined;
  readonly from?: string | undefined;
  readonly options?: ConvertOptions;
}

/** Files of exports that a test makes, and the threads that convert them; both end with the tests of the file. */
export interface ExportFiles {
  readonly folder: string;
  readonly pool: ConvertPool;
  readonly fileOf: (content: string | Uint8Array, ending?: string) => string;
  /** The file as it is recognised. */
  readonly sourceOf: (file: string, asked?: Asked) => Promise<ConvertSource>;
  readonly converted: (source: ConvertSource) => Promise<readonly ConvertedBatch[]>;
  /** All native lines. No record may be rejected. */
  readonly linesOf: (file: string, asked?: Asked) => Promise<string>;
}

/** Temporary files of conversions are put into the folder, too, so that a test can look for remaining ones. */
export function useExportFiles(threads = 1): ExportFiles {
  const folder = mkdtempSync(path.join(tmpdir(), 'carryover-test-'));
  const pool = createConvertPool({ threads });
  let made = 0;
  beforeEach(() => {
    vi.stubEnv('TMPDIR', folder);
  });
  afterAll(async () => {
    vi.unstubAllEnvs();
    await pool.close();
    rmSync(folder, { recursive: true });
  });
  const converted: ExportFiles['converted'] = async (source) => {
    const batches: ConvertedBatch[] = [];
    for await (const batch of convert(source, pool)) batches.push(batch);
    return batches;
  };
  return {
    folder,
    pool,
    fileOf(content, ending = '') {
      made += 1;
      const file = path.join(folder, `export-${made}${ending}`);
      writeFileSync(file, content);
      return file;
    },
    sourceOf,
    converted,
    async linesOf(file, asked) {
      const batches = await converted(await sourceOf(file, asked));
      expect(batches.flatMap(({ rejects }) => rejects)).toEqual([]);
      return textOf(batches);
    },
  };
}

async function sourceOf(file: string, { reading, from, options = {} }: Asked = {}): Promise<ConvertSource> {
  const found = from === undefined ? await recogniseFile(file, reading) : undefined;
  const provider = found?.provider ?? requireProvider(from ?? 'unrecognised');
  const table = found?.table ?? reading?.table;
  return { file, provider, related: {}, options, tenant: undefined, reading: { ...reading, table } };
}

/** The lines of all batches. */
export function textOf(batches: readonly ConvertedBatch[]): string {
  return Buffer.concat(batches.map(({ text }) => text)).toString();
}
