import { conversationHash } from '../../addresses/index.ts';
import { type Client, conversationOfDraft, showNotice, useClient } from '../../client/index.ts';
import { type Conversation, directWith, keyOf, othersIn } from '../../model/index.ts';
import { EmptyView } from '../../ui/index.ts';
import { Tabs } from '../../ui/tabs.tsx';
import { fullDate, shortDay, timeOfDay } from '../../words/index.ts';
import { t } from '../../words/deferred.ts';
import { refusalIn } from '../composer/places.tsx';
import { copyText } from '../feed/copy.ts';
import { LaterItem, type LaterConversation } from '../lists/later.tsx';
import { ListPage } from '../lists/rows.tsx';
import { RenderedBody } from '../rendered-body.tsx';
import { overlay } from '../overlays/open.ts';
import { openDrawer } from '../shell/drawer.ts';
import { Head, PlainTitle } from '../shell/head.tsx';
import { channelLook, faceOf, timeStyle, topicName } from '../shown.ts';
import { isUnnamed } from '../topic-name.tsx';
import { noticeFailure } from '../notice-failure.ts';
import { writeTo } from '../write-to.ts';

type Kind = 'drafts' | 'scheduled' | 'reminders';
type Action = Parameters<typeof LaterItem>[0]['actions'][number];

/** A text that was not sent yet. */
interface Later {
  readonly key: string;
  readonly conversation: Conversation;
  /** The rendered text, if there is one; else `text` is shown. */
  readonly html?: string;
  readonly text: string;
  readonly seconds: number;
  readonly trouble?: string | undefined;
  readonly actions: readonly Action[];
}

/** Drafts, scheduled messages or reminders, with tabs for the other two. */
export function LaterView({ kind }: { readonly kind: Kind }) {
  const client = useClient();
  const items = LISTS[kind](client);
  const tabs = (['drafts', 'scheduled', 'reminders'] as const).map((one) => ({
    label: t(`nav.${one}`),
    href: `#${one}`,
    count: LISTS[one](client).length,
  }));
  return (
    <>
      <Head onMenu={openDrawer}>
        <PlainTitle>{t(`nav.${kind}`)}</PlainTitle>
      </Head>
      <ListPage label={t(`nav.${kind}`)}>
        <Tabs label={t('later.label')} current={`#${kind}`} tabs={tabs} />
        {items.length === 0 && <EmptyView title={t(`empty.${kind}`)} text={t(`empty.${kind}Hint`)} />}
        {items.length > 0 && (
          <ul>
            {items.map((item) => (
              <Item key={item.key} item={item} />
            ))}
          </ul>
        )}
      </ListPage>
    </>
  );
}

function Item({ item }: { readonly item: Later }) {
  const client = useClient();
  const { conversation, html, text, seconds, trouble, actions } = item;
  const style = timeStyle(client);
  const day = shortDay(seconds, client.clock.now() / 1000, style);
  const hour = timeOfDay(seconds, style);
  return (
    <LaterItem
      place={placeOf(client, conversation)}
      href={conversationHash(conversation, client.names)}
      time={{
        text: day === hour ? day : `${day}, ${hour}`,
        iso: new Date(seconds * 1000).toISOString(),
        full: fullDate(seconds, style),
      }}
      trouble={trouble}
      actions={actions}
    >
      {html === undefined ? <p class="as-typed">{text}</p> : <RenderedBody html={html} />}
    </LaterItem>
  );
}

function placeOf(client: Client, conversation: Conversation): LaterConversation {
  if ('channelId' in conversation)
    return {
      channel: channelLook(client, conversation.channelId),
      topic: topicName(conversation.topic),
      isUnnamed: isUnnamed(conversation),
    };
  return { faces: othersIn(conversation, client.model.me).map((id) => faceOf(client, id)) };
}

const LISTS: Readonly<Record<Kind, (client: Client) => readonly Later[]>> = {
  drafts,
  scheduled,
  reminders,
};

/** Lists drafts of this and other browsers, the newest first. */
function drafts(client: Client): readonly Later[] {
  const own = client.drafts.all.value.map(({ conversation, text, at, id }) => ({
    key: keyOf(conversation),
    id,
    conversation,
    text,
    seconds: Math.floor(at / 1000),
    discard: () => client.drafts.set(conversation, ''),
  }));
  const known = new Set(own.map(({ id }) => id));
  const others = (client.model.facts.get('drafts') ?? []).flatMap((draft) => {
    const conversation = conversationOfDraft(draft, client.model.me);
    const { id, content: text, timestamp: seconds } = draft;
    const discard = () => void noticeFailure(client, client.api.call('DELETE', '/drafts/{draft_id}', { draft_id: id }));
    return conversation && !known.has(id) ? { key: String(id), id, conversation, text, seconds, discard } : [];
  });
  return [...own, ...others]
    .toSorted((a, b) => b.seconds - a.seconds)
    .map(({ key, conversation, text, seconds, discard }) => {
      const trouble = troubleOf(client, conversation);
      const copy = async () => {
        if (await copyText(text)) showNotice(client, t('message.copied'), false);
      };
      const goOn: Action =
        trouble === undefined
          ? { label: t('later.goOn'), icon: 'pencil', onChoose: () => writeTo(client, conversation) }
          : { label: t('menu.copyText'), icon: 'copy', onChoose: () => void copy() };
      const actions: readonly Action[] = [
        goOn,
        { label: t('common.discard'), icon: 'trash', isBad: true, onChoose: discard },
      ];
      return { key, conversation, text, seconds, trouble, actions };
    });
}

/** Returns why a draft cannot be continued: its channel or person is gone, or the viewer may not write there any more. */
function troubleOf(client: Client, conversation: Conversation): string | undefined {
  if (!('channelId' in conversation)) return refusalIn(client, conversation);
  const isThere = client.model.channels.table.get(conversation.channelId) !== undefined;
  return isThere ? refusalIn(client, conversation) : t('missing.channel');
}

/** Lists scheduled messages, the next first. */
function scheduled(client: Client): readonly Later[] {
  const all = client.model.facts.get('scheduled_messages') ?? [];
  return all
    .toSorted((a, b) => a.scheduled_delivery_timestamp - b.scheduled_delivery_timestamp)
    .map((one) => {
      const { scheduled_message_id } = one;
      const path = '/scheduled_messages/{scheduled_message_id}';
      const cancel = () => void noticeFailure(client, client.api.call('DELETE', path, { scheduled_message_id }));
      const conversation =
        one.type === 'stream'
          ? { channelId: Number(one.to), topic: one.topic }
          : directWith(one.to.map(Number), client.model.me);
      // The message goes back into the composer, from which it is sent or scheduled again.
      const edit = () =>
        void noticeFailure(client, client.api.call('DELETE', path, { scheduled_message_id })).then((isDone) => {
          if (!isDone) return;
          client.drafts.insert(conversation, one.content);
          writeTo(client, conversation);
        });
      return {
        key: String(scheduled_message_id),
        conversation,
        html: one.rendered_content,
        text: one.content,
        seconds: one.scheduled_delivery_timestamp,
        trouble: one.failed ? t('later.failed') : undefined,
        actions: [
          {
            label: t('later.change'),
            icon: 'clock' as const,
            onChoose: () =>
              (overlay.value = {
                what: 'reschedule',
                id: Number(scheduled_message_id),
                at: one.scheduled_delivery_timestamp,
              }),
          },
          { label: t('later.edit'), icon: 'pencil' as const, onChoose: edit },
          { label: t('later.cancel'), icon: 'trash' as const, isBad: true, onChoose: cancel },
        ],
      };
    });
}

function reminders(client: Client): readonly Later[] {
  const all = client.model.facts.get('reminders') ?? [];
  return all.map((one) => {
    const { reminder_id } = one;
    const cancel = () =>
      void noticeFailure(client, client.api.call('DELETE', '/reminders/{reminder_id}', { reminder_id }));
    const go = () => (location.hash = `#narrow/near/${one.reminder_target_message_id}`);
    return {
      key: String(reminder_id),
      conversation: directWith([client.model.me], client.model.me),
      html: one.rendered_content,
      text: one.content,
      seconds: one.scheduled_delivery_timestamp,
      trouble: one.failed ? t('later.failed') : undefined,
      actions: [
        { label: t('lightbox.toMessage'), icon: 'right' as const, onChoose: go },
        { label: t('common.delete'), icon: 'trash' as const, isBad: true, onChoose: cancel },
      ],
    };
  });
}
