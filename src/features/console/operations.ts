import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Tenant } from '../../domain/model.ts';
import type { Cores, FeatureParts } from '../feature.ts';
import { figuresOf } from './capacity.ts';
import { dashboard, type DashboardSessionOperations } from '../dashboard/feature.ts';
import { StagedFiles } from './files.ts';
import type { MorningView } from './model.ts';
import { Morning, morningOf } from './morning.ts';
import { Pages } from './pages.ts';
import { peopleOperations, type PeopleOperations } from './people.ts';
import { Runs } from './runs.ts';
import { ConsoleSessions } from './sessions.ts';
import { factStore } from './store/facts.ts';

export interface ConsoleOperations {
  readonly sessions: ConsoleSessions;
  /** Signing in as a user of the dashboard. */
  readonly operators: DashboardSessionOperations;
  readonly files: StagedFiles;
  readonly runs: Runs;
  readonly pages: Pages;
  readonly people: PeopleOperations;
  /** Of all cores. @throws errors of the database */
  readonly morning: () => Promise<MorningView>;
  readonly cores: Pick<Cores, 'list'>;
  /** The app of a dashboard user; undefined if it was removed. */
  readonly homeOf: (appId: string) => Promise<Tenant | undefined>;
  readonly now: () => number;
  readonly version: string;
  /** false: every client that reaches the core may use it, and signs in with nothing. */
  readonly needsKey: boolean;
  /** Removes files and folders of yesterday. */
  readonly tidy: () => Promise<number>;
  readonly close: () => Promise<void>;
}

export function openConsole(parts: FeatureParts): ConsoleOperations {
  const { config, context, openStores, keys, address, version, cores, metrics } = parts;
  const base = path.join(config.dataDir, 'console');
  const files = new StagedFiles(path.join(base, 'files'));
  const runs = new Runs({
    files,
    base: path.join(base, 'runs'),
    url: address,
    grant: (holder) => keys.grant(holder),
    now: context.now,
    program: [program],
  });
  const morning = new Morning(metrics, context.now);
  cores.report(async () => ({ ...(await figuresOf(metrics)), day: await morning.report() }));
  return {
    sessions: new ConsoleSessions({
      sealer: context.sealer,
      keys,
      requireApiKey: config.requireApiKey,
      now: context.now,
    }),
    operators: parts.offered(dashboard),
    files,
    runs,
    pages: new Pages(),
    people: peopleOperations({
      facts: openStores(({ live }) => factStore(live)),
      audit: context.stores.audit,
    }),
    morning: async () => morningOf(await cores.days(), context.now()),
    cores,
    homeOf: async (appId) => context.stores.tenants.find(appId, 'public'),
    now: context.now,
    version,
    needsKey: config.requireApiKey,
    tidy: async () => {
      const now = context.now();
      return (await files.removeOld(now, runs.filesInUse)) + (await runs.removeOld(now));
    },
    close: () => runs.close(),
  };
}

/** The command, as this program is: TypeScript in a clone, JavaScript in a package. */
const program = fileURLToPath(new URL(`../../cli${path.extname(import.meta.url)}`, import.meta.url));
