import { useState } from 'preact/hooks';
import { hashOf } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import { conversationIn } from '../../messages/index.ts';
import { directWith } from '../../model/index.ts';
import { Menu, type MenuItem, Popover } from '../../ui/index.ts';
import { longDay, timeOfDay } from '../../words/index.ts';
import { t } from '../../words/deferred.ts';
import { EmojiPicture, emojiOf } from '../emoji-picture.tsx';
import { personAddress } from '../manage/person-address.ts';
import { roleName } from '../manage/roles.ts';
import { closeOverlay } from '../overlays/open.ts';
import { faceOf, timeStyle } from '../shown.ts';
import { undoable } from '../undoing.ts';
import { writeTo } from '../write-to.ts';
import { PersonCard } from './person-card.tsx';
import { profileFacts } from './profile-facts.ts';

/** The card of a person, beside their name or picture. */
export function PersonPopover({ anchor, id }: { readonly anchor: HTMLElement; readonly id: number }) {
  const client = useClient();
  const { model } = client;
  const [menu, setMenu] = useState<HTMLElement>();
  const person = model.people.table.get(id);
  const face = faceOf(client, id);
  const status = model.statuses.get(id);
  const isMember = model.me !== 0;
  const message = () => {
    closeOverlay();
    writeTo(client, directWith([id], model.me));
  };
  const mention = () => {
    closeOverlay();
    const there = client.route.peek();
    const here = there.view === 'narrow' ? conversationIn(there.narrow, model.me) : undefined;
    if (here) client.drafts.insert(here, `@**${face.name}|${id}** `);
  };
  const isWriting = document.querySelector('.dock textarea') !== null;
  return (
    <Popover anchor={anchor} onClose={closeOverlay} class="ucard" role="dialog" label={face.name}>
      <PersonCard
        face={face}
        presence={person?.user.is_bot === true ? undefined : model.presences.of(id)}
        line={lineOf(client, id)}
        status={
          status?.status_text !== undefined || status?.emoji_name !== undefined
            ? { text: status.status_text ?? '', emoji: <StatusEmoji status={status} /> }
            : undefined
        }
        facts={factsOf(client, id)}
        onMessage={isMember && person?.isActive === true ? message : undefined}
        onMention={isMember && isWriting && person?.isActive === true ? mention : undefined}
        onMore={setMenu}
      />
      {menu && (
        <Menu
          label={t('menu.more', { name: face.name })}
          anchor={menu}
          align="end"
          groups={moreOf(client, id)}
          onClose={() => setMenu(undefined)}
        />
      )}
    </Popover>
  );
}

type Status = NonNullable<ReturnType<Client['model']['statuses']['get']>>;

function StatusEmoji({ status }: { readonly status: Status }) {
  const client = useClient();
  const { emoji_name, emoji_code, reaction_type } = status;
  if (emoji_name === undefined || emoji_code === undefined || reaction_type === undefined) return null;
  return (
    <span class="emoji" role="img" aria-label={emoji_name}>
      <EmojiPicture emoji={emojiOf(client, { emoji_name, emoji_code, reaction_type })} />
    </span>
  );
}

function lineOf(client: Client, id: number): string {
  const { model } = client;
  const person = model.people.table.get(id);
  if (!person) return '';
  const { user, isActive } = person;
  if (!isActive) return t('card.deactivated');
  if (user.is_bot)
    return user.bot_owner_id === null
      ? t('person.bot')
      : t('people.botOf', { name: faceOf(client, user.bot_owner_id).name });
  const seen = model.presences.of(id) === 'offline' ? undefined : t(`presence.${model.presences.of(id)}`);
  return [roleName(user.role), seen].filter((part) => part !== undefined).join(' · ');
}

function factsOf(client: Client, id: number): readonly { readonly name: string; readonly value: string }[] {
  const { model, clock } = client;
  const user = model.people.table.get(id)?.user;
  if (!user) return [];
  const style = timeStyle(client);
  const now = clock.now() / 1000;
  const joined = Date.parse(user.date_joined) / 1000;
  const local = user.timezone === '' || user.is_bot ? undefined : localTime(now, { ...style, timeZone: user.timezone });
  return [
    ...(user.delivery_email === null ? [] : [{ name: t('card.email'), value: user.delivery_email }]),
    ...(local === undefined ? [] : [{ name: t('card.localTime'), value: local }]),
    ...profileFacts(user, model.facts.get('custom_profile_fields') ?? [], (one) => faceOf(client, one).name),
    ...(Number.isNaN(joined) ? [] : [{ name: t('card.joined'), value: longDay(joined, now, style) }]),
  ];
}

/** Formats the person's local time; undefined for a zone that this browser does not know. */
function localTime(now: number, style: Parameters<typeof timeOfDay>[1]): string | undefined {
  try {
    return timeOfDay(now, style);
  } catch {
    return undefined;
  }
}

function moreOf(client: Client, id: number): readonly (readonly MenuItem[])[] {
  const { model, api, names } = client;
  const said = hashOf({ view: 'narrow', narrow: [{ operator: 'sender', operand: id }] }, names);
  const search: MenuItem = { label: t('card.said'), icon: 'search', href: said, onChoose: closeOverlay };
  const edit: readonly MenuItem[] =
    model.facts.get('is_admin') === true && model.people.table.get(id)?.user.is_bot === false
      ? [{ label: t('people.edit'), icon: 'pencil', href: personAddress(id), onChoose: closeOverlay }]
      : [];
  if (model.me === 0 || id === model.me) return [[search, ...edit]];
  const isMuted = model.facts.get('muted_users')?.some((one) => Number(one.id) === id) === true;
  const path = '/users/me/muted_users/{muted_user_id}';
  const switchMute = () => {
    closeOverlay();
    const set = (muted: boolean) => () => api.call(muted ? 'POST' : 'DELETE', path, { muted_user_id: id });
    const { name } = faceOf(client, id);
    const text = t(isMuted ? 'undo.personUnmuted' : 'undo.personMuted', { name });
    void undoable(client, { text, about: `muted ${id}`, run: set(!isMuted), undo: set(isMuted) });
  };
  const mute: MenuItem = {
    label: t(isMuted ? 'card.unmute' : 'card.mute'),
    icon: isMuted ? 'bell' : 'mute',
    onChoose: switchMute,
  };
  return [[search, ...edit], [mute]];
}
