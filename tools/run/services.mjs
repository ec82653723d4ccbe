// Finds out which of the services that tests can use are there.
import { connect } from 'node:net';

const PROBE_MS = 3_000;

/** Whether a PostgreSQL server answers a query at `url`. */
export async function postgresAnswers(url) {
  // Imported here, because it exists only after the installation.
  const { default: pg } = await import('pg');
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: PROBE_MS });
  try {
    await client.connect();
    await client.query('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Whether a Redis server answers at `url`. One that asks for a password answers too: the tests will say so. */
export function redisAnswers(url) {
  const { hostname, port } = new URL(url);
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port || 6379), timeout: PROBE_MS });
    const finish = (answer) => {
      socket.destroy();
      resolve(answer);
    };
    socket.on('connect', () => socket.write('PING\r\n'));
    socket.on('data', (data) => finish(/^[+-]/.test(data.toString('latin1'))));
    socket.on('timeout', () => finish(false));
    socket.on('error', () => finish(false));
  });
}
