import type { ComponentChildren } from 'preact';
import { Avatar, type Face, Icon, IconButton, Keys, Mark, useRoving } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

interface SidebarProps {
  readonly organization: string;
  readonly onOrganization: (anchor: HTMLElement) => void;
  readonly onCompose: () => void;
  readonly onJump: () => void;
  readonly jumpKeys: string;
  readonly you: SelfProps;
  readonly children: ComponentChildren;
}

/** The left sidebar: whose place it is, the way to anything, conversations, and oneself. */
export function Sidebar({ organization, onOrganization, onCompose, onJump, jumpKeys, you, children }: SidebarProps) {
  const list = useRoving<HTMLDivElement>({ items: '.side-row > a, .fold', vi: true });
  return (
    <>
      <div class="top">
        <button
          class="org"
          type="button"
          aria-haspopup="menu"
          aria-label={t('shell.organization', { name: organization })}
          onClick={(event) => onOrganization(event.currentTarget)}
        >
          <Mark />
          <span class="clip" dir="auto">
            {organization}
          </span>
          <Icon name="chev" small />
        </button>
        <IconButton icon="compose" label={t('shell.newMessage')} keys="c" onPress={onCompose} />
      </div>
      <button class="jump" type="button" onClick={onJump}>
        <Icon name="search" small />
        <span>{t('shell.jump')}</span>
        <span class="keyhint">
          <Keys keys={jumpKeys} />
        </span>
      </button>
      <div class="side-scroll" ref={list}>
        {children}
      </div>
      <Self {...you} />
    </>
  );
}

interface SelfProps {
  readonly face: Face;
  readonly presence: 'active' | 'idle' | 'offline';
  /** The person's own status: an emoji and words. */
  readonly status?: string | undefined;
  readonly onMenu: (anchor: HTMLElement) => void;
  readonly settingsHref: string;
}

function Self({ face, presence, status, onMenu, settingsHref }: SelfProps) {
  return (
    <div class="selfbar">
      <button type="button" aria-haspopup="menu" onClick={(event) => onMenu(event.currentTarget)}>
        <Avatar face={face} size={28} presence={presence} />
        <span class="grow">
          <b class="clip" dir="auto">
            {face.name}
          </b>
          {status !== undefined && (
            <small class="clip" dir="auto">
              {status}
            </small>
          )}
        </span>
      </button>
      <a class="icon-btn" href={settingsHref} aria-label={t('shell.settings')} title={t('shell.settings')}>
        <Icon name="gear" />
      </a>
    </div>
  );
}

interface SectionProps {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onToggle: () => void;
  /** Beside the title: a button to add something, a number. */
  readonly tool?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Conversations that belong together, under a title that folds them. */
export function SidebarSection({ title, isOpen, onToggle, tool, children }: SectionProps) {
  return (
    <>
      <div class="side-h">
        <h2>
          <button class="fold" type="button" aria-expanded={isOpen} onClick={onToggle}>
            <Icon name="chev" small class="chev" />
            {title}
          </button>
        </h2>
        {tool}
      </div>
      {isOpen && <ul>{children}</ul>}
    </>
  );
}
