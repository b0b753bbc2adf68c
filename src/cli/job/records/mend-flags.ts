import path from 'node:path';
import type { Provider } from '../../../exports/providers/provider.ts';
import type { JobView } from '../../client/views.ts';
import type { ImportState } from '../state-files.ts';

/** An import whose rejected records are to be imported again. */
export interface Mended {
  readonly state: Pick<ImportState, 'options' | 'related' | 'tenant' | 'reading'>;
  readonly provider: Provider;
  readonly job: RulesOfJob & Pick<JobView, 'onConflict'>;
  /** The folder in which the command runs. */
  readonly here: string;
}

/**
 * The options for the corrected records, each after a blank: those of their import, without the ones that only its own file
 * needed (encoding, columns, table of a dump) and without `--absent`, because they are not a complete export. Secrets are left
 * out.
 */
export function mendFlags({ state, provider, job, here }: Mended): string {
  const { options, related, tenant, reading } = state;
  const tables = provider.tables.map(({ name, flag }) => [flag, nearest(here, related[name]?.path)] as const);
  const names = Object.entries(reading?.names ?? {}).map((pair) => pair.join('='));
  const flags = [
    ['from', provider.name],
    ['tenant', tenant],
    ['map', names.length > 0 ? names.join(',') : undefined],
    ...Object.entries(options),
    ...tables,
    ['on-conflict', job.onConflict === 'update' ? undefined : job.onConflict],
    ...ofJob(job),
  ] as const;
  return flags.map(([name, value]) => flagOf(name, value)).join('');
}

/** The options for records of a job that are native by now, without how their conflicts are decided. */
export function decideFlags(job: RulesOfJob): string {
  return [['from', 'native'] as const, ...ofJob(job)].map(([name, value]) => flagOf(name, value)).join('');
}

type RulesOfJob = Pick<JobView, 'secondFactor' | 'sameIds' | 'idPrefix' | 'restoreRemoved' | 'source'>;

function ofJob({ secondFactor, sameIds, restoreRemoved, idPrefix, source }: RulesOfJob) {
  return [
    ['second-factor', secondFactor === 'refuse' ? undefined : secondFactor],
    ['same-ids', sameIds === true ? 'true' : undefined],
    ['restore-removed', restoreRemoved === true ? 'true' : undefined],
    ['id-prefix', idPrefix ?? undefined],
    ['source', source],
  ] as const;
}

function flagOf(name: string | undefined, value: string | undefined): string {
  if (name === undefined || value === undefined || value === 'false') return '';
  return value === 'true' ? ` --${name}` : ` --${name} ${quoted(value)}`;
}

/** As a shell accepts it. */
function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`;
}

/** The shortest form of a path from where the command runs. */
export function nearest(here: string, file: string): string;
export function nearest(here: string, file: string | undefined): string | undefined;
export function nearest(here: string, file: string | undefined): string | undefined {
  if (file === undefined) return undefined;
  const relative = path.relative(here, file);
  return relative.length < file.length ? relative : file;
}
