/** Requests of the core that may reach public addresses only, with a resolver of the test. */
import { type AddressInfo, createServer, type LookupFunction, type Server } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Reach } from '../../src/domain/access/reach.ts';
import { openOutgoing, type Outgoing } from '../../src/http/outgoing/exchange.ts';
import { lookupWithin } from '../../src/http/outgoing/reach.ts';

let server: Server;
let port: number;
/** Accepted connections. */
let connections = 0;
const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n{}';
beforeAll(async () => {
  server = createServer((socket) => {
    connections++;
    socket.on('error', () => undefined);
    socket.on('data', () => socket.write(answer));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  ({ port } = server.address() as AddressInfo);
});
afterAll(() => new Promise((resolve) => server.close(resolve)));

let outgoing: Outgoing | undefined;
afterEach(() => {
  outgoing?.close();
});

/** A resolver that gives these answers, in turn, and the last one from then on. */
function resolver(...answers: readonly (readonly string[])[]): LookupFunction {
  let asked = 0;
  return (_name, options, callback) => {
    const addresses = answers[Math.min(asked++, answers.length - 1)] ?? [];
    const found = addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 }));
    if (options.all === true) callback(null, found);
    else callback(null, found[0]?.address ?? '', found[0]?.family);
  };
}

/** @returns the status, or the code of the failure */
async function send(
  lookup: LookupFunction,
  reach: Reach,
  host = 'old.example.com',
): Promise<number | string> {
  outgoing ??= openOutgoing(lookup);
  return sendBy(outgoing, reach, host);
}

async function sendBy({ exchange }: Outgoing, reach: Reach, host: string): Promise<number | string> {
  const signal = AbortSignal.timeout(5000);
  const url = `http://${host}:${port}/`;
  return exchange({ method: 'GET', url, ca: undefined, reach, signal }).then(
    ({ status }) => status,
    (error: unknown) => (error as { code: string }).code,
  );
}

function resolved(lookup: LookupFunction): Promise<readonly string[] | string | undefined> {
  return new Promise((resolve) => {
    lookup('old.example.com', { all: true }, (error, found) => {
      if (error !== null) resolve(error.code);
      else resolve(typeof found === 'string' ? [found] : found.map(({ address }) => address));
    });
  });
}

describe('a name', () => {
  afterEach(() => {
    outgoing = undefined;
  });

  test.each([
    [['127.0.0.1']],
    [['::1', '127.0.0.1']],
    [['::ffff:127.0.0.1']],
    [['10.0.0.1', '169.254.169.254', 'fe80::1', '0.0.0.0']],
  ])('that leads to %j alone is not connected to', async (addresses) => {
    const before = connections;
    expect(await send(resolver(addresses), 'public')).toBe('ADDRESS_NOT_ALLOWED');
    expect(connections).toBe(before);
  });

  test('may lead there for a setting of the core', async () => {
    expect(await send(resolver(['127.0.0.1']), 'any')).toBe(200);
  });

  test('is connected to at the address that was judged: it is resolved once for a connection', async () => {
    let asked = 0;
    const local = resolver(['127.0.0.1']);
    const counting: LookupFunction = (...call) => {
      asked++;
      local(...call);
    };
    expect(await send(counting, 'any')).toBe(200);
    expect(asked).toBe(1);
    // So a name that has another address a moment later gains nothing.
    const rebinding = lookupWithin('public', resolver(['1.1.1.1'], ['127.0.0.1']));
    expect([await resolved(rebinding), await resolved(rebinding)]).toEqual([
      ['1.1.1.1'],
      'ADDRESS_NOT_ALLOWED',
    ]);
  });

  test('with several addresses is left those that are public', async () => {
    const mixed = resolver(['127.0.0.1', '1.1.1.1', '::1', '2606:4700::1111']);
    expect(await resolved(lookupWithin('public', mixed))).toEqual(['1.1.1.1', '2606:4700::1111']);
  });

  test('does not use a connection that is kept for a setting of the core', async () => {
    const lookup = resolver(['127.0.0.1']);
    expect(await send(lookup, 'any')).toBe(200);
    const before = connections;
    expect(await send(lookup, 'any')).toBe(200);
    // The connection is reused, otherwise this would prove nothing.
    expect(connections).toBe(before);
    expect(await send(lookup, 'public')).toBe('ADDRESS_NOT_ALLOWED');
  });

  test('is not connected to by LDAP either', async () => {
    const before = connections;
    const { inDirectory } = openOutgoing(resolver(['127.0.0.1']));
    for (const startsTls of [true, false]) {
      const url = `ldap://directory.example.com:${port}`;
      const request = {
        url,
        startsTls,
        ca: undefined,
        reach: 'public',
        signal: AbortSignal.timeout(5000),
      } as const;
      const asked = inDirectory(request, (session) => session.bind('cn=a', 'b'));
      await expect(asked).rejects.toMatchObject({ code: 'ADDRESS_NOT_ALLOWED' });
    }
    expect(connections).toBe(before);
  });
});

describe('an address in the URL', () => {
  test.each([
    '127.0.0.1',
    '127.1',
    '2130706433',
    '0x7f000001',
    '0',
    '[::ffff:127.0.0.1]',
    '[::1]',
    'localhost',
  ])('%s is not connected to', async (host) => {
    const before = connections;
    outgoing = openOutgoing();
    expect(await sendBy(outgoing, 'public', host)).toBe('ADDRESS_NOT_ALLOWED');
    expect(connections).toBe(before);
    outgoing = undefined;
  });

  test.each(['127.0.0.1', '127.1', '[::1]', 'localhost'])('%s is not connected to by LDAP', async (host) => {
    const { inDirectory } = openOutgoing();
    const url = `ldap://${host}:${port}`;
    const request = {
      url,
      startsTls: false,
      ca: undefined,
      reach: 'public' as const,
      signal: AbortSignal.timeout(5000),
    };
    await expect(inDirectory(request, (session) => session.bind('cn=a', 'b'))).rejects.toMatchObject({
      code: 'ADDRESS_NOT_ALLOWED',
    });
  });
});
