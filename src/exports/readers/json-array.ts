import { UnusableExport } from '../providers/provider.ts';
import type { Input } from './input.ts';
import { JsonScanner } from './json-scanner.ts';
import { BatchBuilder } from './raw.ts';
import type { RawBatch } from './raw.ts';

/**
 * The elements of every array under `path` of one JSON document, as raw bytes; of the top-level array without a path.
 * Where that is no array, the top-level values themselves, white space between them: objects that somebody indented.
 * @param isRequired whether a document without such an array is refused
 * @throws UnusableExport with the byte offset when the text ends early or is no JSON
 */
export async function* readJsonArray(
  { chunks, bytesRead }: Input,
  path: readonly string[],
  isRequired = true,
): AsyncGenerator<RawBatch> {
  const builder = new BatchBuilder();
  const scanner = new JsonScanner(path, builder);
  for await (const chunk of chunks) {
    scanner.push(chunk);
    if (scanner.fault !== undefined) throw new UnusableExport(scanner.fault);
    yield* builder.take(bytesRead());
  }
  const fault = scanner.end();
  // What was complete before the fault is not handed out: a document cut off is fetched again, not half imported.
  if (fault !== undefined) throw new UnusableExport(fault);
  if (isRequired && !scanner.hasArray)
    throw new UnusableExport(`the document has no array "${path.join('.')}"`);
  yield* builder.take(bytesRead(), true);
}
