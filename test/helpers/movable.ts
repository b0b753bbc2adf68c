/** Two PostgreSQL servers, each a place, whose role may replicate, and cores on them. */
import { asking } from './ask.ts';
import { type Alone, startAlone } from './replicated.ts';
import { addressOf, type Program, runCommand, runMain } from './process.ts';

export const apiKey = 'places-key-0123456789';

export interface Movable {
  readonly first: Alone;
  readonly second: Alone;
  /** For cores, and for the command. */
  readonly environment: Readonly<Record<string, string>>;
  startCore(): Promise<{ readonly program: Program; readonly url: string }>;
  /** `apps move` with these arguments. */
  move(...rest: readonly string[]): Program;
  /** Users of the app in the first place and in the second. */
  peopleOf(appId: string): Promise<readonly [number, number]>;
  /** What moves have made and not removed, in both places. */
  leftovers(): Promise<readonly string[]>;
  remove(): Promise<void>;
}

export const askCore = asking(apiKey);

const leftovers = `
  select 'trigger ' || tgname as name from pg_trigger where tgname like 'held_app_%'
  union all select 'publication ' || pubname from pg_publication
  union all select 'subscription ' || subname from pg_subscription
  union all select 'slot ' || slot_name from pg_replication_slots
  union all select 'move ' || stage from carryover.app_moves`;

async function peopleIn(server: Alone, appId: string): Promise<number> {
  const [row] = await server.sql<{ users: number }>(
    `select count(*)::int as users from carryover.users u
     where u.app_no = (select a.app_no from carryover.apps a where a.app_id = '${appId}')`,
    'core',
  );
  return row?.users ?? 0;
}

/** A subscription of an ordinary role has to be asked for a password. */
const letIn = `
  copy (values ('host all core 127.0.0.1/32 scram-sha-256'), ('host all postgres 127.0.0.1/32 trust')) to`;

const rights = [
  `alter role core password 'move-secret'`,
  'alter role core replication',
  'grant pg_create_subscription to core',
  'grant create on database core to core',
];

/** @param settings further ones of the cores, as in the environment */
export async function startMovable(settings: Readonly<Record<string, string>> = {}): Promise<Movable> {
  const [first, second] = await Promise.all([startAlone(), startAlone()]);
  for (const server of [first, second]) {
    for (const right of rights) await server.sql(right);
    const [file] = await server.sql<{ hba_file: string }>('show hba_file');
    await server.sql(`${letIn} '${file?.hba_file ?? ''}'`);
    await server.sql('select pg_reload_conf()');
  }
  const uriOf = ({ port }: Alone): string =>
    `postgresql://core:move-secret@127.0.0.1:${port}/core?sslmode=disable`;
  const environment = {
    ...settings,
    API_KEYS: apiKey,
    POSTGRESQL_CONNECTION_URI: uriOf(first),
    PLACES: JSON.stringify([{ name: 'second', uri: uriOf(second) }]),
  };
  const programs: Program[] = [];
  return {
    first,
    second,
    environment,
    startCore: async () => {
      const program = runMain({ environment: { HOST: '127.0.0.1', PORT: '0', ...environment } });
      programs.push(program);
      await program.printed(/"msg":"ready"/);
      return { program, url: await addressOf(program) };
    },
    move: (...rest) => {
      const program = runCommand({ environment, arguments: ['apps', 'move', ...rest, '--yes'] });
      programs.push(program);
      return program;
    },
    peopleOf: async (appId) => [await peopleIn(first, appId), await peopleIn(second, appId)],
    leftovers: async () => {
      const found = await Promise.all(
        [first, second].map((server) => server.sql<{ name: string }>(leftovers, 'core')),
      );
      return found.flat().map(({ name }) => name);
    },
    remove: async () => {
      await Promise.all(programs.map((program) => program.end()));
      await Promise.all([first.remove(), second.remove()]);
    },
  };
}
