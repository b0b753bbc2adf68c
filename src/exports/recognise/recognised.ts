import type { Provider, Sample } from '../providers/provider.ts';

/** A provider that a file looks like. */
export interface Recognised {
  readonly provider: Provider;
  readonly sample: Sample;
  /** Others that it may be, the surer first. */
  readonly alternatives: readonly Provider[];
  /** Of them, those that it is as surely of: a person has to say which. */
  readonly asLikely?: readonly Provider[];
  /** Of a dump: the table of the users. */
  readonly table?: string;
  /** Of a dump: tables that look like users, too. */
  readonly otherTables?: readonly string[];
}
