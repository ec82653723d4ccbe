import type { ChannelId, GroupId, Id, MessageId, RealmId, RecipientId, UserId } from '#kernel/ids';
import { continueAfter, newestIdOf, type ReadTx, type WriteTx, wholeTable } from '#kernel/store';
import type { Tables } from './entry.ts';
import { IdMap, idsIn } from './ids.ts';
import type { Report } from './report.ts';

/** What is known during an import. */
export interface Plan {
  readonly tables: Tables;
  readonly report: Report;
  readonly now: number;
  readonly realmId: RealmId;
  /** ID of the organization in the archive, which stands in the paths of its files. */
  readonly sourceRealmId: number;
  readonly users: IdMap<UserId>;
  readonly groups: IdMap<GroupId>;
  readonly channels: IdMap<ChannelId>;
  readonly recipients: IdMap<RecipientId>;
  readonly folders: IdMap<Id<'ChannelFolder'>>;
  readonly emoji: IdMap<Id<'Emoji'>>;
  readonly fields: IdMap<Id<'ProfileField'>>;
  readonly attachments: IdMap<Id<'Attachment'>>;
  readonly messages: IdMap<MessageId>;
}

type TableName = Parameters<typeof wholeTable>[0];

/** IDs of one table that may be given to what the archive does not have. */
const SPARE = 1000;

/** The IDs that rows of a table get; reserved, so that a server beside the command gives them to nobody else. */
export async function reserveIds<T extends Id<string>>(
  tx: ReadTx | WriteTx,
  name: TableName,
  what: string,
  ids: readonly number[],
): Promise<IdMap<T>> {
  const map = new IdMap<T>(what, ids, await newestIdOf(tx, wholeTable(name)));
  if ('emit' in tx && ids.length > 0) await continueAfter(tx, wholeTable(name), map.newest + SPARE);
  return map;
}

const PEOPLE = ['zerver_userprofile', 'zerver_userprofile_mirrordummy', 'zerver_userprofile_crossrealm'];

/** Decides which IDs everything gets. In a transaction that can write they are reserved. */
export async function makePlan(
  tx: ReadTx | WriteTx,
  { tables, attachments, messageIds }: { tables: Tables; attachments: Tables; messageIds: readonly number[] },
  report: Report,
): Promise<Plan> {
  const [realm] = tables.rows('zerver_realm');
  const sourceRealmId = realm?.id('id') ?? 1;
  const of = (name: string) => idsIn(tables.rows(name));
  const realms = await reserveIds<RealmId>(tx, 'realm', 'organizations', [sourceRealmId]);
  return {
    tables,
    report,
    now: tx.now,
    sourceRealmId,
    realmId: realms.of(sourceRealmId) ?? realms.fresh(),
    users: await reserveIds(tx, 'user', 'users', PEOPLE.flatMap(of)),
    groups: await reserveIds(tx, 'user_group', 'user groups', of('zerver_usergroup')),
    channels: await reserveIds(tx, 'channel', 'channels', of('zerver_stream')),
    recipients: await reserveIds(tx, 'recipient', 'recipients', of('zerver_recipient')),
    folders: await reserveIds(tx, 'channel_folder', 'folders', of('zerver_channelfolder')),
    emoji: await reserveIds(tx, 'realm_emoji', 'emoji', of('zerver_realmemoji')),
    fields: await reserveIds(tx, 'profile_field', 'profile fields', of('zerver_customprofilefield')),
    attachments: await reserveIds(tx, 'attachment', 'files', idsIn(attachments.rows('zerver_attachment'))),
    messages: await reserveIds(tx, 'message', 'messages', messageIds),
  };
}
