// A bare server that attacked.test.ts has attacked beside the real one: it reads what comes and answers the least there is,
// so that what the attacker takes of the machine is known.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const server = createServer((request, response) => {
  request.resume();
  request.on('end', () => response.end('{}'));
});
server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
