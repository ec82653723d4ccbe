import { type Client, type Emoji, useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { EmojiPicture, emojiOf, type WireEmoji } from '../emoji-picture.tsx';
import { overlay } from '../overlays/open.ts';
import { faceOf } from '../shown.ts';
import { toggle } from '../toggle.ts';
import { Reactions, type ShownReaction } from './reactions.tsx';

/** Most people whose names a reaction shows; more are named in its tooltip. */
const MOST_NAMES = 3;

/** Adds the viewer's reaction, or removes it. */
export function react(client: Client, message: Message, { emoji_name, emoji_code, reaction_type }: WireEmoji): void {
  const { api, model, messages } = client;
  const now = messages.table.peek(message.id) ?? message;
  const isOwn = now.reactions.some(
    (one) => one.user_id === model.me && one.emoji_code === emoji_code && one.reaction_type === reaction_type,
  );
  const parameters = { message_id: Number(message.id), emoji_name, emoji_code, reaction_type };
  const path = '/messages/{message_id}/reactions';
  const event = { id: 0, type: 'reaction', ...parameters, user_id: model.me, user: {} };
  void toggle(client, {
    about: `${message.id} ${reaction_type} ${emoji_code}`,
    isOn: isOwn,
    show: (isOn) => messages.apply({ ...event, op: isOn ? 'add' : 'remove' }),
    call: (isOn) => (isOn ? api.call('POST', path, parameters) : api.call('DELETE', path, parameters)),
  });
}

/** Opens the emoji picker for a reaction. */
export function pickReaction(client: Client, message: Message, anchor: HTMLElement): void {
  const onChoose = ({ name, code, type }: Emoji) =>
    react(client, message, { emoji_name: name, emoji_code: code, reaction_type: type });
  overlay.value = { what: 'emoji', anchor, onChoose };
}

/** The reactions to a message. */
export function MessageReactions({ message }: { readonly message: Message }) {
  const client = useClient();
  const byEmoji = new Map<string, Message['reactions']>();
  for (const one of message.reactions) {
    const key = `${one.reaction_type} ${one.emoji_code}`;
    byEmoji.set(key, [...(byEmoji.get(key) ?? []), one]);
  }
  const wantsNames = client.model.facts.get('user_settings')?.display_emoji_reaction_users === true;
  const shown = [...byEmoji].flatMap(([key, all]): (ShownReaction & { readonly emoji: WireEmoji })[] => {
    const [first] = all;
    if (!first) return [];
    return [
      {
        key,
        emoji: first,
        emojiName: first.emoji_name.replaceAll('_', ' '),
        picture: <EmojiPicture emoji={emojiOf(client, first)} />,
        count: all.length,
        isOwn: all.some((one) => one.user_id === client.model.me),
        who: all.map((one) => faceOf(client, one.user_id).name),
        showsNames: wantsNames && all.length <= MOST_NAMES,
      },
    ];
  });
  const isMember = client.model.me !== 0;
  return (
    <Reactions
      reactions={shown}
      onToggle={({ key }) => {
        const chosen = shown.find((one) => one.key === key);
        if (chosen && isMember) react(client, message, chosen.emoji);
      }}
      onAdd={isMember ? (anchor) => pickReaction(client, message, anchor) : undefined}
    />
  );
}
