import { useEffect, useState } from 'preact/hooks';
import { type Emoji, type EmojiGroup, findEmoji, groupOfEmoji, useClient } from '../../client/index.ts';
import { Popover } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import { EmojiPicture } from '../emoji-picture.tsx';
import { useFilled } from '../keys/early.ts';
import { EmojiPicker } from './emoji-picker.tsx';
import { closeOverlay } from './open.ts';

/** Most emoji that a search shows. */
const MOST_FOUND = 90;
const GROUPS: readonly (readonly [EmojiGroup, string])[] = [
  ['people', '😀'],
  ['nature', '🌳'],
  ['food', '🍲'],
  ['activities', '⚽'],
  ['travel', '🚀'],
  ['objects', '💡'],
  ['symbols', '♻️'],
  ['flags', '🏁'],
];

interface EmojiPopoverProps {
  readonly anchor: HTMLElement;
  readonly onChoose: (emoji: Emoji, isMore: boolean) => void;
}

/** The emoji picker beside its anchor. With Shift it stays open. */
export function EmojiPopover({ anchor, onChoose }: EmojiPopoverProps) {
  const { emoji } = useClient();
  const [query, setQuery] = useState('');
  const [isLoaded, setLoaded] = useState(emoji.isLoaded);
  useEffect(() => void emoji.load().then(() => setLoaded(true)), [emoji]);
  useFilled(isLoaded);
  const groups = query.trim() === '' ? allGroups(emoji) : found(emoji.all.value, query);
  const byKey = new Map(groups.flatMap((group) => group.emoji).map((one) => [keyOf(one), one]));
  return (
    <Popover
      anchor={anchor}
      onClose={closeOverlay}
      class="emoji-pop"
      role="dialog"
      label={t('emoji.label')}
      align={anchor.getBoundingClientRect().left > innerWidth / 2 ? 'end' : 'start'}
      above
    >
      <div class="emoji-box">
        <EmojiPicker
          query={query}
          onQuery={setQuery}
          groups={groups.map((group) => ({
            ...group,
            emoji: group.emoji.map((one) => ({
              code: keyOf(one),
              name: one.name,
              picture: <EmojiPicture emoji={one} />,
            })),
          }))}
          onChoose={({ code }, isMore) => {
            const chosen = byKey.get(code);
            if (!chosen) return;
            if (!isMore) closeOverlay();
            emoji.chosen(chosen);
            onChoose(chosen, isMore);
          }}
        />
      </div>
    </Popover>
  );
}

const keyOf = ({ type, code }: Emoji) => `${type} ${code}`;

interface Group {
  readonly title: string;
  readonly picture: string;
  readonly emoji: readonly Emoji[];
}

function found(all: readonly Emoji[], query: string): readonly Group[] {
  return [{ title: t('emoji.found'), picture: '🔎', emoji: findEmoji(all, query, MOST_FOUND) }];
}

/** Faces come first, because people look for them most. */
const facesFirst = ({ code }: Emoji) => (/^1f6[0-4]/.test(code) ? 0 : /^1f9[12]/.test(code) ? 1 : 2);

function allGroups({ recent, custom, all }: ReturnType<typeof useClient>['emoji']): readonly Group[] {
  const byGroup = new Map<EmojiGroup, Emoji[]>();
  for (const one of all.value) {
    if (one.type !== 'unicode_emoji') continue;
    const group = groupOfEmoji(one.code);
    const members = byGroup.get(group) ?? [];
    members.push(one);
    byGroup.set(group, members);
  }
  byGroup.get('people')?.sort((a, b) => facesFirst(a) - facesFirst(b));
  return [
    { title: t('emoji.recent'), picture: '⏱️', emoji: recent.value },
    { title: t('emoji.custom'), picture: '🐦', emoji: custom.value },
    ...GROUPS.map(([group, picture]) => ({ title: t(`emoji.${group}`), picture, emoji: byGroup.get(group) ?? [] })),
  ].filter(({ emoji }) => emoji.length > 0);
}
