import { apiKeyFor } from '#kernel/auth';
import { TestClock } from '#kernel/clock';
import { readConfig } from '#kernel/config';
import { openLog } from '#kernel/log';
import type { Network } from '#kernel/outbound';
import { insertUser, type NewUser } from '#features/users';
import { createWithin } from '#features/organizations';
import { hashPassword } from '#features/sign-in';
import type { RealmRef } from '#kernel/auth';
import { openServer, type Server } from '../../src/server.ts';
import { Client } from './client.ts';
import { assertAudiences } from './documented-audiences.ts';
import { type DatabaseName, makeDatabase } from './databases.ts';

const PEOPLE = {
  adam: { full_name: 'Adam Admin', email: 'admin@roost.test', role: 200 },
  mona: { full_name: 'Mona Moderator', email: 'moderator@roost.test', role: 300 },
  max: { full_name: 'Max Member', email: 'member@roost.test', role: 400 },
  mia: { full_name: 'Mia Member', email: 'member2@roost.test', role: 400 },
  gus: { full_name: 'Gus Guest', email: 'guest@roost.test', role: 600 },
} as const;

const PASSWORD = 'roost-demo-password';

let hashing: Promise<string> | undefined;

/** Hash of {@link PASSWORD}, made once, because each takes as long as the rest of a world. */
function passwordHash(): Promise<string> {
  hashing ??= hashPassword(PASSWORD);
  return hashing;
}

/** A server with one organization, and its people as clients of the API. */
export interface World {
  readonly server: Server;
  /** Opens a further server on the same database, as another process would; PostgreSQL only. */
  readonly anotherServer: () => Promise<Server>;
  readonly clock: TestClock;
  /** Data folder of the server: secret, mails, files. */
  readonly dataDir: string;
  readonly realm: RealmRef;
  readonly olive: Client;
  readonly adam: Client;
  readonly mona: Client;
  readonly max: Client;
  readonly mia: Client;
  readonly gus: Client;
  /** A client without credentials. */
  readonly spectator: Client;
  /** Creates a user; missing values are made up. */
  readonly user: (values?: Partial<NewUser>) => Promise<Client>;
  /** Returns a client of an account. */
  readonly clientOf: (account: { id: number; email: string; api_key_version: number }) => Client;
  close(): Promise<void>;
}

interface WorldOptions {
  readonly mode?: 'development' | 'production';
  readonly rateLimits?: 'on' | 'off';
  readonly clock?: TestClock;
  /**
   * Whether the test itself emits events to any audience; otherwise each event's audience must be that of the
   * reference.
   */
  readonly emitsAnything?: boolean;
  /** Whether the organization starts with its default channels and greetings instead of empty. */
  readonly isFurnished?: boolean;
  /** Replaces the Internet. */
  readonly network?: Network;
  /** Certificates that are trusted there. */
  readonly authorities?: readonly string[];
  /** Called with each line of the log at warning level and above; without it only errors are logged. */
  readonly onLine?: (line: string) => void;
  /** More ROOST_* values. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** Opens a world on an empty database. The clock stands still until the test advances it. */
export async function openWorld(database: DatabaseName, options: WorldOptions = {}): Promise<World> {
  const { dataDir, databaseUrl, remove } = await makeDatabase(database, { isShared: true });
  const clock = options.clock ?? new TestClock();
  const config = readConfig({
    ROOST_DATA_DIR: dataDir,
    ROOST_EXTERNAL_URL: 'http://localhost:9991',
    ROOST_MODE: options.mode ?? 'development',
    ROOST_RATE_LIMITS: options.rateLimits ?? 'off',
    ...(databaseUrl !== undefined && { ROOST_DATABASE_URL: databaseUrl }),
    ...options.environment,
  });
  const open = async () => {
    const { onLine } = options;
    const log = onLine
      ? openLog('warn', { write: onLine }, clock)
      : openLog('error', { write: (line: string) => process.stderr.write(line) });
    const opened = await openServer({
      config,
      clock,
      log,
      strict: true,
      ...(options.network && { network: options.network }),
      ...(options.authorities && { authorities: options.authorities }),
    });
    await opened.listener.ready();
    await opened.context.events.start();
    return opened;
  };
  const server = await open();
  const others: Server[] = [];
  const hash = await passwordHash();
  const { realm, owner } = await server.context.store.write((tx) =>
    createWithin(
      server.context,
      tx,
      {
        subdomain: '',
        name: 'Roost Test',
        owner: { email: 'owner@roost.test', full_name: 'Olive Owner', password: PASSWORD },
        isEmpty: !(options.isFurnished ?? false),
      },
      hash,
    ),
  );
  const clientOf: World['clientOf'] = (account) =>
    new Client(server, {
      email: account.email,
      user_id: account.id,
      api_key: apiKeyFor(server.context.server.secret, account.id, account.api_key_version),
    });
  let made = 0;
  const user: World['user'] = async (values = {}) => {
    const number = ++made;
    const row = await server.context.store.in(realm).write((tx) =>
      insertUser(tx, {
        realm_id: realm.id,
        email: `user-${number}@roost.test`,
        full_name: `User ${number}`,
        role: 400,
        avatar_source: 'J',
        ...values,
      }),
    );
    return clientOf(row);
  };
  const close = async () => {
    try {
      if (!options.emitsAnything) await assertAudiences(server);
    } finally {
      for (const opened of [...others, server]) await opened.stop();
      await remove();
    }
  };
  const anotherServer = async () => {
    const opened = await open();
    others.push(opened);
    return opened;
  };
  return {
    server,
    anotherServer,
    clock,
    dataDir,
    realm,
    olive: clientOf(owner),
    adam: await user(PEOPLE.adam),
    mona: await user(PEOPLE.mona),
    max: await user(PEOPLE.max),
    mia: await user(PEOPLE.mia),
    gus: await user(PEOPLE.gus),
    spectator: new Client(server),
    user,
    clientOf,
    close,
  };
}

/** Resolves when this many polls are waiting for events. */
export async function untilParked(world: World, count: number): Promise<void> {
  for (let turns = 0; world.server.context.queues.parked !== count; turns++) {
    if (turns > 100_000) throw new Error(`${world.server.context.queues.parked} polls wait, not ${count}`);
    await new Promise(setImmediate);
  }
}
