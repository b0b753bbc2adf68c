import path from 'node:path';
import type { Config } from '../config/load.ts';
import { carryover } from '../process/called.ts';
import { makesKey } from './process-keys.ts';

export interface WelcomeOptions {
  readonly config: Config;
  readonly port: number;
  readonly createdKey: string | undefined;
  /** Whether to show the key. Output of a container or a service is stored as a log. */
  readonly isTerminal: boolean;
}

/** bcrypt of `correct horse battery staple` at cost 10. */
const exampleHash = '$2b$10$pz9wj5VnjseLzsZIFntXOuDZ9rinO8n6eeLztHLbWBhy4vM3QFXTa';

interface Example {
  readonly title: string;
  readonly path: string;
  readonly body: object;
}

const examples: readonly Example[] = [
  {
    title: 'import a user with the hash of the old password',
    path: '/recipe/user/passwordhash/import',
    body: { email: 'ada@example.com', passwordHash: exampleHash },
  },
  {
    title: 'sign in a social user, created at the first sign-in',
    path: '/recipe/signinup',
    body: {
      thirdPartyId: 'google',
      thirdPartyUserId: '109876543210987654321',
      email: { id: 'ada@example.com', isVerified: true },
    },
  },
  {
    title: 'make an email verification token (the id is that of the first answer)',
    path: '/recipe/user/email/verify/token',
    body: { email: 'ada@example.com', userId: '<user id>' },
  },
  {
    title: 'redeem it',
    path: '/recipe/user/email/verify',
    body: { method: 'token', token: '<token>' },
  },
  {
    title: 'and sign in with the old password',
    path: '/recipe/signin',
    body: { email: 'ada@example.com', password: 'correct horse battery staple' },
  },
];

export function welcome(options: WelcomeOptions): string {
  const { config, port } = options;
  const host = config.host.includes(':') ? `[${config.host}]` : config.host;
  const url = `http://${host === '0.0.0.0' ? '127.0.0.1' : host}:${port}`;
  const lines = [
    `carryover is ready at ${url}`,
    config.postgresqlConnectionUri === undefined
      ? `  data       ${config.dataDir} (its own PostgreSQL)`
      : '  data       in the PostgreSQL of postgresql_connection_uri',
    `  api key    ${keyLine(options)}`,
    ...(config.console ? [`  console    ${url}/console, in a browser`] : []),
    '',
    '# import the users of an export; with --dry-run it reports what would happen and changes nothing',
    `CARRYOVER_API_KEY="${keyFor(config)}" ${carryover} import users.json --url ${url}`,
    '',
    ...examples.flatMap((example) => [`# ${example.title}`, curl(url, keyFor(config), example), '']),
  ];
  return `\n${lines.join('\n')}\n`;
}

function keyLine({ config, createdKey, isTerminal }: WelcomeOptions): string {
  if (!makesKey(config)) return 'as configured in api_keys';
  const file = keyFile(config);
  if (createdKey === undefined) return `in ${file}`;
  return isTerminal ? `${createdKey} (made now and stored in ${file})` : `made now and stored in ${file}`;
}

/** Read from its file, so that no key ends up in a shell's history. */
function keyFor(config: Config): string {
  return makesKey(config) ? `$(cat '${keyFile(config)}')` : '<your api key>';
}

function keyFile(config: Config): string {
  return path.join(config.dataDir, 'api-key');
}

function curl(url: string, key: string, { path: endpoint, body }: Example): string {
  return `curl -s ${url}${endpoint} -H "api-key: ${key}" -d '${JSON.stringify(body)}'`;
}
