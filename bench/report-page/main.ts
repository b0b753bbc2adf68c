/** node bench/report-page/main.ts results.json [folder]: the report of stored results. */
import { readFile } from 'node:fs/promises';
import { defaultFolder, parseResults, writeReport } from './report.ts';

async function main([file, folder = defaultFolder, ...more]: readonly string[]): Promise<void> {
  if (file === undefined || file.startsWith('-') || more.length > 0) {
    process.stderr.write('node bench/report-page/main.ts results.json [folder]\n');
    process.exitCode = 2;
    return;
  }
  const page = await writeReport(parseResults(await readFile(file, 'utf8')), folder);
  process.stdout.write(`${page}\n`);
}

await main(process.argv.slice(2));
