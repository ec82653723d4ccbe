import type { ComponentChildren } from 'preact';
import { formatNumber, t } from '../words/index.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { namesOfKeys } from './keys.ts';

interface CountProps {
  readonly count: number;
  /**
   * Grey counts are unread messages; amber ones are unread for the reader; bare ones are other numbers, such as of
   * drafts.
   */
  readonly kind?: 'unread' | 'you' | 'bare' | undefined;
  /** The word after the number, for screen readers. */
  readonly word?: string | undefined;
}

/** A count that can be brought to zero, at which it is not drawn. */
export function Count({ count, kind = 'unread', word = t('count.unread') }: CountProps) {
  if (count <= 0) return null;
  const look = kind === 'unread' ? 'count' : kind === 'you' ? 'count you' : 'count muted';
  return (
    <span class={look}>
      {formatNumber(count)}
      <span class="sr">{word}</span>
    </span>
  );
}

interface TagProps {
  readonly children: ComponentChildren;
  readonly kind?: 'plain' | 'you' | 'accent' | undefined;
  readonly icon?: IconName | undefined;
}

/** A word about the element beside it. */
export function Tag({ children, kind = 'plain', icon }: TagProps) {
  return (
    <span class={kind === 'plain' ? 'tag' : `tag ${kind}`}>
      {icon && <Icon name={icon} small />}
      {children}
    </span>
  );
}

/** Keys drawn as keycaps: "Ctrl K" becomes two. */
export function Keys({ keys }: { readonly keys: string }) {
  return (
    <span class="ks">
      {namesOfKeys(keys).map((key) => (
        <kbd key={key}>{key}</kbd>
      ))}
    </span>
  );
}

type PresenceKind = 'active' | 'idle' | 'offline';

/** Presence as a full, half or hollow dot, so that it does not depend on colour. */
export function PresenceDot({ presence }: { readonly presence: PresenceKind }) {
  return (
    <>
      <span class={`dot ${presence}`} />
      <span class="sr">{t(`presence.${presence}`)}</span>
    </>
  );
}

interface ChipProps {
  readonly children: ComponentChildren;
  readonly icon?: IconName | undefined;
  /** Makes it a filter that is on or off. */
  readonly pressed?: boolean | undefined;
  readonly onPress?: (() => void) | undefined;
  /** Adds a button that removes it, with its name. */
  readonly removal?: { readonly label: string; readonly onRemove: () => void } | undefined;
  /** Why it cannot be used. */
  readonly fault?: string | undefined;
  /** Cannot be removed here; drawn with a dashed border. */
  readonly fixed?: boolean | undefined;
}

/** A filter, a recipient, a group in a permission. */
export function Chip({ children, icon, pressed, onPress, removal, fault, fixed = false }: ChipProps) {
  const look = `chip${pressed === true ? ' on' : ''}${fault === undefined ? '' : ' bad'}${fixed ? ' fixed' : ''}`;
  const inside = (
    <>
      {icon && <Icon name={icon} small />}
      <span class="clip" dir="auto">
        {children}
      </span>
      {fault !== undefined && <span class="sr">: {fault}</span>}
    </>
  );
  if (onPress)
    return (
      <button type="button" class={look} aria-pressed={pressed} onClick={onPress}>
        {inside}
      </button>
    );
  return (
    <span class={look} title={fault}>
      {inside}
      {removal && (
        <button type="button" class="x" aria-label={removal.label} onClick={removal.onRemove}>
          <Icon name="close" small />
        </button>
      )}
    </span>
  );
}
