import type { Provider, Sample } from '../providers/provider.ts';

/** A provider that a file looks like. */
export interface Recognised {
  readonly provider: Provider;
  readonly sample: Sample;
  /** Others that it may be, the more certain first. */
  readonly alternatives: readonly Provider[];
  /** Of these, the equally certain ones: a person has to choose. */
  readonly asLikely?: readonly Provider[];
  /** For a dump: the table of the users. */
  readonly table?: string;
  /** For a dump: tables that look like users, too. */
  readonly otherTables?: readonly string[];
}
