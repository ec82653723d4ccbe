import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { addSubscribers, createChannels, type ChannelRow, type NewChannelInput } from '#features/channels';
import { createOrganization } from '#features/organizations';
import { insertUser } from '#features/users';
import { apiKeyFor } from '#kernel/auth';
import { systemClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { openLog } from '#kernel/log';
import { openServer } from '../../src/server.ts';
import { type Child, freePort, startChild } from './child.ts';
import type { Account } from './connection.ts';

const BUNDLE = fileURLToPath(new URL('../../dist/main.js', import.meta.url));

/** Size of a prepared organization. */
export interface Size {
  readonly users: number;
  readonly channels: number;
  /** Subscribers of each channel. */
  readonly subscribers: number;
  /** Whether the owner is in every channel as well. */
  readonly ownerHasAll?: boolean;
}

/** A prepared organization in a folder of its own. */
export interface Prepared {
  readonly folder: string;
  readonly accounts: readonly Account[];
  readonly remove: () => void;
}

/** Creates an organization of a given size in an empty folder, or an empty database, without going through HTTP. */
export async function prepare(size: Size, databaseUrl?: string): Promise<Prepared> {
  const folder = mkdtempSync(join(tmpdir(), 'roost-bench-'));
  const config = readConfig({ ROOST_DATA_DIR: folder, ROOST_DATABASE_URL: databaseUrl });
  const server = await openServer({ config, clock: systemClock, log: openLog('silent'), strict: false });
  const { context } = server;
  const { realm, owner } = await createOrganization(context, {
    subdomain: '',
    name: 'Bench',
    owner: { email: 'owner@bench.test', full_name: 'Owner', password: 'bench-password' },
    isEmpty: true,
  });
  const rows = [owner];
  await context.store.in(realm).write(async (tx) => {
    for (let i = 1; i < size.users; i++) {
      rows.push(
        await insertUser(tx, {
          realm_id: realm.id,
          email: `user${i}@bench.test`,
          full_name: `User Number ${i}`,
          role: 400,
          avatar_source: 'J',
        }),
      );
    }
  });
  const channels: ChannelRow[] = [];
  await context.store.in(realm).write(async (tx) => {
    channels.push(
      ...(await createChannels(
        tx,
        owner.id,
        Array.from({ length: size.channels }, (_, index) => channelInput(index)),
      )),
    );
  });
  for (const [index, channel] of channels.entries()) {
    const start = (index * size.subscribers) % rows.length;
    const subscribers = Array.from(
      { length: Math.min(size.subscribers, rows.length) },
      (_, offset) => rows[(start + offset) % rows.length] ?? owner,
    );
    await context.store.in(realm).write((tx) =>
      addSubscribers(
        tx,
        [channel],
        subscribers.map((row) => row.id),
      ),
    );
  }
  if (size.ownerHasAll === true) await context.store.in(realm).write((tx) => addSubscribers(tx, channels, [owner.id]));
  const accounts = rows.map((row) => ({
    id: row.id,
    email: row.email,
    api_key: apiKeyFor(context.server.secret, row.id, row.api_key_version),
  }));
  await server.stop();
  return { folder, accounts, remove: () => rmSync(folder, { recursive: true }) };
}

function channelInput(index: number): NewChannelInput {
  return {
    name: `channel ${index}`,
    description: `What channel ${index} is about`,
    rendered_description: `<p>What channel ${index} is about</p>`,
    invite_only: false,
    is_web_public: false,
    is_default: false,
    history_public_to_subscribers: true,
    message_retention_days: null,
    folder_id: null,
    topics_policy: 'inherit',
    settings: {},
  };
}

/** Returns the environment that names a server's database. */
export function databaseOf(url: string | undefined): Readonly<Record<string, string>> {
  return url === undefined ? {} : { ROOST_DATABASE_URL: url };
}

/** Starts the built server on a folder; without `wantedPort` at any free port. */
export async function startRoost(
  folder: string,
  environment: Readonly<Record<string, string>> = {},
  wantedPort?: number,
): Promise<Child> {
  const port = wantedPort ?? (await freePort());
  return startChild([BUNDLE, 'serve'], port, {
    ROOST_DATA_DIR: folder,
    ROOST_PORT: String(port),
    ROOST_RATE_LIMITS: 'off',
    // All clients of a measurement have the same address.
    ROOST_MAX_CONNECTIONS: '100000',
    ROOST_MAX_CONNECTIONS_PER_ADDRESS: '100000',
    ROOST_LOG_LEVEL: 'warn',
    ...environment,
  });
}
