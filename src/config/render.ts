import { sections } from './table.ts';
import type { Setting } from './kinds.ts';

const HEAD = `# The core's settings. Every line that is commented out shows the default.
# Each key can also be given in the environment, in upper case, which wins: PORT=3568.
# A secret may stand in a file instead, which the environment names: API_KEYS_FILE=/run/secrets/api_keys.
# An unknown key or a value out of range stops the start with one line that names it.
`;

/**
 * The text of config.yaml, made from the table of settings so that the two cannot drift apart (a test compares them).
 * @returns YAML in which every key is commented out.
 */
export function renderConfigFile(): string {
  const parts = Object.entries(sections).map(
    ([title, settings]) =>
      `\n# --- ${title} ---\n\n${Object.entries(settings).map(renderSetting).join('\n')}`,
  );
  return HEAD + parts.join('');
}

function renderSetting([key, setting]: [string, Setting<unknown>]): string {
  const unit = setting.unit === undefined ? '' : ` [${setting.unit}]`;
  const note = setting.defaultNote ?? (setting.default === undefined ? 'none' : undefined);
  const unset = note === undefined ? '' : ` (default: ${note})`;
  const value =
    setting.default === undefined ? '' : ` ${JSON.stringify(setting.default).replace(/^"(.*)"$/, '$1')}`;
  return `# ${setting.why}${unit}${unset}\n# ${key}:${value}\n`;
}
