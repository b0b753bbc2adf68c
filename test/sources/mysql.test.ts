/** As every-source.test.ts, from MariaDB. */
import { afterAll, beforeAll, describe } from 'vitest';
import { hasMariadb, type Mariadb, startMariadb } from '../helpers/mariadb.ts';
import { type OldSystem, testSystems } from '../helpers/old-systems.ts';
import { tablesOf } from '../helpers/sources.ts';

const google = { id: 'google', userId: '109876543210987654321' };
const started = Date.parse('2024-01-01T00:00:00Z');

const systems: readonly OldSystem[] = [
  {
    name: 'laravel',
    ada: { id: '42', emails: ['ada@example.com'], thirdParty: [google], timeJoined: started },
    isVerified: true,
    signIn: ['ada@example.com'],
    kept: ['banned@example.com'],
    written: 2,
    byKind: { bcrypt: 2 },
  },
  {
    name: 'wordpress',
    ada: { id: '42', emails: ['ada@example.com'], timeJoined: started },
    isVerified: false,
    metadata: { username: 'ada', first_name: 'Ada', last_name: 'Lovelace' },
    roles: ['editor'],
    signIn: ['ada@example.com', 'bob@example.com'],
    kept: ['zero@example.com'],
    written: 3,
    byKind: { bcrypt_wordpress: 1, phpass: 1 },
  },
];

describe.skipIf(!hasMariadb)(
  'MariaDB (left out where there is no mariadbd: apt-get install mariadb-server)',
  () => {
    let mariadb: Mariadb;
    beforeAll(async () => {
      mariadb = await startMariadb();
    });
    afterAll(() => mariadb.stop());

    testSystems(systems, async (name) => mariadb.create(name, await tablesOf(`${name}.mysql`)));
  },
);
