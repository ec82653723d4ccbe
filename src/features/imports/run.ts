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
import type { RealmRef } from '#kernel/auth';
import { asId, type ChannelId, type RecipientId, type UserId } from '#kernel/ids';
import type { Context } from '#kernel/context';
import { allRowsOf, freshIds, inChunks, insertWhole, liftBounds, type RealmWriteTx, type WriteTx } from '#kernel/store';
import { importChannels, type Places, placesOf, type Stay, staysOf } from './channels.ts';
import { ImportRefused, Tables } from './entry.ts';
import { importAvatars, importEmoji, importIcons, importUploads, insertUploads } from './files.ts';
import { idsIn } from './ids.ts';
import { importInvitations } from './invitations.ts';
import {
  type Filling,
  Gathered,
  importMessageParts,
  importReading,
  namesOf,
  prepareMessageFile,
  storeMessageFile,
} from './messages/index.ts';
import { importOrganization, importSetup, UNFINISHED } from './organization.ts';
import { importPeople } from './people.ts';
import { importPersonal } from './personal.ts';
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
  return reading(source, () => takeIn(context, source, options));
}

async function takeIn(context: Context, source: Source, options: ImportOptions): Promise<Report> {
  const report = source.report ?? new Report();
  const [taken, unfinished] = await context.store.read(async (tx) => [
    await findRealmBySubdomain(tx, options.subdomain),
    await findRealmBySubdomain(tx, UNFINISHED),
  ]);
  if (taken) throw new ImportRefused(`there is an organization at ${context.realmUrl(options)} already`);
  const tables = new Tables('realm.json', await needed(source, 'realm.json'));
  const attachments = await attachmentsIn(source, report);
  nameUnknown(tables, report);
  nameUnknownFields(attachments, 'zerver_attachment', report);
  const messageFiles = await source.messageFiles();
  const messageIds: number[] = [];
  for (const file of messageFiles)
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
    await fill(context, source, plan, attachments, messageFiles, messageIds, options);
  } catch (error) {
    const begun = await context.store.read((tx) => findRealmBySubdomain(tx, UNFINISHED));
    if (begun) await removeUnfinished(context, begun.id);
    throw error;
  }
  return report;
}

/** The list of files; an archive without one comes without files. */
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

async function fill(
  context: Context,
  source: Source,
  plan: Plan,
  attachments: Tables,
  messageFiles: readonly string[],
  messageIds: readonly number[],
  { subdomain, name, ownerEmail, progress }: ImportOptions,
): Promise<void> {
  const host = context.realmHost({ subdomain });
  const avatars = await importAvatars(context, plan, source);
  const emoji = await importEmoji(context, plan, source);
  const icons = await importIcons(context, plan, source);
  const uploads = await importUploads(context, plan, source, attachments);
  const places = placesOf(plan);
  const newest = messageIds.reduce((most, id) => Math.max(most, id), 0);
  const stays = staysOf(plan, places, newest + plan.messages.offset);
  const users = await context.store.of(plan.realmId).write(async (tx) => {
    await liftBounds(tx);
    const system = await importOrganization(tx, plan, name);
    const people = await importPeople(tx, plan, { ownerEmail, host, avatars });
    await importSetup(tx, plan, emoji);
    await importChannels(tx, plan, system, places);
    await importPersonal(tx, plan, places);
    await importInvitations(context, tx, plan);
    await insertUploads(context, tx, plan, uploads);
    await insertStays(tx, plan, stays);
    await keepIcons(tx, icons);
    return people;
  });
  // Addresses in what is rendered are those that the organization will have.
  const realm: RealmRef = {
    ...realmRefOf(await context.store.of(plan.realmId).query((tx) => readRealm(tx))),
    subdomain,
  };
  await renderDescriptions(context, plan, realm);
  await renderProfiles(context, realm);
  const clients = new Map(plan.tables.rows('zerver_client').map((row) => [row.id('id'), row.text('name', 'import')]));
  const filling: Filling = { context, plan, realm, places, stays, users, names: namesOf(users), clients };
  const gathered = new Gathered();
  await importMessages(filling, gathered, messageFiles, source, () => progress(gathered.ids.size, messageIds.length));
  plan.report.count('messages', gathered.ids.size);
  await context.store.of(plan.realmId).write(async (tx) => {
    await liftBounds(tx);
    await importMessageParts(tx, plan, gathered, attachments, new Set(uploads.map(({ id }) => Number(id))));
    await importReading(tx, plan, gathered, readersOf(stays, places, gathered));
    await finishChannels(tx, plan, users, gathered);
    const { is_deactivated } = {
      is_deactivated: plan.tables.rows('zerver_realm')[0]?.bool('deactivated', false) ?? false,
    };
    await setRealmSubdomain(tx, subdomain);
    await setRealmDeactivated(tx, is_deactivated);
    record(tx, { action: 'organization.imported', after: { as: 'new', messages: gathered.ids.size } });
  });
}

/** Stores the messages of all files, each while the next one is rendered. */
async function importMessages(
  filling: Filling,
  gathered: Gathered,
  files: readonly string[],
  source: Source,
  progress: () => void,
): Promise<void> {
  const lane = new Lanes(1);
  try {
    for (const file of files) {
      const prepared = await prepareMessageFile(filling, file, await needed(source, file));
      await lane.begin(async () => {
        await storeMessageFile(filling, gathered, prepared);
        progress();
      });
    }
  } finally {
    // Nothing is taken back while a file is being stored.
    await lane.end();
  }
}

async function insertStays(tx: WriteTx, { realmId }: Plan, stays: ReadonlyMap<string, readonly Stay[]>): Promise<void> {
  const rows = [...stays].flatMap(([key, own]) => {
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
  stays: ReadonlyMap<string, readonly Stay[]>,
  places: Places,
  gathered: Gathered,
): Generator<readonly [UserId, RecipientId]> {
  const recipients = new Map(
    [...places.channels.values()].map(({ channel, recipient }) => [Number(channel), recipient]),
  );
  for (const key of stays.keys()) {
    const [user = 0, channel = 0] = key.split(' ').map(Number);
    const recipient = recipients.get(channel);
    if (recipient !== undefined) yield [asId<UserId>(user), recipient];
  }
  for (const [recipient, people] of gathered.conversations) for (const user of people) yield [user, recipient];
}

/** What channels know of their messages and subscribers. */
async function finishChannels(
  tx: RealmWriteTx,
  { now }: Plan,
  users: ReadonlyMap<UserId, { readonly is_active: boolean }>,
  gathered: Gathered,
): Promise<void> {
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
      is_recently_active: last > now - ACTIVE_SECONDS,
    });
  }
}

/** Seconds for which a channel counts as active after a message. See protocol/channels#activity. */
const ACTIVE_SECONDS = 180 * SECONDS_PER_DAY;
