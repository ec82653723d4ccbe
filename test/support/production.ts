import { type DatabaseName, makeDatabase, type TestDatabase } from './databases.ts';
import { call, runCommand, type ServerProcess, startProcess } from './process.ts';

const EMAIL = 'olive@roost.test';
const PASSWORD = 'three nests in the north tower';
const CREATE = ['organization', 'create', '--name=Rookery', `--email=${EMAIL}`, '--full-name=Olive Owner'];

/** A server process in production mode, with an organization of one owner. */
export interface Production {
  readonly server: ServerProcess;
  readonly port: number;
  readonly database: TestDatabase;
  readonly owner: { readonly email: string; readonly api_key: string };
  /** Authorization header of the owner. */
  readonly authorization: string;
  /** Returns a value of GET /metrics, by name and labels. */
  readonly metric: (name: string) => Promise<number>;
  readonly stop: () => Promise<void>;
}

/** Starts one on a database of its own; `environment` adds to its ROOST_* variables. */
export async function startProduction(
  name: DatabaseName,
  environment: Readonly<Record<string, string>> = {},
): Promise<Production> {
  const database = await makeDatabase(name);
  await runCommand(database, CREATE, { stdin: `${PASSWORD}\n` });
  const server = await startProcess(database, 0, environment, 'serve');
  const nobody = { email: '', api_key: '' };
  const login = { username: EMAIL, password: PASSWORD };
  const { api_key } = await call(server, nobody, 'POST', '/fetch_api_key', login);
  const port = Number(new URL(server.url).port);
  const metrics = `http://127.0.0.1:${port}/metrics`;
  return {
    server,
    port,
    database,
    owner: { email: EMAIL, api_key },
    authorization: `Basic ${Buffer.from(`${EMAIL}:${api_key}`).toString('base64')}`,
    metric: async (wanted) => {
      const text = await (await fetch(metrics)).text();
      const line = text.split('\n').find((candidate) => candidate.startsWith(`${wanted} `));
      return Number(line?.split(' ').at(-1) ?? 0);
    },
    stop: async () => {
      await server.kill('SIGTERM');
      await database.remove();
    },
  };
}
