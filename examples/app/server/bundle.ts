import { readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';

/** The scripts of the pages, by file name. */
export type Assets = ReadonlyMap<string, string>;

const folder = fileURLToPath(new URL('../pages/', import.meta.url));

/** Bundles each page's script with the SDK for browsers, in memory. Shared code is in a separate file. */
export async function bundlePages(): Promise<Assets> {
  const entries = readdirSync(folder).filter((name) => name.endsWith('.html'));
  const input = Object.fromEntries(
    entries.map((name) => {
      const page = path.basename(name, '.html');
      return [page, path.join(folder, `${page}.ts`)];
    }),
  );
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'silent' });
  const { output } = await bundle.generate({
    format: 'es',
    minify: true,
    entryFileNames: '[name].js',
    chunkFileNames: '[name]-[hash].js',
  });
  await bundle.close();
  return new Map(output.flatMap((each) => (each.type === 'chunk' ? [[each.fileName, each.code]] : [])));
}
