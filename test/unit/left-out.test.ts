import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { leftOut, needs, requireAll } from '../helpers/left-out.ts';

const some = [
  { what: 'MySQL', debian: 'mariadb-server', isThere: false },
  { what: 'PHP', debian: 'php-cli', isThere: true },
  { what: 'xz', debian: 'xz-utils', isThere: false },
];

it('says in one line what is left out, and how to have it', () => {
  expect(leftOut(some)).toBe(
    'Left out: the tests of MySQL, xz. To have them: apt-get install mariadb-server xz-utils',
  );
  expect(leftOut(some.filter(({ isThere }) => isThere))).toBeUndefined();
});

it('fails a run in CI, and no other', () => {
  expect(() => requireAll({ CI: 'true' }, some)).toThrow('apt-get install mariadb-server xz-utils');
  expect(requireAll({}, some)).toContain('Left out');
  expect(requireAll({ CI: 'true' }, [])).toBeUndefined();
});

it('is what the script of CI installs', () => {
  const script = readFileSync('.ci/run', 'utf8');
  const [, packages = ''] = /^packages=\((.*)\)$/m.exec(script) ?? [];
  expect(packages.split(' ').toSorted()).toEqual(needs.flatMap(({ debian }) => debian.split(' ')).toSorted());
});
