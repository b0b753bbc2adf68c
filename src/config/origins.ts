/** Where the value of each setting comes from. Nothing here shows a secret. */
import { cutUri } from './postgresql-uri.ts';
import type { SettingSchema } from './setting.ts';

export type Origin = 'default' | 'file' | 'environment';

export interface EffectiveSetting {
  readonly name: string;
  /** As text; of a secret that there is one. Absent: not set, and without a default. */
  readonly value?: string;
  readonly origin: Origin;
  /** The variable or the file that it stands in. */
  readonly where?: string;
}

/** @returns the variable that says the value of a setting, if one does */
export function variableOf(
  key: string,
  { writeOnly }: SettingSchema,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const name = key.toUpperCase();
  if ((environment[name] ?? '') !== '') return name;
  return writeOnly === true && (environment[`${name}_FILE`] ?? '') !== '' ? `${name}_FILE` : undefined;
}

/** @param value as it was read, before it was checked */
export function shownValue(key: string, { writeOnly }: SettingSchema, value: unknown): string {
  if (key === 'postgresql_connection_uri') return withoutAccount(value);
  if (writeOnly === true) return '(secret)';
  return typeof value === 'string' ? value : Array.isArray(value) ? '(a list)' : JSON.stringify(value);
}

function withoutAccount(value: unknown): string {
  const parts = cutUri(value);
  if (!parts.ok) return '(secret)';
  const { account, servers, database } = parts.value;
  return `postgresql://${account === '' ? '' : '***@'}${servers.join(',')}/${database}`;
}
