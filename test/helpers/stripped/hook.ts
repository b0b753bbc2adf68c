/**
 * Preloaded by every process and thread of the tests, as the copy that `fill.ts` has written next to the stripped sources. Each
 * would otherwise strip the same hundred modules again, which takes longer than the rest of its start.
 */
import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import module, { type LoadFnOutput } from 'node:module';

const root = new URL('../../../', import.meta.url).href;

/** @returns the source without types, if it was stripped since its last change */
function strippedOf(url: string): string | undefined {
  try {
    const kept = new URL(url.slice(root.length).replaceAll('/', '+'), import.meta.url);
    const stripped = readFileSync(kept, 'utf8');
    return stripped.endsWith(hash('sha1', readFileSync(new URL(url)))) ? stripped : undefined;
  } catch {
    return undefined;
  }
}

// Node 20 has no such hooks, and runs only the built package.
(module as Partial<typeof module>).registerHooks?.({
  load(url, context, next): LoadFnOutput {
    const source = url.startsWith(root) && url.endsWith('.ts') ? strippedOf(url) : undefined;
    return source === undefined ? next(url, context) : { format: 'module', source, shortCircuit: true };
  },
});
