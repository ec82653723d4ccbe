import type { RealmRef } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import { html } from '#kernel/html';
import { nextTurn } from '#kernel/endpoint';
import {
  type AlertWords,
  type LinkableChannel,
  type LinkableTopic,
  type MarkdownNames,
  type MarkdownWorld,
  type Rendering,
  renderMarkdown as render,
  scanMarkdown,
  type TopicLink,
  topicLinks,
  type UploadFacts,
  type WebsitePreview,
} from '#kernel/markdown';
import { assertOutsideTransaction } from '#kernel/scope';
import type { RealmReadTx } from '#kernel/store';
import { mediaProxyOf } from './addresses.ts';
import { mentionableGroups, mentionableUsers, publicChannels } from './queries.ts';
import { wordsOf } from './words.ts';

/** The result of rendering a text. */
export type Rendered = Rendering;
/** A widget that a message creates besides its text. See protocol/messages#content. */
export interface Widget {
  readonly widget_type: string;
  readonly extra_data: Readonly<Record<string, unknown>>;
}

/** The services that rendering needs. */
export type RenderingContext = Pick<ReadContext, 'store' | 'events' | 'server'>;

/** What the names in a text refer to for its author; provided by the slices that know who may see what. */
export interface Visibility {
  /** Users hidden from the author. */
  readonly hidden: { has(userId: number): boolean } | undefined;
  readonly channels: (tx: RealmReadTx, names: readonly string[]) => Promise<readonly LinkableChannel[]>;
  readonly topics: (
    tx: RealmReadTx,
    channels: readonly LinkableChannel[],
    topics: MarkdownNames['topics'],
  ) => Promise<readonly LinkableTopic[]>;
  readonly uploads: (tx: RealmReadTx, pathIds: readonly string[]) => Promise<readonly UploadFacts[]>;
}

/** How the text of a message is rendered, besides its content. */
export interface MessageLook {
  readonly visibility: Visibility;
  /** Words about which readers want to be alerted. */
  readonly alertWords: AlertWords | null;
  readonly translateEmoticons: boolean;
  /** Whether previews of linked pages may be shown; not in messages of bots. */
  readonly hasWebsites: boolean;
  /** Known previews of pages; null for none. */
  readonly websites?: ReadonlyMap<string, WebsitePreview | null>;
  /** Whether it came by mail, where indented text is no code. */
  readonly isFromMail?: boolean;
}

type Names = Pick<MarkdownWorld, 'users' | 'groups' | 'channels' | 'topics' | 'uploads'>;

const NOTHING: Names = { users: [], groups: [], channels: [], topics: [], uploads: [] };

/**
 * Most characters of HTML for a text in a list: a fixed number, and so many for each of its characters. A kilobyte of
 * formulas made a hundred, and register responses contain the descriptions of all channels.
 */
const MAX_HTML = 4_000;
const MAX_HTML_OF_CHARACTER = 4;

/**
 * Renders Markdown of the organization: channel and folder descriptions, notes, welcome texts. The result has no
 * previews, links only to channels that everybody may know of, and is the plain text if the HTML would be too long. It
 * looks up names; never call it inside a transaction.
 */
export async function renderMarkdown(context: RenderingContext, realm: RealmRef, text: string): Promise<Rendered> {
  const rendered = await renderWith(context, realm, text, undefined);
  if (rendered.html.length <= MAX_HTML + MAX_HTML_OF_CHARACTER * text.length) return rendered;
  return { ...rendered, html: html`<p>${text}</p>`.toString() };
}

/** Renders the text of a message with what its author may see. Never call it inside a transaction. */
export async function renderMessage(
  context: RenderingContext,
  realm: RealmRef,
  text: string,
  look: MessageLook,
): Promise<Rendered> {
  return renderWith(context, realm, text, look);
}

/** Returns a function that finds the links in the names of topics. See protocol/markdown#linkifiers. */
export async function topicLinker(
  context: RenderingContext,
  realm: RealmRef,
): Promise<(topic: string) => readonly TopicLink[]> {
  const linkifiers = await (await wordsOf(context, realm.id)).linkifiers();
  return (topic) => topicLinks(topic, linkifiers);
}

async function renderWith(
  context: RenderingContext,
  realm: RealmRef,
  text: string,
  look: MessageLook | undefined,
): Promise<Rendered> {
  assertOutsideTransaction('rendering Markdown');
  const words = await wordsOf(context, realm.id);
  const { emoji, defaultCodeLanguage } = words;
  const compiled = await words.linkifiers();
  const linkifiers = await compiled.forText(text, nextTurn);
  // Members are named one by one: adding to a spread object costs a look-up each, for every message.
  const { users, groups, channels, topics, uploads } = await namesIn(context, realm, text, look?.visibility);
  return render(text, {
    users,
    groups,
    channels,
    topics,
    uploads,
    realm: { emoji, linkifiers, defaultCodeLanguage, url: realm.url, mediaProxy: mediaProxyOf(context) },
    alertWords: look?.alertWords ?? null,
    websites: look?.websites ?? new Map(),
    imagePreviews: look !== undefined && words.imagePreviews,
    websitePreviews: look?.hasWebsites === true && words.websitePreviews,
    translateEmoticons: look?.translateEmoticons ?? false,
    fromMail: look?.isFromMail ?? false,
  });
}

/** Looks up the names in a text, in one snapshot; a text without names needs no query. */
async function namesIn(
  context: RenderingContext,
  realm: RealmRef,
  text: string,
  visibility: Visibility | undefined,
): Promise<Names> {
  const names = scanMarkdown(text);
  const lists = [names.userNames, names.groupNames, names.channelNames, visibility ? names.uploadPathIds : []];
  if (lists.every((list) => list.length === 0)) return NOTHING;
  // A single list needs no snapshot, and most texts name only people.
  const isOne = lists.every((list) => list.length === 0 || list === names.userNames);
  const work = async (tx: RealmReadTx): Promise<Names> => {
    const users = await mentionableUsers(tx, names.userNames, names.userIds);
    const groups = await mentionableGroups(tx, names.groupNames);
    if (!visibility) return { ...NOTHING, users, groups, channels: await publicChannels(tx, names.channelNames) };
    const channels = names.channelNames.length === 0 ? [] : await visibility.channels(tx, names.channelNames);
    return {
      users: users.filter((user) => !visibility.hidden?.has(user.user_id)),
      groups,
      channels,
      topics: channels.length === 0 ? [] : await visibility.topics(tx, channels, names.topics),
      uploads: names.uploadPathIds.length === 0 ? [] : await visibility.uploads(tx, names.uploadPathIds),
    };
  };
  const store = context.store.in(realm);
  return isOne ? store.query(work) : store.read(work);
}
