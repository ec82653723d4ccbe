import { useEffect, useState } from 'preact/hooks';
import { ChannelIcon } from '../ui/channel-icon.tsx';
import { Count, Popover } from '../ui/index.ts';
import { PersonCard } from '../views/cards/person-card.tsx';
import { EmojiPicker } from '../views/overlays/emoji-picker.tsx';
import { KeyboardHelp } from '../views/overlays/keyboard-help.tsx';
import { Lightbox } from '../views/overlays/lightbox.tsx';
import { Palette } from '../views/overlays/palette.tsx';
import { t } from '../words/deferred.ts';
import { Conversation } from './conversation.tsx';
import { design, idle, mia } from './data.tsx';
import { PICTURE } from './rendered.tsx';

type Overlay = 'card' | 'palette' | 'lightbox' | 'emoji' | 'keys';

/** A conversation with an overlay. */
export function Over({ overlay }: { readonly overlay: Overlay }) {
  const [anchor, setAnchor] = useState<HTMLElement>();
  useEffect(() => setAnchor(document.querySelector<HTMLElement>('.msg .side button') ?? undefined), []);
  return (
    <>
      <Conversation />
      {anchor && <Shown overlay={overlay} anchor={anchor} />}
    </>
  );
}

function Shown({ overlay, anchor }: { readonly overlay: Overlay; readonly anchor: HTMLElement }) {
  if (overlay === 'card') return <Card anchor={anchor} />;
  if (overlay === 'emoji') return <Emoji anchor={anchor} />;
  if (overlay === 'palette') return <Jump />;
  if (overlay === 'keys') return <Keyboard />;
  return <Picture />;
}

function Card({ anchor }: { readonly anchor: HTMLElement }) {
  return (
    <Popover anchor={anchor} onClose={idle} class="ucard" role="dialog" label={mia.name}>
      <PersonCard
        face={mia}
        presence="active"
        line="Member · she/her"
        status={{ emoji: '🪶', text: 'Drawing birds' }}
        facts={[
          { name: 'Email', value: 'mia@rookery.example' },
          { name: 'Local time', value: '10:42, the same as yours' },
          { name: 'Groups', value: 'design-crew, Members' },
          { name: 'Joined', value: '2 March 2026' },
        ]}
        onMessage={idle}
        onMention={idle}
        onMore={idle}
      />
    </Popover>
  );
}

const EMOJI = [
  '😀',
  '😄',
  '😅',
  '🤣',
  '🙂',
  '😉',
  '😊',
  '😍',
  '🤔',
  '😐',
  '😴',
  '😮',
  '😢',
  '👍',
  '👎',
  '🎉',
  '🐦',
].map((picture, index) => ({ code: String(index), name: `emoji ${index}`, picture }));

function Emoji({ anchor }: { readonly anchor: HTMLElement }) {
  return (
    <Popover anchor={anchor} onClose={idle} class="emoji-pop" role="dialog" label={t('emoji.label')}>
      <EmojiPicker
        query=""
        onQuery={idle}
        onChoose={idle}
        groups={[
          { title: 'Frequent', picture: '⏱️', emoji: EMOJI.slice(0, 6) },
          { title: 'People', picture: '😀', emoji: EMOJI },
        ]}
      />
    </Popover>
  );
}

function Jump() {
  return (
    <Palette
      ask="Conversation, person, setting or action"
      query="mar"
      onQuery={idle}
      selected="1"
      onChoose={idle}
      onMove={idle}
      onClose={idle}
      groups={[
        {
          title: 'Conversations',
          options: [
            {
              key: '1',
              lead: <ChannelIcon channel={design} small />,
              name: 'New mark: branch or flight',
              match: [4, 7],
              note: 'design',
              end: <Count count={5} kind="you" />,
            },
            {
              key: '2',
              lead: <ChannelIcon channel={design} small />,
              name: 'Margins and the 4 px grid',
              match: [0, 3],
              end: 'Tuesday',
            },
          ],
        },
        {
          title: 'Do',
          options: [{ key: '3', icon: 'read', name: 'Mark all messages as read', match: [0, 3], end: '7 topics' }],
        },
        { title: 'Search', options: [{ key: '4', icon: 'search', name: 'Messages with “mar”' }] },
      ]}
    />
  );
}

function Keyboard() {
  const rows = [
    { what: 'Next message', keys: ['j', '↓'] },
    { what: 'Next unread conversation', keys: ['n'] },
    { what: 'Reply', keys: ['r', 'Enter'] },
    { what: 'Mark unread from here', keys: ['Shift U'] },
  ];
  return (
    <KeyboardHelp
      onClose={idle}
      sections={[
        { title: 'Moving', rows },
        { title: 'Writing', rows },
        { title: 'Messages', rows },
      ]}
    />
  );
}

function Picture() {
  const images = ['On a branch', 'In flight', 'On three grounds'].map((name) => ({
    key: name,
    name,
    src: PICTURE,
    thumbnail: PICTURE,
  }));
  const [first] = images;
  if (!first) return null;
  return (
    <Lightbox
      image={first}
      images={images}
      sender={mia}
      facts="1 of 3 · Mia Member · Friday 16:40 · 1,200 × 800"
      isZoomed={false}
      onZoom={idle}
      onShow={idle}
      onMessage={idle}
      onClose={idle}
    />
  );
}
