import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** The reference of the front end: node:http alone, which gathers a body and sends it back. As a process of its own. */
const server = createServer((request, response) => {
  const parts: Buffer[] = [];
  request.on('data', (part: Buffer) => parts.push(part));
  request.on('end', () => {
    const body = Buffer.concat(parts);
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body);
  });
});

server.listen(0, '127.0.0.1', () => {
  process.send?.({ port: (server.address() as AddressInfo).port });
});
process.once('SIGTERM', () => {
  server.close();
  server.closeAllConnections();
  process.disconnect();
});
