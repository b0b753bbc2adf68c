/** PostgreSQL servers, each a place, whose role may replicate, and cores on them. */
import { asking } from './ask.ts';
import { type Alone, startAlone } from './replicated.ts';
import { addressOf, type Program, runCommand, runMain } from './process.ts';

export const apiKey = 'places-key-0123456789';

/** Names of the places, in this order. */
export const placeNames = ['first', 'second', 'third'] as const;

export interface Movable {
  /** In the order of their names. */
  readonly servers: readonly Alone[];
  /** Of the servers. */
  readonly uris: readonly string[];
  /** For cores and the command. @param uris other ways to the servers */
  readonly environmentWith: (uris: readonly string[]) => Readonly<Record<string, string>>;
  startCore(): Promise<{ readonly program: Program; readonly url: string }>;
  /** `apps move` with these arguments. */
  move(...rest: readonly string[]): Program;
  /** Users of the app in each place. */
  peopleOf(appId: string): Promise<readonly number[]>;
  /** What moves have made and not removed, in all places. */
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

/**
 * @param settings further ones of the cores, as in the environment
 * @param count of places, at most as many as there are names
 */
export async function startMovable(
  settings: Readonly<Record<string, string>> = {},
  count = 2,
): Promise<Movable> {
  const servers = await Promise.all(placeNames.slice(0, count).map(() => startAlone()));
  for (const server of servers) {
    for (const right of rights) await server.sql(right);
    const [file] = await server.sql<{ hba_file: string }>('show hba_file');
    await server.sql(`${letIn} '${file?.hba_file ?? ''}'`);
    await server.sql('select pg_reload_conf()');
  }
  const uris = servers.map(
    ({ port }) => `postgresql://core:move-secret@127.0.0.1:${port}/core?sslmode=disable`,
  );
  const environmentWith = ([first = '', ...others]: readonly string[]): Record<string, string> => ({
    ...settings,
    API_KEYS: apiKey,
    POSTGRESQL_CONNECTION_URI: first,
    PLACES: JSON.stringify(others.map((uri, at) => ({ name: placeNames[at + 1], uri }))),
  });
  const environment = environmentWith(uris);
  const programs: Program[] = [];
  return {
    servers,
    uris,
    environmentWith,
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
    peopleOf: (appId) => Promise.all(servers.map((server) => peopleIn(server, appId))),
    leftovers: async () => {
      const found = await Promise.all(
        servers.map((server) => server.sql<{ name: string }>(leftovers, 'core')),
      );
      return found.flat().map(({ name }) => name);
    },
    remove: async () => {
      await Promise.all(programs.map((program) => program.end()));
      await Promise.all(servers.map((server) => server.remove()));
    },
  };
}
