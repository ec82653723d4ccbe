import { type ArchiveFiles, importArchive, type Report, type Source } from '#features/imports';
import { listRealms } from '#features/realms';
import { listUsers } from '#features/users';
import { apiKeyFor } from '#kernel/auth';
import { openScratch } from '../../../src/commands/archives/scratch.ts';
import { type Body, Client } from '../../support/client.ts';
import type { EmptyServer } from '../../support/empty-server.ts';

/** The files of an archive by their paths: texts, bytes, or values that are JSON. */
export type Contents = Readonly<Record<string, unknown>>;

/** An archive that is in memory. */
export function archiveWith(contents: Contents): ArchiveFiles {
  const bytesOf = (path: string): Uint8Array | undefined => {
    const value = contents[path];
    if (value === undefined || value instanceof Uint8Array) return value;
    return Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  };
  return {
    json: (path) => {
      const bytes = bytesOf(path);
      return Promise.resolve(bytes && JSON.parse(Buffer.from(bytes).toString('utf8')));
    },
    has: (path) => Promise.resolve(path in contents),
    list: (folder) => {
      const start = folder === '' ? '' : `${folder}/`;
      const inside = Object.keys(contents).filter((path) => path.startsWith(start));
      return Promise.resolve(
        [...new Set(inside.map((path) => path.slice(start.length).split('/')[0] ?? ''))].toSorted(),
      );
    },
    open: (path) => {
      const bytes = bytesOf(path);
      return Promise.resolve(bytes && inPieces(bytes));
    },
    part: (path, from, length) => Promise.resolve((bytesOf(path) ?? Buffer.alloc(0)).slice(from, from + length)),
    scratch: openScratch,
  };
}

/** Small pieces, so that whatever is read ends within one. */
async function* inPieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += 97) yield bytes.subarray(from, from + 97);
}

export interface Imported {
  readonly report: Report;
  /** Somebody of the organization by their address. */
  readonly as: (email: string) => Promise<Client>;
}

/** Takes an archive in, as the one organization of a server. */
export async function imported({ server }: EmptyServer, source: Source, ownerEmail: string): Promise<Imported> {
  const { context } = server;
  const options = { subdomain: '', name: 'Birds', ownerEmail, isDry: false, progress: () => undefined };
  const report = await importArchive(context, source, options);
  const as = async (email: string) => {
    const [realm] = await context.store.read((tx) => listRealms(tx));
    const users = realm ? await context.store.of(realm.id).read((tx) => listUsers(tx)) : [];
    const row = users.find((user) => user.email === email);
    if (!row) throw new Error(`nobody has the address ${email}`);
    const api_key = apiKeyFor(context.server.secret, row.id, row.api_key_version);
    return new Client(server, { email, user_id: row.id, api_key });
  };
  return { report, as };
}

/** All messages that somebody can read, oldest first. */
export async function messagesOf(client: Client, applyMarkdown = false): Promise<readonly Body[]> {
  const { messages } = await client.get('/messages', {
    anchor: 'newest',
    num_before: 1000,
    num_after: 0,
    apply_markdown: applyMarkdown,
  });
  return messages;
}
