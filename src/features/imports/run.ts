import { record } from '#kernel/audit';
import { Lanes } from '#features/exports';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { setChannel } from '#features/channels';
import { setFolder } from '#features/channel-folders';
import { removeUnfinished } from '#features/organizations';
import {
  findRealmBySubdomain,
  lockRealm,
  readRealm,
  realmRefOf,
  setRealmDeactivated,
  setRealmSettings,
  setRealmSubdomain,
} from '#features/realms';
import { renderProfiles } from '#features/profile-fields';
import { renderMarkdown } from '#features/rendering';
import { realmHostOf, type RealmRef, realmUrlOf } from '#kernel/auth';
import { asId, type ChannelId, type RecipientId, type UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { allRowsOf, freshIds, inChunks, insertWhole, liftBounds, type RealmWriteTx, type WriteTx } from '#kernel/store';
import { importAlone } from './alone.ts';
import { importChannels, periodsOf, type Places, placesOf, type SubscriptionPeriod } from './channels.ts';
import { ImportRefused, Tables } from './entry.ts';
import { importAvatars, importEmoji, importIcons, importUploads, insertUploads, type Taking } from './files.ts';
import { idsIn } from './ids.ts';
import { importInvitations } from './invitations.ts';
import {
  type Filling,
  Gathered,
  importFileUses,
  importMessageParts,
  importReading,
  namesOf,
  prepareMessageFile,
  storeMessageFile,
} from './messages/index.ts';
import { importOrganization, importSetup, UNFINISHED } from './organization.ts';
import { importPeople } from './people.ts';
import { importPersonal } from './personal/index.ts';
import type { Write } from './keyed.ts';
import { makePlan, type Plan } from './plan.ts';
import { Report } from './report.ts';
import { reading, type Source } from './source.ts';
import { nameUnknown, nameUnknownFields } from './unknown.ts';

/** How an archive is taken in. */
export interface ImportOptions {
  readonly subdomain: string;
  /** Name of the organization; undefined: the archive's. */
  readonly name: string | undefined;
  /** The address of who owns it here. */
  readonly ownerEmail: string;
  readonly isDry: boolean;
  readonly progress: (messages: number, of: number) => void;
}

/**
 * Takes an archive in the format of established servers in, as a new organization. It is reached by nobody until it is
 * whole; one that is not finished is taken back by the next import. See protocol/organizations#import.
 */
export function importArchive(context: Context, source: Source, options: ImportOptions): Promise<Report> {
  const take = () => takeIn(context, source, options);
  return reading(source, () => (options.isDry ? take() : importAlone(context.store, take)));
}

async function takeIn(context: Context, source: Source, options: ImportOptions): Promise<Report> {
  const report = source.report ?? new Report();
  const [taken, unfinished] = await context.store.read(async (tx) => [
    await findRealmBySubdomain(tx, options.subdomain),
    await findRealmBySubdomain(tx, UNFINISHED),
  ]);
  if (taken)
    throw new ImportRefused(`there is an organization at ${realmUrlOf(options.subdomain, context.server)} already`);
  const tables = new Tables('realm.json', await needed(source, 'realm.json'));
  const attachments = await attachmentsIn(source, report);
  nameUnknown(tables, report);
  nameUnknownFields(attachments, 'zerver_attachment', report);
  const messageIds: number[] = [];
  for (const file of await source.messageFiles())
    for (const id of idsIn(new Tables(file, await needed(source, file)).rows('zerver_message'))) messageIds.push(id);
  const planned = { tables, attachments, messageIds };
  if (options.isDry) {
    await context.store.read((tx) => makePlan(tx, planned, report));
    for (const name of tables.names)
      if (name.startsWith('zerver_')) report.count(name.slice(7), tables.rows(name).length);
    report.count('messages', messageIds.length);
    report.count('files', attachments.rows('zerver_attachment').length);
    return report;
  }
  if (unfinished) {
    await removeUnfinished(context, unfinished.id);
    report.remark('imports taken back', 'one that was not finished');
  }
  const plan = await context.store.write((tx) => makePlan(tx, planned, report));
  try {
    await fill({ context, plan, source }, planned, options);
  } catch (error) {
    const begun = await context.store.read((tx) => findRealmBySubdomain(tx, UNFINISHED));
    if (begun) await removeUnfinished(context, begun.id);
    throw error;
  }
  return report;
}

/** Reads the list of files; an archive without one is imported without files. */
async function attachmentsIn(source: Source, report: Report): Promise<Tables> {
  const value = await source.json('attachment.json');
  if (value === undefined) report.remark('files of the archive that are missing', 'attachment.json');
  return new Tables('attachment.json', value ?? {});
}

async function needed(source: Source, path: string): Promise<unknown> {
  const value = await source.json(path);
  if (value === undefined) throw new ImportRefused(`there is no ${path} in the archive`);
  return value;
}

/**
 * Runs a part of an import in a transaction. Others write between the parts: on the embedded database one process at a time
 * does.
 */
function writeOf({ context, plan }: Taking): Write {
  return (work) =>
    context.store.of(plan.realmId).write(async (tx) => {
      await liftBounds(tx);
      return work(tx);
    });
}

async function fill(
  taking: Taking,
  { attachments, messageIds }: { readonly attachments: Tables; readonly messageIds: readonly number[] },
  { subdomain, name, ownerEmail, progress }: ImportOptions,
): Promise<void> {
  const { context, plan, source } = taking;
  const host = realmHostOf(subdomain, context.server);
  const avatars = await importAvatars(taking);
  const emoji = await importEmoji(taking);
  const icons = await importIcons(taking);
  const uploads = await importUploads(taking, attachments);
  const places = placesOf(plan);
  const newest = messageIds.reduce((most, id) => Math.max(most, id), 0);
  const periods = periodsOf(plan, places, newest + plan.messages.offset);
  const write = writeOf(taking);
  const { system, users } = await write(async (tx) => {
    const groups = await importOrganization(tx, plan, name);
    const people = await importPeople(tx, plan, { ownerEmail, host, avatars });
    await importSetup(tx, plan, emoji);
    return { system: groups, users: people };
  });
  await write((tx) => importChannels(tx, plan, system, places));
  await write(async (tx) => {
    await importPersonal(tx, plan, places);
    await importInvitations(context, tx, plan);
    await insertUploads(tx, uploads);
    await keepIcons(tx, icons);
  });
  await write((tx) => insertPeriods(tx, plan, periods));
  // Addresses in what is rendered are those that the organization will have.
  const row = await context.store.of(plan.realmId).query((tx) => readRealm(tx));
  const realm = realmRefOf({ ...row, string_id: subdomain }, context.server);
  await renderDescriptions(context, plan, realm);
  await renderProfiles(context, realm);
  const clients = new Map(plan.tables.rows('zerver_client').map((row) => [row.id('id'), row.text('name', 'import')]));
  const filling: Filling = { context, plan, realm, places, periods, users, names: namesOf(users), clients };
  const gathered = await importMessages(filling, source, (stored) => progress(stored, messageIds.length));
  plan.report.count('messages', gathered.ids.size);
  await importMessageParts(write, plan, gathered);
  await write(async (tx) => {
    await importFileUses(tx, plan, gathered, { attachments, stored: new Set(uploads.map(({ id }) => Number(id))) });
    await importReading(tx, gathered, readersOf(periods, places, gathered));
  });
  await write(async (tx) => {
    await finishChannels(tx, filling, gathered);
    const { is_deactivated } = {
      is_deactivated: plan.tables.rows('zerver_realm')[0]?.bool('deactivated', false) ?? false,
    };
    await setRealmSubdomain(tx, subdomain);
    await setRealmDeactivated(tx, is_deactivated);
    record(tx, { action: 'organization.imported', after: { as: 'new', messages: gathered.ids.size } });
  });
}

/** Stores the messages of all files, each while the next one is rendered. */
async function importMessages(filling: Filling, source: Source, progress: (stored: number) => void): Promise<Gathered> {
  const gathered = new Gathered();
  const lane = new Lanes(1);
  try {
    for (const file of await source.messageFiles()) {
      const prepared = await prepareMessageFile(filling, file, await needed(source, file));
      await lane.begin(async () => {
        await storeMessageFile(filling, gathered, prepared);
        progress(gathered.ids.size);
      });
    }
  } finally {
    // Nothing is taken back while a file is being stored.
    await lane.end();
  }
  return gathered;
}

async function insertPeriods(
  tx: WriteTx,
  { realmId }: Plan,
  periods: ReadonlyMap<string, readonly SubscriptionPeriod[]>,
): Promise<void> {
  const rows = [...periods].flatMap(([key, own]) => {
    const [user = 0, channel = 0] = key.split(' ').map(Number);
    return own.map(({ after, until }) => ({
      realm_id: realmId,
      user_id: asId<UserId>(user),
      channel_id: asId<ChannelId>(channel),
      from_event_id: 0,
      to_event_id: until === null ? null : 0,
      after_message_id: after,
      until_message_id: until,
    }));
  });
  for (const chunk of inChunks(rows, 1000)) {
    const ids = await freshIds(tx, 'subscription_period', chunk.length);
    await insertWhole(
      tx,
      'subscription_period',
      chunk.map((row, index) => ({ id: ids[index] ?? 0, ...row })),
    );
  }
}

/** Settings say that a picture was uploaded; only for those that came. */
async function keepIcons(tx: RealmWriteTx, icons: ReadonlySet<string>): Promise<void> {
  const { settings } = await lockRealm(tx);
  const { icon_source: _icon, logo_source: _logo, night_logo_source: _night, ...others } = settings;
  await setRealmSettings(tx, {
    ...others,
    ...(icons.has('icon') && { icon_source: 'U' }),
    ...(icons.has('logo') && { logo_source: 'U' }),
    ...(icons.has('night_logo') && { night_logo_source: 'U' }),
  });
}

/** Descriptions are rendered when all that they may name is there. */
async function renderDescriptions(context: Context, { realmId }: Plan, realm: RealmRef): Promise<void> {
  const { channels, folders } = await context.store.of(realmId).read(async (tx) => ({
    channels: await allRowsOf(tx, 'channel'),
    folders: await allRowsOf(tx, 'channel_folder'),
  }));
  for (const { id, description } of channels) {
    if (description === '') continue;
    const { html: rendered_description } = await renderMarkdown(context, realm, description);
    await context.store.of(realmId).write((tx) => setChannel(tx, id, { rendered_description }));
  }
  for (const { id, description } of folders) {
    if (description === '') continue;
    const { html: rendered_description } = await renderMarkdown(context, realm, description);
    await context.store.of(realmId).write((tx) => setFolder(tx, id, { rendered_description }));
  }
}

/** Who has a conversation: all who were ever in the channel, and the people of direct ones. */
function* readersOf(
  periods: ReadonlyMap<string, readonly SubscriptionPeriod[]>,
  places: Places,
  gathered: Gathered,
): Generator<readonly [UserId, RecipientId]> {
  const recipients = new Map(
    [...places.channels.values()].map(({ channel, recipient }) => [Number(channel), recipient]),
  );
  for (const key of periods.keys()) {
    const [user = 0, channel = 0] = key.split(' ').map(Number);
    const recipient = recipients.get(channel);
    if (recipient !== undefined) yield [asId<UserId>(user), recipient];
  }
  for (const [recipient, people] of gathered.conversations) for (const user of people) yield [user, recipient];
}

/** Sets the columns of channels that follow from their messages and subscribers. */
async function finishChannels(tx: RealmWriteTx, { plan, users }: Filling, gathered: Gathered): Promise<void> {
  const counts = new Map<ChannelId, number>();
  for (const { channel_id, user_id, is_subscribed } of await allRowsOf(tx, 'subscription'))
    if (is_subscribed && users.get(user_id)?.is_active) counts.set(channel_id, (counts.get(channel_id) ?? 0) + 1);
  for (const { id, last_message_at } of await allRowsOf(tx, 'channel')) {
    const found = gathered.first.get(id);
    const last = found?.last ?? last_message_at;
    await setChannel(tx, id, {
      subscriber_count: counts.get(id) ?? 0,
      first_message_id: found?.id ?? null,
      last_message_at: last,
      is_recently_active: last > plan.now - ACTIVE_SECONDS,
    });
  }
}

/** Seconds for which a channel counts as active after a message. See protocol/channels#activity. */
const ACTIVE_SECONDS = 180 * SECONDS_PER_DAY;
