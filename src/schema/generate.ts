/**
 * Writes the validators that the server runs: `npm run generate`. With `--check` it only says whether the
 * committed file is what the schemas give. The one place that knows Ajv, which is not there at run time.
 */
import { readFile, writeFile } from 'node:fs/promises';
import { _, Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { records } from './records.ts';
import { bodies, queries } from './requests.ts';

const file = new URL('validators.generated.cjs', import.meta.url);
const head = '// Generated from requests.ts and records.ts by "npm run generate": do not edit.\n';

/** @returns the text that validators.generated.cjs should have: CommonJS that requires nothing. */
export function generate(): string {
  const schemas = { ...bodies, ...queries, ...records };
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    // Our sentences are made from keyword and params; `unicode: false` counts UTF-16 units and needs no import.
    messages: false,
    unicode: false,
    code: { source: true, lines: true },
    logger: false,
  });
  ajv.addVocabulary(['x-normalise', 'x-why', 'x-messages', 'x-commaList']);
  ajv.addKeyword({
    keyword: 'x-maxBytes',
    type: 'string',
    schemaType: 'number',
    code(context) {
      context.fail(_`Buffer.byteLength(${context.data}) > ${context.schemaCode}`);
    },
    error: { message: '', params: ({ schemaCode }) => _`{limit: ${schemaCode}}` },
  });
  for (const [name, schema] of Object.entries(schemas)) ajv.addSchema(schema, name);
  const names = Object.fromEntries(Object.keys(schemas).map((name) => [name, name]));
  return `${head}${standalone.default(ajv, names)}\n`;
}

async function main(check: boolean): Promise<void> {
  const wanted = generate();
  if (!check) {
    await writeFile(file, wanted);
    return;
  }
  if ((await readFile(file, 'utf8').catch(() => '')) === wanted) return;
  process.stderr.write(
    'src/schema/validators.generated.cjs is stale: run "npm run generate" and commit it\n',
  );
  process.exitCode = 1;
}

if (import.meta.main) await main(process.argv.includes('--check'));
