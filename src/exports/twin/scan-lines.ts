/** Reads lines of a twin again, and looks up every value in the original's. It knows nothing of the rules that made them. */

import { eachPart, eachPartOfHash, hasOriginal, type OriginalTable } from './originals.ts';
import { declaredNames } from './record.ts';
import { linesIn, objectIn } from './replace-lines.ts';
import { hashNames } from './survey-lines.ts';
import type { Scanned, ScanTask } from './tasks.ts';

/** In this program's words: see stated-reject.ts. */
const namesOfRejects: ReadonlySet<string> = new Set(['rejected', 'code', 'field', 'message', 'isGone']);

export function scanLines({ lines, originals }: ScanTask): Scanned {
  const found = new Set<string>();
  const counts = { values: 0 };
  for (const { text = '' } of linesIn(lines)) {
    const own = objectIn(text);
    const isReject = own !== undefined && Object.keys(own).length === 1 && 'rejected' in own;
    scanValue(own ?? text, '', { originals, found, counts, isReject });
  }
  return { ...counts, found: [...found] };
}

interface Scan {
  readonly originals: OriginalTable;
  readonly found: Set<string>;
  readonly counts: { values: number };
  readonly isReject: boolean;
}

function scanValue(value: unknown, path: string, scan: Scan): void {
  if (typeof value === 'string') scanText(value, path, scan);
  else if (typeof value === 'number') scanText(String(Math.abs(value)), path, scan);
  else if (Array.isArray(value)) for (const each of value) scanValue(each, path, scan);
  else if (typeof value === 'object' && value !== null) scanFields(value, path, scan);
}

function scanFields(value: object, path: string, scan: Scan): void {
  for (const [name, each] of Object.entries(value)) {
    if (scan.isReject && namesOfRejects.has(name)) {
      if (name === 'rejected') scanValue(each, name, scan);
      continue;
    }
    const isDeclared = declaredNames.has(name);
    if (!isDeclared) scanText(name, path, scan);
    // Names of metadata are not shown: if they were the original's, they would be what was found.
    const shown = isDeclared ? name : '…';
    scanValue(each, path === '' ? shown : `${path}.${shown}`, scan);
  }
}

function scanText(text: string, path: string, { originals, found, counts }: Scan): void {
  counts.values += 1;
  const parts = hashNames.has(path.slice(path.lastIndexOf('.') + 1)) ? eachPartOfHash : eachPart;
  parts(text, (part) => {
    if (hasOriginal(originals, part)) found.add(path === '' ? 'a line' : path);
  });
}
