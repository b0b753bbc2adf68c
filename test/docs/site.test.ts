/** The static site: every page of the repository's documentation, with valid links, found by its words. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { build } from '../../site/build.ts';
import { readContents } from '../../site/contents.ts';
import { searchIndex } from '../../site/search.ts';

let out: string;
let addresses: readonly string[];
beforeAll(async () => {
  out = await mkdtemp(path.join(os.tmpdir(), 'carryover-site-'));
  addresses = await build(out);
});
afterAll(() => rm(out, { recursive: true }));

const read = (address: string): Promise<string> => readFile(path.join(out, address), 'utf8');

it('has links, pictures and scripts that are there, and headings where links point', async () => {
  for (const address of addresses) {
    const html = await read(address);
    const targets = [...html.matchAll(/ (?:href|src|srcset)="([^"]+)"/g)].map(([, target = '']) => target);
    for (const target of targets.filter((each) => !/^[a-z]+:/.test(each))) {
      const [file = '', anchor] = target.split('#');
      const found = file === '' ? address : path.join(path.dirname(address), file);
      expect((await stat(path.join(out, found))).isFile(), `${address}: ${target}`).toBe(true);
      if (anchor !== undefined)
        expect(await read(found), `${address}: ${target}`).toContain(`id="${anchor}"`);
    }
  }
});

it('finds a page by what people look for', () => {
  const index = searchIndex(readContents().flatMap(({ pages }) => pages));
  const first = (query: string): unknown =>
    index.search(query, { prefix: true, boost: { title: 4 } })[0]?.address;
  expect(String(first('firebase'))).toMatch(/^from\/firebase\.html/);
  expect(String(first('undo'))).toMatch(/undo/);
  expect(String(first('pgbouncer'))).toMatch(/^operate\/postgres\.html/);
});

it('lists every page for programs that read text', async () => {
  const list = await read('llms.txt');
  for (const address of addresses) expect(list).toContain(`(${address})`);
  expect(await read('llms-full.txt')).toContain('# From Firebase Authentication');
});
