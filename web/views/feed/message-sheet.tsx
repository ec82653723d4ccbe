import { useEffect, useState } from 'preact/hooks';
import { type Emoji, messageWords, useClient } from '../../client/index.ts';
import type { Message } from '../../messages/index.ts';
import { Avatar, Icon, type MenuItem, MenuList, Popover } from '../../ui/index.ts';
import { t } from '../../words/index.ts';
import { EmojiPicture } from '../emoji-picture.tsx';
import { faceOf } from '../shown.ts';
import { pickReaction, react } from './message-reactions.tsx';

/** Reactions and actions that are shown at once; the others are behind "More". */
const MOST_REACTIONS = 5;
const MOST_ACTIONS = 9;
/** Most characters of the message that are shown, on one line. */
const MOST_CHARACTERS = 120;

interface MessageSheetProps {
  readonly message: Message;
  readonly anchor: HTMLElement;
  /** The most frequent actions. */
  readonly first: readonly MenuItem[];
  readonly groups: readonly (readonly MenuItem[])[];
  readonly onClose: () => void;
}

/** The sheet for a long press on a message: its text, reactions, and actions. */
export function MessageSheet({ message, anchor, first, groups, onClose }: MessageSheetProps) {
  const client = useClient();
  const [isWhole, setWhole] = useState(false);
  const all = [first, ...groups];
  const items = all.flat();
  const more = { label: t('message.moreActions'), icon: 'more', stays: true, onChoose: () => setWhole(true) } as const;
  const isShort = items.length > MOST_ACTIONS && !isWhole;
  const face = faceOf(client, message.sender_id);
  const words = messageWords(client.model, message).replaceAll(/\s+/g, ' ').slice(0, MOST_CHARACTERS);
  return (
    <Popover anchor={anchor} onClose={onClose} class="menu">
      <p class="sheet-quote">
        <Avatar face={face} size={24} />
        <span class="clip" dir="auto">
          <b>{face.name}</b> {words}
        </span>
      </p>
      <MenuList
        label={t('message.actions')}
        lead={client.model.me !== 0 && <QuickReactions message={message} anchor={anchor} onDone={onClose} />}
        groups={isShort ? [[...items.slice(0, MOST_ACTIONS - 1), more]] : all}
        onDone={onClose}
      />
    </Popover>
  );
}

interface QuickReactionsProps extends Pick<MessageSheetProps, 'message' | 'anchor'> {
  readonly onDone: () => void;
}

/** Recently used reactions, and a button for all other emoji. */
function QuickReactions({ message, anchor, onDone }: QuickReactionsProps) {
  const client = useClient();
  useEffect(() => void client.emoji.load(), [client]);
  const choose = (emoji: Emoji) => {
    onDone();
    client.emoji.chosen(emoji);
    react(client, message, { emoji_name: emoji.name, emoji_code: emoji.code, reaction_type: emoji.type });
  };
  const pick = () => {
    onDone();
    pickReaction(client, message, anchor);
  };
  return (
    <div class="quick-react" role="group" aria-label={t('message.react')}>
      {client.emoji.recent.value.slice(0, MOST_REACTIONS).map((emoji) => (
        <button
          key={emoji.code}
          type="button"
          role="menuitem"
          tabIndex={-1}
          aria-label={emoji.name.replaceAll('_', ' ')}
          onClick={() => choose(emoji)}
        >
          <span class="emoji" aria-hidden="true">
            <EmojiPicture emoji={emoji} />
          </span>
        </button>
      ))}
      <button type="button" role="menuitem" tabIndex={-1} aria-label={t('message.react')} onClick={pick}>
        <Icon name="smile" />
      </button>
    </div>
  );
}
