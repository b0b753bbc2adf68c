import { type RefusalCode, refusals } from '../src/domain/errors.ts';
import { generatedNote } from './page.ts';

const introduction = `# Errors

${generatedNote('src/domain/errors.ts')}

What a request asks for and the core cannot do is answered with 200 and a status word, such as
\`WRONG_CREDENTIALS_ERROR\`: see [the routes](http.md). Everything else is refused with the status below and a body of JSON,
\`{"status": "<code>", "message": "<text>"}\`. Codes are stable; a message may say more than the one below, such as the name
of the field, and is for people.
`;

/** @returns the text of docs/reference/errors.md. */
export function errorsPage(): string {
  const codes = Object.keys(refusals) as RefusalCode[];
  const byStatus = [...Map.groupBy(codes, (code) => refusals[code].http)].sort(([a], [b]) => a - b);
  const sections = byStatus.map(
    ([http, group]) =>
      `## ${http}\n\n${group.map((code) => `- \`${code}\`: ${refusals[code].message}\n`).join('')}`,
  );
  return [introduction, ...sections].join('\n');
}
