import { record } from '#kernel/audit';
import { type ChannelRow, findChannels, renewFirstMessages } from '#features/channels';
import { findRealmBySubdomain, realmRefOf } from '#features/realms';
import { type RealmRef, realmUrlOf } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { deleteQueuesOf, lockLog } from '#kernel/events';
import { asId, type UserId } from '#kernel/ids';
import { grouped } from '#kernel/lists';
import { allRowsOf, inChunks } from '#kernel/store';
import { importAlone } from '../alone.ts';
import { type Entry, ImportRefused, Tables } from '../entry.ts';
import { IdMap } from '../ids.ts';
import { type Filling, namesOf } from '../messages/index.ts';
import type { Plan } from '../plan.ts';
import { Report } from '../report.ts';
import { reading, type Source } from '../source.ts';
import { addChannels, matchChannels } from './channels.ts';
import type { Joining } from './joining.ts';
import { BATCH, type Belongings, importBatch } from './messages.ts';
import { addPeople, matchPeople } from './people.ts';

/** Options of an import into an existing organization. */
export interface JoinOptions {
  readonly subdomain: string;
  readonly isDry: boolean;
  readonly progress: (messages: number, of: number) => void;
}

/**
 * Takes another product's archive into an organization that there is. What has come is noted with it, so a second time
 * brings only what the first did not, however that one ended. See protocol/organizations#import-into-an-existing-organization.
 */
export function joinArchive(context: Context, source: Source, options: JoinOptions): Promise<Report> {
  const take = () => join(context, source, options);
  return reading(source, () => (options.isDry ? take() : importAlone(context.store, take)));
}

async function join(context: Context, source: Source, { subdomain, isDry, progress }: JoinOptions): Promise<Report> {
  const row = await context.store.read((tx) => findRealmBySubdomain(tx, subdomain));
  if (!row || row.is_deactivated)
    throw new ImportRefused(`there is no organization in use at ${realmUrlOf(subdomain, context.server)}`);
  const [report, realm] = [source.report ?? new Report(), realmRefOf(row, context.server)];
  const tables = new Tables('realm.json', await source.json('realm.json'));
  const attachments = new Tables('attachment.json', await source.json('attachment.json'));
  const joining: Joining = { context, realm, tables, report, product: productOf(tables) };
  const [people, channels] = [await matchPeople(joining), await matchChannels(joining)];
  const files = await source.messageFiles();
  if (isDry) {
    report.count('accounts that are joined', people.known.size);
    report.count('accounts', people.fresh.length);
    report.count('channels that are joined', channels.known.size);
    report.count('channels', channels.fresh.length);
    report.count('messages', await total(source, files));
    report.count('files', attachments.rows('zerver_attachment').length);
    return report;
  }
  const users = await addPeople(joining, people);
  const newcomers = new Set(people.fresh.flatMap(({ id }) => users.get(id) ?? []));
  const rows = await addChannels(joining, channels, membersIn(tables, users), newcomers);
  const filling = await fillingOf(joining, users, rows);
  const pouring = { filling, source, product: joining.product, belongings: await belongingsOf(joining, attachments) };
  const of = await total(source, files);
  let [seen, stored] = [0, 0];
  for (const file of files)
    for (const batch of inChunks(new Tables(file, await source.json(file)).rows('zerver_message'), BATCH)) {
      stored += await importBatch(pouring, batch);
      progress((seen += batch.length), of);
    }
  report.count('messages', stored);
  report.count('messages that were there or stayed behind', of - stored);
  await finish(context, realm, [...rows.values()]);
  const after = { as: joining.product, accounts: newcomers.size, messages: stored };
  await context.store.in(realm).write(async (tx) => record(tx, { action: 'organization.imported', after }));
  return report;
}

/** The product that the archive is from; its items are recorded under this name. */
function productOf(tables: Tables): string {
  const product = tables.text('import_source');
  if (product === '') throw new ImportRefused('an archive of this kind comes as a new organization only');
  return product;
}

async function total(source: Source, files: readonly string[]): Promise<number> {
  const last = files.at(-1);
  if (last === undefined) return 0;
  const rows = new Tables(last, await source.json(last)).rows('zerver_message');
  return rows.at(-1)?.id('id') ?? 0;
}

/** Who is in a channel of the archive, by its number; its recipient has the same. */
function membersIn(tables: Tables, users: ReadonlyMap<number, UserId>): ReadonlyMap<number, readonly UserId[]> {
  return grouped(
    tables.rows('zerver_subscription').flatMap((row) => {
      const user = users.get(row.id('user_profile'));
      return user === undefined ? [] : [[row.id('recipient'), user] as const];
    }),
  );
}

async function fillingOf(
  { context, realm, tables, report }: Joining,
  users: ReadonlyMap<number, UserId>,
  channels: ReadonlyMap<number, ChannelRow>,
): Promise<Filling> {
  const accounts = await context.store.in(realm).read((tx) => allRowsOf(tx, 'user'));
  const people = new Map(accounts.map((account) => [account.id, account]));
  const members = membersIn(tables, users);
  const plan: Plan = {
    tables,
    report,
    now: context.clock.now(),
    realmId: realm.id,
    sourceRealmId: 1,
    users: IdMap.joined('users', users),
    groups: new IdMap('user groups', [], 0),
    channels: IdMap.joined('channels', new Map([...channels].map(([id, row]) => [id, row.id]))),
    recipients: new IdMap('recipients', [], 0),
    folders: new IdMap('folders', [], 0),
    emoji: new IdMap('emoji', [], 0),
    fields: new IdMap('profile fields', [], 0),
    attachments: new IdMap('files', [], 0),
    messages: IdMap.unmoved('messages'),
  };
  return {
    context,
    plan,
    realm,
    places: {
      channels: new Map(
        [...channels].map(([id, row]) => [id, { channel: row.id, recipient: row.recipient_id }] as const),
      ),
      people: new Map(),
      groups: new Map(
        tables
          .rows('zerver_recipient')
          .filter((row) => row.int('type', 0) !== 2)
          .map((row) => [row.id('id'), members.get(row.id('id')) ?? []]),
      ),
    },
    periods: new Map(),
    users: people,
    names: namesOf(people),
    clients: new Map(),
  };
}

async function belongingsOf({ context, realm, tables }: Joining, attachments: Tables): Promise<Belongings> {
  const emoji = await context.store.in(realm).read((tx) => allRowsOf(tx, 'realm_emoji'));
  const byMessage = (rows: readonly Entry[], idsOf: (row: Entry) => readonly number[]) =>
    grouped(rows.flatMap((row) => idsOf(row).map((id) => [id, row] as const)));
  return {
    reactions: byMessage(tables.rows('zerver_reaction'), (row) => [row.id('message')]),
    attachments: byMessage(attachments.rows('zerver_attachment'), (row) => row.ids('messages')),
    emoji: new Map(emoji.filter((one) => !one.deactivated).map(({ name, id }) => [name, Number(id)])),
  };
}

/** Imported messages have no events: clients register anew, and find them. */
async function finish(context: Context, realm: RealmRef, channels: readonly ChannelRow[]): Promise<void> {
  await context.store.in(realm).write(async (tx) => {
    await lockLog(tx);
    const rows = await findChannels(
      tx,
      channels.map(({ id }) => id),
    );
    await renewFirstMessages(tx, [...rows.values()]);
    const users = await allRowsOf(tx, 'user');
    await deleteQueuesOf(
      tx,
      users.map(({ id }) => asId<UserId>(id)),
    );
  });
}
