import { defineCommand } from 'citty';
import { framed, syslogMessage, toWireEntry } from '#features/audit-log';
import { realmRefOf } from '#features/realms';
import { findUserByEmail } from '#features/users';
import {
  type AuditFilter,
  auditKeyOf,
  type AuditRow,
  checkChain,
  listEntriesAfter,
  listEntriesBefore,
} from '#kernel/audit';
import type { RealmRef } from '#kernel/auth';
import { stayFor, systemClock } from '#kernel/clock';
import type { Context } from '#kernel/context';
import { connectToLog, type LogConnection } from '#kernel/outbound';
import { jsonFor, timeOf, writeRows } from './operator/output.ts';
import { accessOrganization, jsonArg, subdomainArg } from './operator/owner.ts';
import { orRefuse, reasonOf, Refusal } from './refusal.ts';
import { configOrExit, withServer } from './run-server.ts';

/** Entries that are read at once. */
const PAGE = 500;
/** Milliseconds between checks for new entries, and before the first retry; the pause doubles up to a minute. */
const LOOK_MS = 2000;
const MAX_PAUSE_MS = 60_000;
/** Attempts before the command gives up, unless it follows the log. */
const TRIES = 4;

const afterArg = {
  after: { type: 'string', default: '0', description: 'Number of the last entry to skip' },
} as const;

const filterArgs = {
  action: { type: 'string', description: 'For example user.role, or user. for everything about people' },
  by: { type: 'string', description: 'Address of the person who did it' },
  to: { type: 'string', description: 'Address of the person to whom it was done' },
  since: { type: 'string', description: 'Earliest time, in ISO 8601' },
  until: { type: 'string', description: 'Time before which entries were made, in ISO 8601' },
} as const;

const list = defineCommand({
  meta: { name: 'list', description: 'List the newest entries of the audit log of an organization' },
  args: {
    ...subdomainArg,
    ...jsonArg,
    ...filterArgs,
    last: { type: 'string', default: '50', description: 'How many' },
  },
  run: ({ args }) =>
    inLog(args.subdomain, async ({ context, realm }) => {
      const filter = await filterOf(context, realm, args);
      const most = Math.min(numberOf(args.last, '--last'), 10_000);
      const rows = await context.store
        .in(realm)
        .query((tx) => listEntriesBefore(tx, filter, Number.MAX_SAFE_INTEGER, most));
      writeRows(rows.toReversed().map(toRow), args, 'there is no such entry');
    }),
});

const exportCommand = defineCommand({
  meta: { name: 'export', description: 'Write the audit log of an organization as JSON lines, oldest first' },
  args: { ...subdomainArg, ...filterArgs, ...afterArg },
  run: ({ args }) =>
    inLog(args.subdomain, async ({ context, realm }) => {
      const filter = await filterOf(context, realm, args);
      for await (const row of entriesAfter(context, realm, filter, numberOf(args.after, '--after')))
        if (!process.stdout.write(`${jsonFor(toWireEntry(row))}\n`))
          await new Promise((resolve) => process.stdout.once('drain', resolve));
    }),
});

const syslog = defineCommand({
  meta: { name: 'syslog', description: 'Send the audit log of an organization to a syslog receiver (RFC 5424)' },
  args: {
    ...subdomainArg,
    ...afterArg,
    receiver: { type: 'string', required: true, description: 'tcp://host:port or tls://host:port' },
    follow: { type: 'boolean', default: false, description: 'Continue with new entries until the command is stopped' },
  },
  run: ({ args }) =>
    inLog(args.subdomain, async ({ context, realm }) => {
      const receiver = receiverOf(args.receiver);
      let last = numberOf(args.after, '--after');
      const sender = new Sender(receiver, args.follow ? Number.POSITIVE_INFINITY : TRIES);
      try {
        do {
          for await (const row of entriesAfter(context, realm, {}, last)) {
            await sender.send(framed(syslogMessage(row, realm.host)));
            last = row.sequence;
          }
          if (args.follow) await stayFor(LOOK_MS);
        } while (args.follow);
      } finally {
        sender.close();
        process.stdout.write(`sent up to entry ${last}; continue with --after ${last}\n`);
      }
    }),
});

const verify = defineCommand({
  meta: { name: 'verify', description: 'Verify the hash chain of the audit log of an organization' },
  args: subdomainArg,
  run: ({ args }) =>
    inLog(args.subdomain, async ({ context, realm }) => {
      const key = auditKeyOf(context.server.secret);
      const { entries, deleted, unsealed, lastHash, brokenAt } = await checkChain(context.store, realm.id, key);
      if (brokenAt !== undefined) throw new Refusal(`entry ${brokenAt} was changed, added or removed`);
      const facts = [
        `${entries - deleted} entries, all unchanged`,
        ...(deleted > 0 ? [`the ${deleted} before them were deleted because of their age`] : []),
        ...(unsealed > 0 ? [`${unsealed} of them have no seal: they should be older than release 0.2`] : []),
        `the last hash is ${lastHash || 'none'}`,
      ];
      process.stdout.write(`${facts.join('; ')}\n`);
    }),
});

export const audit = defineCommand({
  meta: { name: 'audit', description: 'Read, export and verify the audit log of an organization' },
  subCommands: { list, export: exportCommand, syslog, verify },
});

/** Sends messages over one connection, and reconnects with growing pauses if it breaks. */
class Sender {
  readonly #receiver: URL;
  readonly #tries: number;
  #connection: LogConnection | undefined;

  constructor(receiver: URL, tries: number) {
    this.#receiver = receiver;
    this.#tries = tries;
  }

  async send(message: string): Promise<void> {
    for (let attempt = 1; ; attempt++) {
      try {
        this.#connection ??= await connectToLog(this.#receiver, systemClock);
        return await this.#connection.send(message);
      } catch (error) {
        this.close();
        if (attempt >= this.#tries) throw new Refusal(`${this.#receiver.host} takes no entries: ${reasonOf(error)}`);
        await stayFor(Math.min(MAX_PAUSE_MS, 250 * 2 ** Math.min(attempt, 10)));
      }
    }
  }

  close(): void {
    this.#connection?.close();
    this.#connection = undefined;
  }
}

/** Opens the server for an organization's audit log; also for a deactivated one. */
function inLog(
  subdomain: string,
  use: (found: { readonly context: Context; readonly realm: RealmRef }) => Promise<void>,
): Promise<void> {
  return orRefuse(() =>
    withServer(configOrExit(), async ({ context }) => {
      const row = await accessOrganization(context, subdomain);
      await use({ context, realm: realmRefOf(row, context.server) });
    }),
  );
}

async function* entriesAfter(
  { store }: Context,
  realm: RealmRef,
  filter: AuditFilter,
  after: number,
): AsyncGenerator<AuditRow> {
  for (let last = after; ; ) {
    const rows = await store.in(realm).query((tx) => listEntriesAfter(tx, filter, last, PAGE));
    yield* rows;
    if (rows.length < PAGE) return;
    last = rows.at(-1)?.sequence ?? last;
  }
}

type FilterArgs = { readonly [K in keyof typeof filterArgs]?: string | undefined };

async function filterOf({ store }: Context, realm: RealmRef, args: FilterArgs): Promise<AuditFilter> {
  const idOf = async (email: string | undefined) => {
    if (email === undefined) return undefined;
    const user = await store.in(realm).query((tx) => findUserByEmail(tx, email));
    if (!user) throw new Refusal(`nobody has the address ${email}`);
    return user.id;
  };
  return {
    action: args.action,
    actorId: await idOf(args.by),
    targetUserId: await idOf(args.to),
    since: secondsOf(args.since, '--since'),
    until: secondsOf(args.until, '--until'),
  };
}

function secondsOf(text: string | undefined, name: string): number | undefined {
  if (text === undefined) return undefined;
  const ms = Date.parse(text);
  if (Number.isNaN(ms)) throw new Refusal(`${name} takes a time like 2026-01-31T12:00:00Z, not "${text}"`);
  return Math.floor(ms / 1000);
}

function numberOf(text: string, name: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refusal(`${name} takes a number, not "${text}"`);
  return Number(text);
}

function receiverOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['tcp:', 'tls:'].includes(url.protocol) || url.port === '')
    throw new Refusal('--receiver takes tcp://host:port or tls://host:port');
  return url;
}

function toRow(row: AuditRow) {
  const { id, timestamp, action, actor, via, address, target, before, after } = toWireEntry(row);
  return {
    id,
    time: timeOf(timestamp),
    action,
    by: actor.user_id === null ? actor.kind : `${actor.kind} ${actor.user_id}`,
    via,
    address,
    to: `${target.kind} ${target.name ?? target.id ?? ''}`.trim(),
    before: before === null ? null : JSON.stringify(before),
    after: after === null ? null : JSON.stringify(after),
  };
}
