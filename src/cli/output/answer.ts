/** Answers for programs: one line of JSON each. */

import type { Step } from '../command-error.ts';

/**
 * @param type the command, as it is typed: `import`, `sessions import`
 * @param next following commands
 */
export function asJson(type: string, body: object, next: readonly Step[] = []): string {
  return `${JSON.stringify({ type, status: 'OK', ...body, next })}\n`;
}
