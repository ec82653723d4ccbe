import { findChannels } from '#features/channels';
import { messageAddress, type MessageRow } from '#features/messages';
import { listRealms, readRealm, settingsOf as realmSettingsOf } from '#features/realms';
import { settingsOf } from '#features/user-settings';
import { findUsers, hiddenFrom, UNKNOWN_NAME, type UserRow } from '#features/users';
import { newReplyAddress, type ReplyAddress, senderOf, withLayout } from '#features/mails';
import type { RealmRefReadTx } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { html, type Html } from '#kernel/html';
import type { Mail } from '#kernel/mail';
import { sha256 } from '#kernel/secretbox';
import type { RealmReadTx } from '#kernel/store';
import { truncate, topicShown } from '#kernel/text';
import { readWords } from '../message-words.ts';
import { participantsIn } from '../queries.ts';
import { unsubscribeAddress, unsubscribeHeaders } from '../unsubscribe.ts';
import type { Missed } from './select.ts';

/** Most messages of a mail, and most code points of each. */
const MAX_SHOWN = 30;
const MAX_CONTENT = 1000;
/** Longest subject, in code points. */
const MAX_SUBJECT = 150;

/** The shown messages of one conversation. */
interface Section {
  readonly title: string;
  readonly address: string;
  readonly key: string;
  /** The newest shown message. */
  readonly newestId: MessageRow['id'];
  /** Senders and texts, oldest first. */
  readonly said: readonly { readonly name: string; readonly text: string }[];
}

/** A mail, and the address for answers to it. */
interface Letter {
  readonly mail: Mail;
  /** Undefined if the mail covers several conversations or hides the content, or if the server receives no mail. */
  readonly reply: ReplyAddress | undefined;
}

/** Most mails at once; further conversations share the last one. */
const MAX_MAILS = 20;

/**
 * Splits messages into mails: one for each conversation, so that each is a thread of its own. If the content is hidden,
 * a single mail covers all.
 */
export async function inLetters(
  tx: RealmReadTx,
  { user, messages }: Missed,
): Promise<readonly (readonly MessageRow[])[]> {
  if (await isContentHidden(tx, user)) return [messages];
  const groups = inConversations(messages);
  const rest = groups.splice(MAX_MAILS - 1).flat();
  return rest.length > 0 ? [...groups, rest] : groups;
}

/** Composes a mail; the token becomes its address for answers. */
export async function composeLetter(
  context: Context,
  tx: RealmRefReadTx,
  { user, messages }: Missed,
  replyToken: string,
): Promise<Letter> {
  const shown = messages.slice(-MAX_SHOWN);
  const sections = await readSections(tx, { user, messages: shown });
  const isHidden = await isContentHidden(tx, user);
  const [only] = sections.length === 1 ? sections : [];
  const subject = isHidden || !only ? 'New messages' : only.title;
  const more = messages.length - shown.length;
  const answering = only && { realm_id: tx.realmId, user_id: user.id, message_id: only.newestId };
  const reply = isHidden || !answering ? undefined : newReplyAddress(context, answering, replyToken);
  const leave = unsubscribeAddress(context, { realm: tx.realm, userId: user.id }, 'missed_messages');
  const parts = [
    `Hello ${user.full_name},`,
    `you missed ${messages.length === 1 ? 'a message' : `${messages.length} messages`} in ${tx.realm.name}.`,
    ...(isHidden ? [HIDDEN] : sections.flatMap(toParts)),
    ...(more > 0 && !isHidden ? [`${more} earlier messages are not shown.`] : []),
    ...(reply ? [ANSWER] : []),
    `Read and answer: ${(!isHidden && only?.address) || tx.realm.url}`,
    `To get no more mails like this one, open this address: ${leave}`,
  ];
  const mail = {
    to: { name: user.full_name, address: user.email },
    subject: truncate(subject, MAX_SUBJECT, '…') + (await realmMark(tx, user)),
    text: parts.join('\n\n'),
    ...(reply && { replyTo: { name: tx.realm.name, address: reply.address } }),
    headers: {
      ...unsubscribeHeaders(leave),
      ...(only && threadOf(tx.realm.host, user, only)),
    },
  };
  const inside = html`<p>${parts[0]}</p>
<p>${parts[1]}</p>
${isHidden ? html`<p>${HIDDEN}</p>` : sections.map(toHtml)}
${more > 0 && !isHidden && html`<p>Before these came ${more} more.</p>`}
${reply && html`<p>${ANSWER}</p>`}
<p><a class="go" href="${(!isHidden && only?.address) || tx.realm.url}">Read and answer</a></p>
<p class="small"><a href="${leave}">Get no more mails like this one</a></p>`;
  return { mail: withLayout(mail, senderOf(context, tx.realm), inside), reply };
}

const ANSWER = 'Reply to this mail to post your text there.';

function toHtml({ title, address, said }: Section): Html {
  const lines = said.map(
    ({ name, text }, index) =>
      html`${said[index - 1]?.name !== name && html`<p><strong>${name}</strong></p>`}<div class="said">${text}</div>\n`,
  );
  return html`<h2><a href="${address}">${title}</a></h2>\n${lines}`;
}

/** Header fields with which mail programs show all mails of a conversation as one thread. RFC 5322 §3.6.4. */
function threadOf(host: string, user: UserRow, { key }: Section): Readonly<Record<string, string>> {
  const name = sha256(`${user.realm_id} ${user.id} ${key}`).slice(0, 32);
  const root = `<conversation-${name}@${host}>`;
  return { 'In-Reply-To': root, References: root };
}

const HIDDEN =
  'The text is not shown here, because your settings, or those of the organization, exclude it from mails.';

function toParts({ title, address, said }: Section): readonly string[] {
  return [`${title}\n${address}`, ...said.map(({ name, text }) => `${name}: ${text}`)];
}

/**
 * Whether content is hidden, by the setting `message_content_in_email_notifications` of the person and of the
 * organization.
 */
async function isContentHidden(tx: RealmReadTx, user: UserRow): Promise<boolean> {
  const allowed = realmSettingsOf(await readRealm(tx)).message_content_allowed_in_email_notifications;
  return !allowed || !settingsOf(user).message_content_in_email_notifications;
}

/**
 * The organization's name for the subject, by the setting `realm_name_in_email_notifications_policy`: 1 if there are
 * several organizations, 2 always, 3 never.
 */
async function realmMark(tx: RealmRefReadTx, user: UserRow): Promise<string> {
  const { realm_name_in_email_notifications_policy: policy } = settingsOf(user);
  const isMarked = policy === 2 || (policy === 1 && (await listRealms(tx)).length > 1);
  return isMarked ? ` [${tx.realm.name}]` : '';
}

async function readSections(tx: RealmRefReadTx, { user, messages }: Missed): Promise<readonly Section[]> {
  const channels = await findChannels(tx, [...new Set(messages.flatMap((row) => row.channel_id ?? []))]);
  const direct = messages.filter((row) => row.channel_id === null).map((row) => row.recipient_id);
  const conversations = await participantsIn(tx, [...new Set(direct)]);
  const senders = messages.map((row) => row.sender_id);
  const names = await findUsers(tx, [...new Set([...senders, ...[...conversations.values()].flat()])]);
  const hidden = await hiddenFrom(tx, user, tx.realm.host);
  const wordsOf = await readWords(tx, messages);
  const textOf = (row: MessageRow) => truncate(wordsOf(row), MAX_CONTENT, '…');
  const nameOf = (id: UserRow['id']) => (hidden?.has(id) ? UNKNOWN_NAME : (names.get(id)?.full_name ?? ''));
  return inConversations(messages).map((group): Section => {
    const said = group.map((row) => ({ name: nameOf(row.sender_id), text: textOf(row) }));
    const [first] = group;
    const channel = first.channel_id === null ? undefined : channels.get(first.channel_id);
    if (channel) {
      const address = messageAddress(tx.realm.url, { channel, topic: first.topic }, first.id);
      const title = `#${channel.name} > ${topicShown(first.topic, false)}`;
      return { title, address, said, key: keyOf(first), newestId: newestOf(group) };
    }
    const people = conversations.get(first.recipient_id) ?? [];
    const others = people.filter((id) => id !== user.id).map(nameOf);
    return {
      title: `Direct messages with ${others.join(', ')}`,
      address: messageAddress(tx.realm.url, { people }, first.id),
      said,
      key: keyOf(first),
      newestId: newestOf(group),
    };
  });
}

type Group = [MessageRow, ...MessageRow[]];

function newestOf(group: Group): MessageRow['id'] {
  return (group.at(-1) ?? group[0]).id;
}

function keyOf({ recipient_id, topic_key }: MessageRow): string {
  return `${recipient_id}:${topic_key}`;
}

/** Groups messages by conversation, in the order of each one's first message. */
function inConversations(messages: readonly MessageRow[]): Group[] {
  const groups = new Map<string, Group>();
  for (const row of messages) {
    const key = keyOf(row);
    const known = groups.get(key);
    if (known) known.push(row);
    else groups.set(key, [row]);
  }
  return [...groups.values()];
}
