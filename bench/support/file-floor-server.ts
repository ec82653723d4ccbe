// The floor of file transfers, as a server of its own: PUT streams the request to a file, GET streams the file back.
import { createReadStream, createWriteStream, statSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';

const file = join(process.env['FLOOR_DIR'] ?? '.', 'floor');

createServer((request, response) => {
  const isUpload = request.method === 'PUT';
  const moved = isUpload ? pipeline(request, createWriteStream(file)) : pipeline(createReadStream(file), response);
  if (!isUpload) response.setHeader('content-length', statSync(file).size);
  const done = moved.then(() => (request.url === '/durably' ? sync() : undefined));
  done.then(
    () => response.end(),
    () => response.destroy(),
  );
}).listen(Number(process.env['FLOOR_PORT']), '127.0.0.1', () => console.log('ready'));

async function sync(): Promise<void> {
  const handle = await open(file, 'r+');
  await handle.sync();
  await handle.close();
}
