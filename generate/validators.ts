/** The validators that the server runs, compiled ahead of time: Ajv is not available at run time. */
import { _, Ajv } from 'ajv';
import standalone from 'ajv/dist/standalone/index.js';
import { features } from '../src/features/index.ts';
import type { Schemas } from '../src/schema/forms.ts';
import { records } from '../src/schema/records.ts';
import { bodies, queries } from '../src/schema/requests.ts';

const head = '// Generated from the schemas of requests and records by "npm run generate": do not edit.\n';

/** @returns the text of validators.generated.cjs: CommonJS that requires nothing. */
export function validatorsText(): string {
  const schemas = joined([
    bodies,
    queries,
    records,
    ...features.flatMap((each) => [each.bodies, each.queries]),
  ]);
  const ajv = new Ajv({
    allErrors: true,
    allowUnionTypes: true,
    // Our sentences are built from keyword and params; `unicode: false` counts UTF-16 units and needs no import.
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

/** @throws Error for a name that two schemas have */
function joined(parts: readonly Schemas[]): Schemas {
  const all = parts.flatMap((schemas) => Object.entries(schemas));
  const names = new Set(all.map(([name]) => name));
  if (names.size < all.length) {
    const twice = all.find(([name], index) => all.findIndex((each) => each[0] === name) < index);
    throw new Error(`two schemas are called ${twice?.[0] ?? ''}: a name is of one request`);
  }
  return Object.fromEntries(all);
}
