import { sections } from '../src/config/schema.ts';
import { tenantProperties } from '../src/config/schema-tenant.ts';
import type { SettingSchema, SettingSchemas } from '../src/config/setting.ts';
import { signerKeySetting, signerKeyAlias } from '../src/config/tenant-settings.ts';
import { generatedNote } from './page.ts';

const head = `# The core's settings. Every line that is commented out shows the default.
# Each key can also be given in the environment, in upper case, which wins: PORT=3568.
# A secret may stand in a file instead, which the environment names: API_KEYS_FILE=/run/secrets/api_keys.
# An unknown key or a value out of range stops the start with one line that names it.
`;

const all: readonly (readonly [string, SettingSchemas])[] = Object.entries(sections);

/** @returns the text of config.yaml, in which every key is commented out. */
export function configFile(): string {
  const parts = all.map(
    ([title, schemas]) => `\n# --- ${title} ---\n\n${Object.entries(schemas).map(lines).join('\n')}`,
  );
  return head + parts.join('');
}

function lines([key, schema]: [string, SettingSchema]): string {
  const unit = schema['x-unit'] === undefined ? '' : ` [${schema['x-unit']}]`;
  const unset = schema.default === undefined ? ` (default: ${schema['x-default'] ?? 'none'})` : '';
  const value = schema.default === undefined ? '' : ` ${String(schema.default)}`;
  const less = schema['x-by-memory'] ? ' (less where there is little memory)' : '';
  return `# ${schema.description}${unit}${unset}${less}\n# ${key}:${value}\n`;
}

const introduction = `# Settings

${generatedNote('src/config/schema.ts')}

A setting is a line of \`config.yaml\` (\`--config\` names another file) or an environment variable of the same name in
upper case, which wins. A secret may stand in a file instead, which the environment names:
\`API_KEYS_FILE=/run/secrets/api_keys\`. An unknown key or a value out of range stops the start with one line that names
it.
`;

/** @returns the text of docs/reference/settings.md. */
export function settingsPage(): string {
  return [introduction, ...all.map(section)].join('\n');
}

function section([title, schemas]: readonly [string, SettingSchemas]): string {
  const note = schemas === (tenantProperties as SettingSchemas) ? `${tenantNote}\n` : '';
  return `## ${title}\n\n${note}${Object.entries(schemas).map(item).join('\n')}`;
}

const tenantNote = `\`PUT /recipe/multitenancy/app/v2\` and \`PUT /recipe/multitenancy/tenant/v2\` take these keys in \`coreConfig\`; what
neither the tenant nor its app sets is the core's. \`${signerKeyAlias}\` is another name of
\`${signerKeySetting}\`.
`;

const memoryPage = '../operate/container.md#how-much-memory';

/** A list instead of a table: the sentences are longer than a column. */
function item([key, schema]: [string, SettingSchema]): string {
  const facts = [
    `default: ${defaultOf(schema)}${schema['x-by-memory'] ? `, less [where there is little memory](${memoryPage})` : ''}`,
    ...(schema.enum ? [`one of ${schema.enum.map((each) => `\`${each}\``).join(', ')}`] : []),
    ...rangeOf(schema),
    ...(schema.writeOnly ? ['secret'] : []),
  ];
  return `- **\`${key}\`**: ${schema.description}.\n  ${facts.join('; ')}\n`;
}

function rangeOf({ minimum, maximum, 'x-unit': unit }: SettingSchema): string[] {
  const range = minimum === undefined ? '' : `${minimum} to ${String(maximum)} `;
  return [`${range}${unit ?? ''}`.trim()].filter((text) => text !== '');
}

function defaultOf(schema: SettingSchema): string {
  if (schema.default !== undefined) return `\`${String(schema.default)}\``;
  return schema['x-default'] ?? 'none';
}
