/** The content of a file has no effect on the terminal: its name, names in it, and the records to correct. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { knownHash } from '../helpers/people.ts';
import { useCoreAndPlace, withTestKey } from '../helpers/use-core.ts';
import { makePlace, type Place } from '../helpers/carryover.ts';
import { zipOf } from '../helpers/zip.ts';
import type { TestCore } from '../helpers/core.ts';

// eslint-disable-next-line no-control-regex
const control = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/;
const name = 'users\u001b[31m\u0007';

let own: Place;
beforeAll(async () => {
  own = await makePlace();
});
afterAll(() => own.remove());

let core: TestCore;
let place: Place;
useCoreAndPlace((used) => {
  ({ core, place } = used);
});

describe('inspect', () => {
  it('shows the names of a file and of a table without their control characters', async () => {
    const columns =
      '`id` int, `email` varchar(255), `encrypted_password` varchar(255), `reset_password_token` varchar(9)';
    const file = `d\u001b]0;x\u0007.sql`;
    await own.write(
      file,
      `-- MySQL dump 10.13\nCREATE TABLE \`${name}\` (${columns});\nINSERT INTO \`${name}\` VALUES (1,'a@b.test','${knownHash}',NULL);\n-- Dump completed\n`,
    );
    const { stdout, stderr } = await own.run(['inspect', file]);
    expect(stderr).toContain('the table users\ufffd[31m\ufffd of the dump');
    expect(stdout).toMatch(/^d\ufffd]0;x\ufffd\.sql: Ruby on Rails/);
    expect(stdout + stderr).not.toMatch(control);
  });

  it.each(['../../x', '/etc/x', 'a/../../x'])(
    'says of a zip what is wrong with the name %s in it',
    async (entry) => {
      await own.write('evil.zip', zipOf([entry]));
      const { stderr } = await own.run(['inspect', 'evil.zip']);
      expect(stderr).toContain('is zip with a file whose name leads out of its folder');
      expect(stderr).not.toContain('damaged');
    },
  );

  it('reads a zip whose name is harmless', async () => {
    await own.write('good.zip', zipOf(['users.ndjson']));
    const { stderr } = await own.run(['inspect', 'good.zip']);
    expect(stderr).not.toContain('leads out');
  });
});

describe('records to be mended', () => {
  it('are written without control characters, and mean the same', async () => {
    const method = { recipeId: 'emailpassword', email: 'a@mend.test', passwordHash: 'no hash' };
    const record = {
      externalUserId: 'm-1',
      userMetadata: { note: 'x\u007f\u009b31m\u202ey' },
      loginMethods: [method],
    };
    const broken = '{"externalUserId":"m-\u001b[2J\u0007\r2",';
    await place.write('users.ndjson', `${JSON.stringify(record)}\n${broken}\n`);
    const { stdout, stderr, code } = await place.run(
      ['import', '--yes', 'users.ndjson', '--from', 'native', '--url', core.url],
      withTestKey,
    );
    expect([code, stdout + stderr]).toEqual([1, expect.stringContaining('mend.ndjson')]);
    const [, file = ''] = /(\S*mend\.ndjson)/.exec(stdout + stderr) ?? [];
    const [first = '', second] = (await place.read(file)).split('\n');
    expect(`${first}${String(second)}`).not.toMatch(control);
    expect(first).not.toMatch(/\p{Bidi_Control}/u);
    expect(JSON.parse(first)).toEqual(record);
    expect(second).toBe('{"externalUserId":"m-\\u001b[2J\\u0007 2",');
  });
});
