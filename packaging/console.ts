/**
 * `npm run build:console`: writes src/features/console/built/, the pages of the console for browsers. Scripts and styles are packed
 * once, here, so that the core sends them as they are.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';

const feature = fileURLToPath(new URL('../src/features/console/', import.meta.url));
const out = path.join(feature, 'built');

await build({
  root: path.join(feature, 'pages'),
  configFile: false,
  // Relative addresses: the core may be behind a proxy's prefix.
  base: './',
  logLevel: 'warn',
  build: {
    outDir: out,
    emptyOutDir: true,
    // Of the libraries that are built in: THIRD-PARTY-LICENSES has it, too.
    license: { fileName: 'licences.md' },
    // The core serves /console/<name>; names in its paths are in lower case.
    assetsDir: 'console',
    assetsInlineLimit: 0,
    target: 'es2023',
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        hashCharacters: 'hex',
        entryFileNames: 'console/[name]-[hash].js',
        chunkFileNames: 'console/[name]-[hash].js',
        assetFileNames: 'console/[name]-[hash][extname]',
      },
    },
  },
});

const assets = path.join(out, 'console');
for (const name of readdirSync(assets)) {
  const file = path.join(assets, name);
  writeFileSync(`${file}.gz`, gzipSync(readFileSync(file), { level: 9 }));
  rmSync(file);
}
