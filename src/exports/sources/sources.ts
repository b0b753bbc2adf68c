/** Every system whose database can be read, by the name of its provider. */

import { supabaseSource } from './servers/supabase.ts';
import type { Source } from './source.ts';

/** In the order of their names. */
export const sources: readonly Source[] = [supabaseSource];

export function findSource(name: string): Source | undefined {
  return sources.find(({ provider }) => provider === name.trim().toLowerCase());
}
