// The floors, as a server of their own: sends (form parse and one INSERT with three indexes, group commit, full
// durability) at POST, a bare long-poll hub at GET /wait, woken by POST /wake, and what was sent to POST /keep as the answer
// to every POST /users/me/presence.
import { createServer, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import { systemClock } from '#kernel/clock';
import { openStore, sql } from '#kernel/store';

const store = await openStore({
  url: undefined,
  file: join(process.env['FLOOR_DIR'] ?? '.', 'floor.sqlite3'),
  clock: systemClock,
});
await store.write(async (tx) => {
  await sql`create table floor (id integer primary key autoincrement, sender integer, channel integer, topic text, content text, sent_at integer)`.execute(
    tx.db,
  );
  for (const columns of ['channel, id', 'channel, topic, id', 'sender, id'])
    await sql`create index ${sql.raw(`floor_${columns.replaceAll(/\W/g, '')}`)} on floor (${sql.raw(columns)})`.execute(
      tx.db,
    );
});
const parked = new Set<ServerResponse>();
let kept = Buffer.alloc(0);

const server = createServer((request, response) => {
  if (request.url === '/api/v1/wait') {
    parked.add(response);
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    if (request.url === '/api/v1/keep') kept = Buffer.from(new URLSearchParams(body).get('answer') ?? '');
    if (request.url === '/api/v1/keep' || request.url === '/api/v1/users/me/presence')
      return answerWith(response, kept);
    if (request.url === '/api/v1/wake') {
      const answer = Buffer.from(
        JSON.stringify({ result: 'success', events: [{ type: 'message', id: 1, text: body }] }),
      );
      for (const waiting of parked) answerWith(waiting, answer);
      parked.clear();
      return answerWith(response, answer);
    }
    const form = new URLSearchParams(body);
    store
      .write((tx) =>
        sql<{
          id: number;
        }>`insert into floor (sender, channel, topic, content, sent_at) values (1, 1, ${form.get('topic')}, ${form.get('content')}, ${tx.now}) returning id`.execute(
          tx.db,
        ),
      )
      .then(
        ({ rows }) =>
          answerWith(response, Buffer.from(JSON.stringify({ result: 'success', msg: '', id: rows[0]?.id }))),
        () => response.destroy(),
      );
  });
});
// As long as at the measured server: a client that pings once a minute keeps its connection.
server.keepAliveTimeout = 75_000;
server.listen(Number(process.env['FLOOR_PORT']), '127.0.0.1', () => console.log('ready'));

function answerWith(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
  response.end(body);
}
