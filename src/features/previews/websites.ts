import { SECONDS_PER_DAY } from '#kernel/clock';
import { lockLog } from '#kernel/events';
import type { MessageId, RealmId, UserId } from '#kernel/ids';
import { defineJob, enqueue } from '#kernel/jobs';
import type { Context } from '#kernel/context';
import { on } from '#kernel/slice';
import type { RealmReadTx, RealmWriteTx } from '#kernel/store';
import { contentEdited, replaceRendering } from '#features/message-edits';
import { findMessages, messagePosted, type MessageRow, renderContent } from '#features/messages';
import { readRealm, realmRefOf, settingsOf } from '#features/realms';
import { actorOf, findUser } from '#features/users';
import { fetchPage } from './fetch-page.ts';
import { findPages, type Pages, savePages } from './queries.ts';
import { showThumbnails } from './thumbnails.ts';

/** Seconds before a page is fetched again. */
const KEEP_SECONDS = SECONDS_PER_DAY;
/** Most pages of one message that are fetched. See protocol/markdown#previews. */
const MAX_PAGES = 24;

/** A message with links. */
interface Linked {
  readonly message_id: MessageId;
  /** Absent from jobs of an older release. */
  readonly sender_id?: UserId;
  readonly urls: readonly string[];
}

/** Fetches the pages that a message links to, and shows their previews in it. See protocol/markdown#website-cards. */
export const showWebsites = defineJob<Linked, Context>(
  'show-websites',
  async ({ message_id, urls }, { context, realmId }) => {
    const found = await context.store.of(realmId).read((tx) => readSituation(context, tx, message_id));
    if (!found) return;
    const { message, sender, realm } = found;
    const websites = await learn(context, realmId, urls.slice(0, MAX_PAGES));
    const actor = { ...actorOf(sender, realm, context.clock.now()), client: message.client };
    const written = { author: sender, content: message.content, websites };
    const { html, pendingThumbnails } = await renderContent(context, actor, written);
    await context.store.in(realm).write(async (tx) => {
      await lockLog(tx);
      const [current] = await findMessages(tx, [message_id]);
      // An edit of the message queues a job of its own.
      if (current?.content !== message.content || current.rendered_content === html) return;
      await replaceRendering(tx, current, html);
      if (pendingThumbnails.length > 0) await enqueue(tx, showThumbnails, { message_id });
    });
  },
  'previews',
  { partyOf: ({ sender_id }) => sender_id && `sender ${sender_id}` },
);

/** The message; undefined if its organization is deactivated or has turned previews off. */
async function readSituation({ server }: Context, tx: RealmReadTx, id: MessageId) {
  const row = await readRealm(tx);
  if (row.is_deactivated || !settingsOf(row).inline_url_embed_preview) return undefined;
  const [message] = await findMessages(tx, [id]);
  const sender = message && (await findUser(tx, message.sender_id));
  return sender && { message, sender, realm: realmRefOf(row, server) };
}

/** The previews of the pages: known ones from the table, the others fetched simultaneously. */
async function learn(context: Context, realmId: RealmId, urls: readonly string[]): Promise<Pages> {
  const since = context.clock.now() - KEEP_SECONDS;
  const known = await context.store.of(realmId).query((tx) => findPages(tx, urls, since));
  const missing = urls.filter((url) => !known.has(url));
  const fetched = new Map(await Promise.all(missing.map(async (url) => [url, await fetchPage(context, url)] as const)));
  if (fetched.size > 0) await context.store.of(realmId).write((tx) => savePages(tx, fetched, since));
  return new Map([...known, ...fetched]);
}

interface Linking {
  readonly message: Pick<MessageRow, 'id' | 'sender_id'>;
  readonly rendered: { readonly previewLinks: readonly string[] };
}

export const lookingWhenPosted = on(messagePosted, look);
export const lookingWhenEdited = on(contentEdited, look);

function look(tx: RealmWriteTx, { message, rendered }: Linking): Promise<void> | undefined {
  if (rendered.previewLinks.length === 0) return undefined;
  return enqueue(tx, showWebsites, {
    message_id: message.id,
    sender_id: message.sender_id,
    urls: rendered.previewLinks,
  });
}
