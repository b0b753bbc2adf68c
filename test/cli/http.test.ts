/** The command's requests as a core receives them. */
import { setImmediate as turn } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { HttpClient } from '../../src/cli/client/http.ts';
import { headOf, jobsPath, key, ndjson, startBulkStand } from '../helpers/bulk-stand.ts';

const line = '{"a":1}\n';
/** Memory for streams that two long bodies need. */
const twoShares = 8 << 20;
const longLength = { ...ndjson, 'Content-Length': 2 ** 30 };

async function* endless(): AsyncGenerator<Uint8Array> {
  const piece = Buffer.alloc(65_536, line);
  for (;;) {
    yield piece;
    await turn();
  }
}

it('resets an upload that is given up: an orderly end would lie behind what the core does not read', async () => {
  const stand = await startBulkStand({ streamMemoryBytes: twoShares });
  try {
    stand.imports.room = new Promise(() => undefined);
    const client = new HttpClient({ url: new URL(stand.url), apiKey: key, app: undefined });
    const giveUp = new AbortController();
    const { signal } = giveUp;
    const headers = Object.fromEntries(
      Object.entries(longLength).map(([name, value]) => [name, String(value)]),
    );
    const sent = client.send({ method: 'PUT', path: jobsPath, headers, body: endless(), signal });
    await stand.imports.received(line.length);
    const full = await stand.wire();
    full.send(headOf('PUT', jobsPath, longLength)).send(Buffer.alloc(twoShares * 0.75, line));
    // By then the front end has buffered as much as it reads at once.
    for (let round = 0; round < 20; round++) expect((await stand.request('GET', jobsPath)).status).toBe(200);
    const ended = stand.nextObserved();
    giveUp.abort(new Error('enough'));
    await expect(sent).rejects.toThrow('enough');
    expect(await ended).toBe('PUT /bulk-import/jobs 499');
  } finally {
    await stand.stop();
  }
}, 60_000);
