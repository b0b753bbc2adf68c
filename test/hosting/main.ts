/**
 * Tries the core in environments drawn at random: npm run hosting -- [--seed 1] [--count 200] [--users 20000] [--results FILE].
 * Needs root, control groups, and Debian's nginx, haproxy and postgresql-15. One line of JSON an environment is appended to the
 * file; environments in it are not tried again. The exit code is 1 if one of them is a FAULT.
 */
import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { environmentOf } from './environments.ts';
import { type ExternalPostgresql, startExternalPostgresql } from './external-postgresql.ts';
import { type Outcome, tryEnvironment } from './trial.ts';

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '200' },
    users: { type: 'string', default: '20000' },
    results: { type: 'string', default: 'hosting.ndjson' },
    port: { type: 'string', default: '54315' },
  },
});
const [seed, count, users, port] = [values.seed, values.count, values.users, values.port].map(Number) as [
  number,
  number,
  number,
  number,
];

function earlier(): readonly Outcome[] {
  if (!existsSync(values.results)) return [];
  const lines = readFileSync(values.results, 'utf8').trim().split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Outcome);
}

let postgresql: ExternalPostgresql | undefined;

async function attempt(index: number): Promise<Outcome> {
  const environment = environmentOf(seed, index);
  if (environment.postgresql === 'own 18') return tryEnvironment({ environment, users, uri: undefined });
  postgresql ??= startExternalPostgresql(port);
  const name = `hosting_${index}`;
  const outcome = await tryEnvironment({ environment, users, uri: postgresql.create(name) });
  postgresql.drop(name);
  return outcome;
}

const done = [...earlier()];
try {
  for (let index = 0; index < count; index++) {
    if (done.some((outcome) => outcome.index === index)) continue;
    const outcome = await attempt(index);
    done.push(outcome);
    const line = JSON.stringify(outcome);
    appendFileSync(values.results, `${line}\n`);
    process.stdout.write(`${line}\n`);
  }
} finally {
  postgresql?.stop();
}
const counts = Object.groupBy(done, ({ outcome }) => outcome);
const said = Object.entries(counts).map(([outcome, those]) => `${outcome} ${those.length}`);
process.stdout.write(`${done.length} environments: ${said.join(', ')}\n`);
process.exitCode = counts.FAULT === undefined ? 0 : 1;
