/** The image's HEALTHCHECK, run as Docker runs it, against addresses on which a core may listen. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';

const dockerfile = readFileSync(new URL('../../Dockerfile', import.meta.url), 'utf8');
const [, words = '[]'] = /HEALTHCHECK[^[]*CMD (\[.*\])/.exec(dockerfile) ?? [];
const [, ...script] = JSON.parse(words) as string[];

/** @returns its exit code */
async function check(environment: Readonly<Record<string, string>>): Promise<unknown> {
  const [code] = (await once(spawn(process.execPath, script, { env: environment }), 'exit')) as unknown[];
  return code;
}

describe('the health check', () => {
  test.each(['127.0.0.1', '127.0.0.2', '0.0.0.0', '::', '::1'])('asks a core on %s', async (host) => {
    const server = http.createServer((request, response) => {
      response.statusCode = request.url === '/health' ? 200 : 404;
      response.end();
    });
    server.listen({ port: 0, host, ipv6Only: host === '::' });
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await check({ HOST: host, PORT: String(port) })).toBe(0);
    server.close();
    await once(server, 'close');
    expect(await check({ HOST: host, PORT: String(port) })).toBe(1);
  });
});
