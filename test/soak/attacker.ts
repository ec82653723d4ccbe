// The attacker of attacked.test.ts, a process of its own: tries each attack once, and ends.
import { pause } from '../support/pause.ts';
import { openRaw, pour, type RawConnection } from '../support/raw-connection.ts';

const port = Number(process.argv[2]);
/** Milliseconds that an attack gets. */
const TURN_MS = Number(process.argv[3] ?? 1000);
/** How often the attacker has been here before. */
const ROUND = Number(process.argv[4] ?? 0);
/** Part of the names of the attacks that are tried; all where none is said. */
const ONLY = process.env['BENCH_ONLY'] ?? '';
const MIB = 2 ** 20;
const FORM = 'Content-Type: application/x-www-form-urlencoded';
const PARTS = `Content-Type: multipart/form-data; boundary=x\nCookie: roost-form=${'x'.repeat(32)}`;

let turn = 0;
/** Every attack comes from an address of its own, and from another one in its next turn. */
const open = (host: number) => openRaw(port, `127.1.${(turn % 250) + 1}.${host + 1}`);
const post = (path: string, headers: string, body = '') =>
  `POST ${path} HTTP/1.1\nHost: localhost\n${headers}\n\n${body}`;
const several = (count: number, host = 0) => Array.from({ length: count }, () => open(host));

/** Each begins something that would go on for long, on the connections that it returns. */
const attacks: Readonly<Record<string, () => readonly RawConnection[]>> = {
  'a form of 260 large fields': () => {
    const connections = several(4);
    const field = `--x\r\nContent-Disposition: form-data; name="f"\r\n\r\n${'a'.repeat(8 * MIB)}\r\n`;
    for (const connection of connections) {
      connection.write(post('/login/', `${PARTS}\nContent-Length: ${2100 * MIB}`));
      void pour(connection, field, 260);
    }
    return connections;
  },
  'a form of a million parts': () => {
    const connections = several(4);
    const parts = '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n\r\n'.repeat(1000);
    for (const connection of connections) {
      connection.write(post('/login/', `${PARTS}\nTransfer-Encoding: chunked`));
      void pour(connection, `${parts.length.toString(16)}\r\n${parts}\r\n`, 1000);
    }
    return connections;
  },
  'hundreds of bodies that never end': () => {
    const connections = [0, 1, 2, 3, 4].flatMap((host) => several(90, host));
    const body = 'a'.repeat(60_000);
    for (const connection of connections)
      connection.write(post('/api/v1/fetch_api_key', `${FORM}\nContent-Length: 60001`, body));
    return connections;
  },
  'heads that never end': () => {
    const connections = several(500);
    for (const connection of connections) connection.write(`GET / HTTP/1.1\nX: ${'x'.repeat(10_000)}`);
    return connections;
  },
  'connections that say nothing': () => several(1200),
  'requests by the thousand on one connection': () => {
    const connections = several(20);
    for (const connection of connections) connection.write('GET /login/ HTTP/1.1\nHost: localhost\n\n'.repeat(2000));
    return connections;
  },
  'large answers that nobody reads': () => {
    const connections = several(100);
    for (const { socket } of connections) {
      socket.pause();
      socket.write('GET /api/v1/openapi.json HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(10));
    }
    return connections;
  },
  'guesses of passwords and keys': () => {
    const connections = several(150);
    const basic = Buffer.from(`olive@roost.test:${'A'.repeat(32)}`).toString('base64');
    const guess = 'username=olive%40roost.test&password=wrong';
    for (const [index, connection] of connections.entries())
      connection.write(
        index % 2 === 0
          ? `GET /api/v1/users/me HTTP/1.1\nHost: localhost\nAuthorization: Basic ${basic}\n\n`
          : post('/api/v1/fetch_api_key', `${FORM}\nContent-Length: ${guess.length}`, guess),
      );
    return connections;
  },
};

turn = ROUND * Object.keys(attacks).length;
for (const [name, attack] of Object.entries(attacks)) {
  turn++;
  if (!name.includes(ONLY)) continue;
  process.stdout.write(`${name}\n`);
  const connections = attack();
  await pause(TURN_MS);
  for (const { socket } of connections) socket.destroy();
  await Promise.all(connections.map(({ closed }) => closed));
}
