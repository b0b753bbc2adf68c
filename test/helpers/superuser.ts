/** Changes of a cluster by a test or a benchmark for which the core's own role has no rights. */
import { createLogger } from '../../src/process/log.ts';
import { clusterPath } from '../../src/embedded/cluster.ts';
import { locateBinaries, openPrograms } from '../../src/embedded/programs.ts';
import { chooseRunAs, ensureReachable } from '../../src/embedded/run-as.ts';
import { runAsSuperuser } from '../../src/embedded/single-user.ts';

/** For the cluster of the tests: made by `makeSuperuser`, for actions that require it. */
export const superuser = { user: 'superuser_of_tests', password: 'only a test can know' } as const;

export const makeSuperuser = `CREATE ROLE ${superuser.user} SUPERUSER LOGIN PASSWORD '${superuser.password}'`;

/** @param dataDir of a core's embedded PostgreSQL, which does not run now */
export async function changeAsSuperuser(dataDir: string, statements: readonly string[]): Promise<void> {
  const cluster = clusterPath(dataDir);
  const runAs = await ensureReachable(dataDir, await chooseRunAs(cluster));
  const programs = await openPrograms(locateBinaries(), runAs, {
    dataDir,
    log: createLogger({ level: 'silent' }),
  });
  try {
    await runAsSuperuser({ binaries: programs, runAs, cluster, database: 'template1' }, statements);
  } finally {
    await programs.remove();
  }
}
