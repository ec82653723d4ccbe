import type { ComponentChildren } from 'preact';
import { Icon } from '../../ui/index.ts';
import { formatNumber, listOf, t } from '../../words/index.ts';

/** An emoji under a message, and who chose it. */
export interface ShownReaction {
  readonly key: string;
  /** "thumbs up" */
  readonly emojiName: string;
  /** The character, or the picture of an emoji of the organization. */
  readonly picture: ComponentChildren;
  readonly count: number;
  readonly isOwn: boolean;
  /** Names of all. */
  readonly who: readonly string[];
  /** Whether they stand on it: three or fewer people, and the reader wants it. */
  readonly showsNames: boolean;
}

interface ReactionsProps {
  readonly reactions: readonly ShownReaction[];
  readonly onToggle: (reaction: ShownReaction) => void;
  /** Absent where the reader may not react. */
  readonly onAdd?: ((anchor: HTMLElement) => void) | undefined;
}

/** The reactions to a message; one's own are petrol. */
export function Reactions({ reactions, onToggle, onAdd }: ReactionsProps) {
  if (reactions.length === 0) return null;
  return (
    <div class="reactions">
      {reactions.map((reaction) => (
        <Reaction key={reaction.key} reaction={reaction} onToggle={onToggle} />
      ))}
      {onAdd && (
        <button
          class="react"
          type="button"
          tabIndex={-1}
          aria-label={t('reaction.add')}
          title={t('reaction.add')}
          onClick={(event) => onAdd(event.currentTarget)}
        >
          <Icon name="smile" small />
        </button>
      )}
    </div>
  );
}

interface ReactionProps {
  readonly reaction: ShownReaction;
  readonly onToggle: (reaction: ShownReaction) => void;
}

function Reaction({ reaction, onToggle }: ReactionProps) {
  const { emojiName: emoji, picture, count, isOwn, who, showsNames } = reaction;
  const title = t('reaction.who', { names: namesOf(who), emoji });
  return (
    <button
      class="react"
      type="button"
      tabIndex={-1}
      aria-pressed={isOwn}
      title={title}
      onClick={() => onToggle(reaction)}
    >
      <span class="em emoji" aria-hidden="true">
        {picture}
      </span>
      <span class="sr">{t('reaction.name', { emoji })}</span>
      <span dir="auto">{showsNames ? who.join(', ') : formatNumber(count)}</span>
    </button>
  );
}

/** Names that a tooltip holds. */
const MOST_TOLD = 20;

function namesOf(who: readonly string[]): string {
  const rest = who.length - MOST_TOLD;
  return listOf(rest > 0 ? [...who.slice(0, MOST_TOLD), t('reaction.others', { count: rest })] : who);
}
