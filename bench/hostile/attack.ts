import type { Child } from '../support/child.ts';
import { type Account, Connection, request } from '../support/connection.ts';

type Method = 'GET' | 'POST' | 'PATCH' | 'PUT' | 'DELETE';
type Parameters = Readonly<Record<string, unknown>>;
/** Method, path and parameters of an API request. */
export type ApiCall = readonly [Method, string, Parameters];

/** How often each attack is tried. */
export const ROUNDS = 5;

/** What attackers know and have. */
export interface Scene {
  readonly server: Child;
  readonly owner: Account;
  /** Makes a request as the owner, which must succeed. */
  readonly ask: (...call: ApiCall) => Promise<Readonly<Record<string, unknown>>>;
  /** Port that accepts mails. */
  readonly mailPort: number;
}

/** A hostile request or action. */
export interface Attack {
  readonly name: string;
  /** Prepares the attack; not measured. */
  readonly before?: (scene: Scene) => Promise<unknown>;
  /** Returns the bytes of a request, or a function for an attack that is not a request. */
  readonly send: (scene: Scene, round: number) => Buffer | (() => Promise<string>);
}

export const times = <T>(count: number, make: (n: number) => T) => Array.from({ length: count }, (_none, n) => make(n));

/** Makes an attack of an API request. */
export function api(name: string, call: (round: number) => ApiCall, before: readonly ApiCall[] = []): Attack {
  return {
    name,
    before: async ({ ask }) => {
      for (const one of before) await ask(...one).catch(() => undefined);
    },
    send: ({ owner }, round) => request(owner, ...call(round)),
  };
}

/** Returns the bytes of a request with a body of any type. */
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

/** Returns a function that makes requests as the owner. */
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

/** Returns how a request is answered. A refusal is an answer, too; a body refused early ends the connection. */
export async function answerTo({ server }: Scene, bytes: Buffer): Promise<string> {
  const connection = await Connection.open(server.port);
  const answer = await connection.send(bytes).then(
    () => '200',
    (error: unknown) => /(?<=HTTP\/1.1 )\d+/.exec(String(error))?.[0] ?? 'closed',
  );
  connection.close();
  return answer;
}
