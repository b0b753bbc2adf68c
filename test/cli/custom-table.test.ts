import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { proposedCommand } from '../../src/cli/input/custom-table.ts';
import { recogniseFile } from '../../src/exports/convert/convert.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'carryover-test-'));
afterAll(() => {
  rmSync(folder, { recursive: true });
});

const hash = '$2b$10$CTWht0IbMgpF2/RmLjQWquSqLC4CXoTQ8c1Q.lZVrhZ7JAGHKjFfa';
const proposedFor = async (...lines: readonly string[]) => {
  const file = path.join(folder, 'my users.csv');
  writeFileSync(file, `${lines.join('\n')}\n`);
  expect(await recogniseFile(file)).toBeUndefined();
  const proposed = await proposedCommand(
    { file, shown: 'my users.csv', reading: undefined },
    new AbortController().signal,
  );
  return proposed?.map((line) => line.replace(/^.* import /, 'import '));
};

describe('a table of no known system', () => {
  it('gets the command that maps its columns, quoted for a shell', async () => {
    const rows = [
      'id,email,password_hash,activated',
      `1,ada@example.com,${hash},t`,
      `2,bob@example.com,${hash},f`,
    ];
    expect(await proposedFor(...rows)).toEqual([
      `import 'my users.csv' --from native --map 'externalUserId=id,email=email,passwordHash=password_hash,isDisabled=!activated'`,
    ]);
  });

  it('is not WorkOS by ids and verified emails alone', async () => {
    const rows = ['external_id,email,email_verified,password', `a,ada@example.com,true,${hash}`];
    expect((await proposedFor(...rows))?.[0]).toContain('passwordHash=password');
  });

  it('has its salts mapped, and guards of unclear sense named first', async () => {
    const rows = ['uid,mail,pass,salt,status,seen_at', `1,ada@example.com,${'a'.repeat(64)},q1,7,2024-01-02`];
    const [command, ...notes] = (await proposedFor(...rows)) ?? [];
    expect(command).toContain('passwordSalt=salt');
    expect(notes.join('\n')).toMatch(
      /--hash-as has to say[^]*\n +DECIDE: column status .*values are 7\..*isDisabled=!status:[^]*seen_at/,
    );
  });

  it('without emails gets no command', async () => {
    expect(await proposedFor('id,colour', '1,red')).toBeUndefined();
  });
});
