/** How a start shows the API key that it generated. */
import { describe, expect, test } from 'vitest';
import { loadConfig } from '../../src/config/load.ts';
import { welcome } from '../../src/core/banner.ts';

const key = 'the-key-that-was-made';

function keyLine(
  environment: Record<string, string>,
  createdKey: string | undefined,
  isTerminal: boolean,
): string {
  const config = loadConfig({ environment: { DATA_DIR: '/data', ...environment } });
  const shown = welcome({ config, port: 3567, createdKey, isTerminal });
  return /^ {2}api key +(.*)$/m.exec(shown)?.[1] ?? '';
}

describe('the key', () => {
  test.each([
    ['made now, on a terminal', {}, key, true, `${key} (made now and stored in /data/api-key)`],
    ['made now, in a log', {}, key, false, 'made now and stored in /data/api-key'],
    ['made by an earlier start', {}, undefined, true, 'in /data/api-key'],
    [
      'configured',
      { API_KEYS: 'a-key-of-twenty-characters-or-more' },
      undefined,
      true,
      'as configured in api_keys',
    ],
  ])('%s', (_case, environment, createdKey, isTerminal, expected) => {
    expect(keyLine(environment, createdKey, isTerminal)).toBe(expected);
  });
});
