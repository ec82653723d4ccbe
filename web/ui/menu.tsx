import { Fragment } from 'preact';
import { useEffect } from 'preact/hooks';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';
import { Keys } from './marks.tsx';
import { Popover } from './popover.tsx';
import { useRoving } from './roving.ts';

/** One thing that a menu does. What the reader may not do is absent. */
export interface MenuItem {
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly keys?: string | undefined;
  /** A word at the end, in place of keys: a time, a number. */
  readonly hint?: string | undefined;
  /** Deletes or ends something. */
  readonly isBad?: boolean | undefined;
  /** With a value it is a choice that is on or off. */
  readonly checked?: boolean | undefined;
  readonly href?: string | undefined;
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

/** A menu beside what opened it; the first item has the focus. */
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
  /** After an item was chosen. */
  readonly onDone: () => void;
}

/** The items of a menu, wherever they lie. */
export function MenuList({ label, groups, onDone }: MenuListProps) {
  const ref = useRoving<HTMLDivElement>({ items: '[role^="menuitem"]', wraps: true, letters: true });
  useEffect(() => ref.current?.querySelector<HTMLElement>('[role^="menuitem"]')?.focus(), [ref]);
  const shown = groups.filter((group) => group.length > 0);
  return (
    <div ref={ref} role="menu" aria-label={label}>
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
  const { label, icon, keys, hint, isBad = false, checked, href, onChoose } = item;
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
    onDone();
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
