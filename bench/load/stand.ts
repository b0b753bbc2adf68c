import { type Cluster, startCluster } from './cluster.ts';
import { type CoreProcess, startCoreProcess } from './processes.ts';

/** The parts of most load scenarios: PostgreSQL and one core on it. */
export interface Stand {
  readonly cluster: Cluster;
  readonly core: CoreProcess;
}

/** For scenarios that start their cores themselves. */
export async function withCluster<Result>(work: (cluster: Cluster) => Promise<Result>): Promise<Result> {
  const cluster = await startCluster(2);
  try {
    return await work(cluster);
  } finally {
    await cluster.stop();
  }
}

/** @param settings of the core, as in its environment */
export async function withStand<Result>(
  settings: Readonly<Record<string, string>>,
  work: (stand: Stand) => Promise<Result>,
): Promise<Result> {
  return withCluster((cluster) => withCore(cluster, settings, (core) => work({ cluster, core })));
}

/** One more core on the same PostgreSQL. */
export async function withCore<Result>(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
  work: (core: CoreProcess) => Promise<Result>,
): Promise<Result> {
  const core = await startCoreProcess(cluster.uri, undefined, settings);
  try {
    return await work(core);
  } finally {
    await core.stop();
  }
}
