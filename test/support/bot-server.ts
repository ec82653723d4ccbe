import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Body } from './client.ts';

/** A request that a bot's server received. */
export interface BotCall {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
  /** The body as JSON. */
  readonly body: Body;
}

/** The server of outgoing webhook bots, outside of Roost. */
export interface BotServer {
  readonly url: string;
  /** Requests since `reset`. */
  readonly calls: readonly BotCall[];
  /** Sets how requests are answered: with JSON, or by a function. */
  answer(how: unknown): void;
  /** Forgets all requests, and answers with `{}` again. */
  reset(): void;
  close(): Promise<void>;
}

type Answering = (response: ServerResponse, call: BotCall) => void;

/** Starts a server that can be the address of outgoing webhook bots. */
export async function startBotServer(): Promise<BotServer> {
  let calls: BotCall[] = [];
  const nothing: Answering = (response) => response.end('{}');
  let answering = nothing;
  const server = createServer((request, response) => {
    void text(request).then((said) => {
      const call = callOf(request, said);
      calls.push(call);
      answering(response, call);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/hook`,
    get calls() {
      return calls;
    },
    answer: (how) => {
      answering = typeof how === 'function' ? (how as Answering) : (response) => response.end(JSON.stringify(how));
    },
    reset: () => {
      calls = [];
      answering = nothing;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

function callOf({ headers }: IncomingMessage, said: string): BotCall {
  const texts = Object.entries(headers).map(([name, value]) => [name, String(value)]);
  const isJson = headers['content-type'] === 'application/json';
  return { headers: Object.fromEntries(texts), text: said, body: isJson ? JSON.parse(said) : {} };
}
