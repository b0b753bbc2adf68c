/** `doctor env`: the settings that a core would be started with here, and where each value comes from. */
import path from 'node:path';
import { effectiveSettings } from '../../config/load.ts';
import type { EffectiveSetting } from '../../config/origins.ts';
import { type ExitCode, exitCodes } from '../command-error.ts';
import { asJson } from '../output/answer.ts';
import { printable, table } from '../output/format.ts';
import type { Surroundings } from '../surroundings.ts';

interface SettingsOptions {
  readonly config?: string;
  readonly json?: boolean;
}

/** @throws ConfigError for settings that a core would refuse */
export function examineSettings(
  { config, json }: SettingsOptions,
  { environment, folder, stdout }: Surroundings,
): ExitCode {
  const file = config === undefined ? undefined : path.resolve(folder, config);
  const settings = effectiveSettings({ file, environment });
  stdout.write(json === true ? asJson('doctor env', { settings }) : asText(settings));
  return exitCodes.ok;
}

/** Explicit settings come first: the defaults are many. */
function asText(settings: readonly EffectiveSetting[]): string {
  const set = settings.filter(({ origin }) => origin !== 'default');
  const defaults = settings.filter(({ origin }) => origin === 'default');
  const lines = table(
    [...set, ...defaults].map(({ name, value = '(not set)', ...from }) => [name, value, sayOrigin(from)]),
  );
  return `${lines.map(printable).join('\n')}\n`;
}

function sayOrigin({ origin, where }: Omit<EffectiveSetting, 'name' | 'value'>): string {
  return where === undefined ? origin : `${origin}: ${where}`;
}
