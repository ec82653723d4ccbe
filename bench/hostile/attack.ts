import type { Child } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type Parameters = Readonly<Record<string, unknown>>;
/** Method, path and parameters of a request of the API. */
export type ApiCall = readonly [Method, string, Parameters];

/** What attackers know and hold. */
export interface Scene {
  readonly server: Child;
  readonly owner: Account;
  /** The answer to a request of the owner, which must be one of success. */
  readonly ask: (...call: ApiCall) => Promise<Readonly<Record<string, unknown>>>;
  /** Where mails are handed over. */
  readonly mailPort: number;
}

/** Something hostile that may be sent. */
export interface Attack {
  readonly name: string;
  /** What must have gone before; none of it is measured. */
  readonly before?: (scene: Scene) => Promise<unknown>;
  /** The bytes of a request, or what is to be done that is none. */
  readonly send: (scene: Scene, round: number) => Buffer | (() => Promise<string>);
}

export const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_none, n) => make(n));

/** An attack by a request of the API. */
export function api(name: string, call: (round: number) => ApiCall, before: readonly ApiCall[] = []): Attack {
  return {
    name,
    before: async ({ ask }) => {
      for (const one of before) await ask(...one).catch(() => undefined);
    },
    send: ({ owner }, round) => request(owner, ...call(round)),
  };
}

/** The bytes of a request with a body of any type. */
export function posting(
  path: string,
  headers: Readonly<Record<string, string>>,
  body: string | Buffer,
  method = 'POST',
): Buffer {
  const all = { host: 'localhost', ...headers, 'content-length': String(Buffer.byteLength(body)) };
  const head = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`${method} ${path} HTTP/1.1\r\n${head.join('')}\r\n`), Buffer.from(body)]);
}

/** What is needed to ask as the owner. */
export function asking(port: number, owner: Account): Scene['ask'] {
  return async (...call) => {
    const connection = await Connection.open(port);
    try {
      return JSON.parse(String(await connection.send(request(owner, ...call))));
    } finally {
      connection.close();
    }
  };
}

/** How a request is answered. A refusal is an answer, too; a body that is refused early ends its connection. */
export async function answerTo({ server }: Scene, bytes: Buffer): Promise<string> {
  const connection = await Connection.open(server.port);
  const answer = await connection.send(bytes).then(
    () => '200',
    (error: unknown) => /(?<=HTTP\/1.1 )\d+/.exec(String(error))?.[0] ?? 'closed',
  );
  connection.close();
  return answer;
}
