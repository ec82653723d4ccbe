import type { ComponentChildren } from 'preact';
import { Avatar, Count, type Face, FoldButton, IconButton, useModal, useRoving } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

interface PeopleProps {
  /** Whether it lies over the page, because there is no room beside it. */
  readonly isOver?: boolean | undefined;
  readonly onFind: () => void;
  readonly onHide: () => void;
  readonly children: ComponentChildren;
}

/** The right sidebar: who is here. */
export function People({ isOver = false, onFind, onHide, children }: PeopleProps) {
  const list = useRoving<HTMLDivElement>({ items: '.person > *, .fold', vi: true });
  const content = (
    <>
      <div class="top">
        <h2>{t('shell.people')}</h2>
        <IconButton icon="search" label={t('shell.findPerson')} keys="w" onPress={onFind} />
        <IconButton icon="right" label={t('shell.hidePeople')} expanded onPress={onHide} />
      </div>
      <div class="side-scroll" ref={list}>
        {children}
      </div>
    </>
  );
  return isOver ? (
    <PeopleDrawer onClose={onHide}>{content}</PeopleDrawer>
  ) : (
    <aside class="right" aria-label={t('shell.people')}>
      {content}
    </aside>
  );
}

function PeopleDrawer({ children, onClose }: { readonly children: ComponentChildren; readonly onClose: () => void }) {
  const ref = useModal(onClose);
  return (
    <dialog ref={ref} class="drawer end" aria-label={t('shell.people')}>
      <div class="right">{children}</div>
    </dialog>
  );
}

interface PeopleSectionProps {
  readonly title: string;
  readonly count: number;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Lists of people. */
  readonly children: ComponentChildren;
}

/** A titled section of people. */
export function PeopleSection({ title, count, isOpen, onToggle, children }: PeopleSectionProps) {
  return (
    <>
      <div class="side-h">
        <h3>
          <FoldButton title={title} isOpen={isOpen} onToggle={onToggle} />
        </h3>
        <Count count={count} kind="bare" word={t('count.people', { count })} />
      </div>
      {isOpen && children}
    </>
  );
}

interface PersonRowProps {
  readonly face: Face;
  /** Opens the person's card beside the row. */
  readonly onOpen: (anchor: HTMLElement) => void;
  /** Absent for bots. */
  readonly presence?: 'active' | 'idle' | 'offline' | undefined;
  /** The status, or when the person was last seen. */
  readonly note?: string | undefined;
}

/** A person in a list of people. */
export function PersonRow({ face, onOpen, presence, note }: PersonRowProps) {
  return (
    <li class={presence === 'offline' ? 'person off' : 'person'}>
      <button type="button" aria-haspopup="dialog" onClick={(event) => onOpen(event.currentTarget)}>
        <Avatar face={face} size={28} presence={presence} />
        <span class="grow">
          <span class="name clip" dir="auto">
            {face.name}
          </span>
          {note !== undefined && (
            <span class="st clip" dir="auto">
              {note}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}
