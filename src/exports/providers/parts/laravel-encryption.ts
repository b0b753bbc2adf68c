/** Laravel's APP_KEY, as given to the command. */

import { decodeBase64 } from '../../../hashes/parts/encodings.ts';
import { openPayload } from '../../../hashes/parts/laravel-payload.ts';
import { ExportFault } from '../provider.ts';

/** @param text APP_KEY as `.env` has it; several separated by commas, as APP_PREVIOUS_KEYS. @throws ExportFault */
export function laravelKeys(text: string): readonly Buffer[] {
  return text.split(',').map((each) => {
    const key = decodeBase64(each.trim().replace(/^base64:/, ''), 'any');
    if (key !== undefined && (key.length === 32 || key.length === 16)) return key;
    throw new ExportFault('--laravel-app-key must be APP_KEY as .env has it: base64: and 32 bytes in base64');
  });
}

/** @returns the text; undefined when none of the keys opens it */
export function openLaravel(text: string, keys: readonly Buffer[]): string | undefined {
  return openPayload(text, keys)?.text;
}
