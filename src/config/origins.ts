/** The origin of each setting's value. Shows no secrets. */
import { cutUri } from './postgresql-uri.ts';
import type { SettingSchema } from './setting.ts';

export type Origin = 'default' | 'file' | 'environment';

export interface EffectiveSetting {
  readonly name: string;
  /** As text; a secret is only reported as set. Absent: not set, and without a default. */
  readonly value?: string;
  readonly origin: Origin;
  readonly where?: string;
}

/** @returns the variable that sets a setting, if any */
export function variableOf(
  key: string,
  { writeOnly }: SettingSchema,
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const name = key.toUpperCase();
  if ((environment[name] ?? '') !== '') return name;
  return writeOnly === true && (environment[`${name}_FILE`] ?? '') !== '' ? `${name}_FILE` : undefined;
}

/** @param value as read, before it was checked */
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
