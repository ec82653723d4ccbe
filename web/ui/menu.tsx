import { type ComponentChildren, Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { Keys } from './marks.tsx';
import { Popover } from './popover.tsx';
import { useRoving } from './roving.ts';

/** An item of a menu. Actions that the reader may not take are absent. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly keys?: string | undefined;
  /** A word at the end, in place of keys, such as a time or a number. */
  readonly hint?: string | undefined;
  /** Whether it deletes or ends something. */
  readonly isBad?: boolean | undefined;
  /** Makes the item a choice that is on or off. */
  readonly checked?: boolean | undefined;
  readonly href?: string | undefined;
  /** Whether the menu stays open when it is chosen. */
  readonly stays?: boolean | undefined;
  readonly onChoose?: (() => void) | undefined;
}

interface MenuProps {
  readonly label: string;
  readonly anchor: HTMLElement;
  /** At most three groups and twelve items. */
  readonly groups: readonly (readonly MenuItem[])[];
  readonly onClose: () => void;
  readonly align?: 'start' | 'end' | undefined;
  readonly above?: boolean | undefined;
}

/** A menu beside its anchor; the first item has the focus. */
export function Menu({ label, anchor, groups, onClose, align = 'start', above = false }: MenuProps) {
  return (
    <Popover anchor={anchor} onClose={onClose} align={align} above={above} class="menu">
      <MenuList label={label} groups={groups} onDone={onClose} />
    </Popover>
  );
}

interface MenuListProps {
  readonly label: string;
  readonly groups: readonly (readonly MenuItem[])[];
  /** More items, before the first group. */
  readonly lead?: ComponentChildren;
  /** Called after an item was chosen. */
  readonly onDone: () => void;
}

/** The items of a menu, in a popover or elsewhere. */
export function MenuList({ label, groups, lead, onDone }: MenuListProps) {
  const ref = useRoving<HTMLDivElement>({ items: '[role^="menuitem"]', wraps: true, letters: true });
  // Runs again when an open menu shows other items.
  const labels = groups
    .flat()
    .map(({ label: name }) => name)
    .join();
  useEffect(() => {
    if (ref.current?.contains(document.activeElement) === false)
      ref.current.querySelector<HTMLElement>('[role^="menuitem"]')?.focus();
  }, [ref, labels]);
  const shown = groups.filter((group) => group.length > 0);
  return (
    <div ref={ref} role="menu" aria-label={label}>
      {lead}
      {shown.map((group, index) => (
        <Fragment key={group[0]?.label}>
          {index > 0 && <hr />}
          {group.map((item) => (
            <MenuRow key={item.label} item={item} onDone={onDone} />
          ))}
        </Fragment>
      ))}
    </div>
  );
}

function MenuRow({ item, onDone }: { readonly item: MenuItem; readonly onDone: () => void }) {
  const { label, icon, keys, hint, isBad = false, checked, href, stays = false, onChoose } = item;
  const inside = (
    <>
      {icon && <Icon name={icon} />}
      <span class="grow" dir="auto">
        {label}
      </span>
      {hint !== undefined && <span class="quiet">{hint}</span>}
      {checked === true && <Icon name="check" small />}
      {keys !== undefined && <Keys keys={keys} />}
    </>
  );
  const choose = () => {
    if (!stays) onDone();
    onChoose?.();
  };
  const look = isBad ? 'bad' : undefined;
  if (href !== undefined)
    return (
      <a role="menuitem" class={look} href={href} tabIndex={-1} onClick={choose}>
        {inside}
      </a>
    );
  const role = checked === undefined ? 'menuitem' : 'menuitemcheckbox';
  return (
    <button type="button" role={role} class={look} aria-checked={checked} tabIndex={-1} onClick={choose}>
      {inside}
    </button>
  );
}
