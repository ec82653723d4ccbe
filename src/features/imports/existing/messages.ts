import { subscribersOf } from '#features/channels';
import { setSpansRead } from '#features/messages';
import { ensureDirectRecipient } from '#features/recipients';
import { topicLinker } from '#features/rendering';
import { addUsage, makeThumbnails } from '#features/uploads';
import { lockLog } from '#kernel/events';
import { asId, type MessageId, type RecipientId, type UserId } from '#kernel/ids';
import { enqueue } from '#kernel/jobs';
import { freshIds, insertWhole, type RealmWriteTx, type WholeRow } from '#kernel/store';
import type { Entry } from '../entry.ts';
import { importUpload } from '../files.ts';
import { type Filling, Gathered, prepare, type Prepared, storeMessages } from '../messages/index.ts';
import { findItems, insertItems, itemKey } from '../queries.ts';
import type { Source } from '../source.ts';
import { reactionRows } from './reactions.ts';

/** Messages of one transaction, during which other writers wait. */
export const BATCH = 200;

/** What belongs to messages, by their numbers in the archive. */
export interface Belongings {
  readonly reactions: ReadonlyMap<number, readonly Entry[]>;
  readonly attachments: ReadonlyMap<number, readonly Entry[]>;
  /** Emoji of the organization by name. */
  readonly emoji: ReadonlyMap<string, number>;
}

export interface Pouring {
  readonly filling: Filling;
  readonly source: Source;
  readonly product: string;
  readonly belongings: Belongings;
}

interface Ready {
  readonly key: string;
  readonly prepared: Prepared;
  readonly uploads: readonly WholeRow<'attachment'>[];
}

/** Finds or creates the conversations of people, who may have one already. */
class Conversations extends Gathered {
  override async conversation(tx: RealmWriteTx, people: readonly UserId[]): Promise<RecipientId> {
    const ordered = [...new Set(people)].toSorted((a, b) => a - b);
    const id = await ensureDirectRecipient(tx, ordered);
    this.conversations.set(id, ordered);
    return id;
  }
}

/** Stores the messages that were not imported before, with all that belongs to them; returns their number. */
export async function importBatch(pouring: Pouring, entries: readonly Entry[]): Promise<number> {
  const { filling, product } = pouring;
  const { context, realm } = filling;
  const keyed = entries.map((entry) => ({ entry, key: itemKey(product, entry.text('import_key')) }));
  const known = await context.store.in(realm).read((tx) =>
    findItems(
      tx,
      'message',
      keyed.map(({ key }) => key),
    ),
  );
  const fresh = new Map(keyed.filter(({ key }) => !known.has(key)).map((one) => [one.key, one]));
  const linkTopic = await topicLinker(context, realm);
  const ready: Ready[] = [];
  for (const { entry, key } of fresh.values()) {
    const prepared = await prepare(filling, entry, linkTopic);
    if (prepared) ready.push({ key, prepared, uploads: await uploadsOf(pouring, entry) });
  }
  return ready.length === 0 ? 0 : context.store.in(realm).write((tx) => store(tx, pouring, ready));
}

async function uploadsOf(
  { filling, source, belongings }: Pouring,
  entry: Entry,
): Promise<readonly WholeRow<'attachment'>[]> {
  const rows: WholeRow<'attachment'>[] = [];
  for (const attachment of belongings.attachments.get(entry.id('id')) ?? []) {
    const row = await importUpload({ ...filling, source }, attachment);
    if (row) rows.push(row);
  }
  return rows;
}

/** Numbers are given while the log is held, so that they grow with the messages that people send meanwhile. */
async function store(tx: RealmWriteTx, pouring: Pouring, given: readonly Ready[]): Promise<number> {
  const { filling } = pouring;
  await lockLog(tx);
  // Another import of the same archive may have been faster.
  const keys = given.map(({ key }) => key);
  const known = await findItems(tx, 'message', keys);
  const ready = given.filter(({ key }) => !known.has(key));
  const ids = await freshIds(tx, 'message', ready.length);
  const idAt = (index: number) => asId<MessageId>(ids[index] ?? 0);
  const numbered = ready.map(({ prepared }, index) => ({ ...prepared, row: { ...prepared.row, id: idAt(index) } }));
  const gathered = new Conversations();
  const rows = await storeMessages(tx, filling, gathered, { messages: numbered, userMessages: [] });
  await insertItems(
    tx,
    'message',
    ready.map(({ key }, index) => [key, idAt(index)]),
  );
  const uploads = ready.flatMap((one, index) => one.uploads.map((row) => ({ row, message_id: idAt(index) })));
  await storeUploads(tx, uploads);
  const reactions = reactionRows(pouring, numbered);
  const reactionIds = await freshIds(tx, 'reaction', reactions.length);
  await insertWhole(
    tx,
    'reaction',
    reactions.map((row, index) => ({ id: asId(reactionIds[index] ?? 0), ...row })),
  );
  await readByAll(tx, gathered, rows);
  return rows.length;
}

async function storeUploads(
  tx: RealmWriteTx,
  all: readonly { readonly row: WholeRow<'attachment'>; readonly message_id: MessageId }[],
): Promise<void> {
  const ids = await freshIds(tx, 'attachment', all.length);
  const rows = all.map(({ row }, index) => ({ ...row, id: asId<typeof row.id>(ids[index] ?? 0) }));
  await insertWhole(tx, 'attachment', rows);
  await insertWhole(
    tx,
    'attachment_use',
    all.map(({ message_id }, index) => ({
      realm_id: tx.realmId,
      attachment_id: asId<WholeRow<'attachment'>['id']>(ids[index] ?? 0),
      message_id,
    })),
  );
  if (rows.length > 0)
    await addUsage(
      tx,
      rows.reduce((sum, { size }) => sum + size, 0),
    );
  for (const row of rows) if (row.image) await enqueue(tx, makeThumbnails, { id: row.id });
}

/** History is nobody's to read anew. */
async function readByAll(
  tx: RealmWriteTx,
  gathered: Gathered,
  rows: Awaited<ReturnType<typeof storeMessages>>,
): Promise<void> {
  const channels = [...new Set(rows.flatMap(({ channel_id }) => channel_id ?? []))];
  const subscribers = await subscribersOf(tx, channels);
  const spans = new Map<RecipientId, { first: MessageId; last: MessageId; readers: readonly UserId[] }>();
  for (const { id, recipient_id, channel_id } of rows) {
    const span = spans.get(recipient_id);
    const readers = channel_id === null ? gathered.conversations.get(recipient_id) : subscribers.get(channel_id);
    if (span) span.last = id;
    else spans.set(recipient_id, { first: id, last: id, readers: readers ?? [] });
  }
  await setSpansRead(
    tx,
    [...spans].map(([recipient_id, span]) => ({ recipient_id, ...span })),
  );
}
