import type { ComponentChildren } from 'preact';
import { Avatar, type Face, FoldButton, Icon, IconButton, Keys, Mark, useRoving } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

interface SidebarProps {
  readonly organization: string;
  /** Addresses of the organization's own pictures: a logo replaces the name, an icon stands beside it. */
  readonly pictures?: OwnPictures | undefined;
  readonly onOrganization: (anchor: HTMLElement) => void;
  /** Absent for people who cannot write. */
  readonly onCompose?: (() => void) | undefined;
  readonly onJump: () => void;
  readonly jumpKeys: string;
  /** Absent for visitors, who have `foot` instead. */
  readonly you?: SelfProps | undefined;
  readonly foot?: ComponentChildren;
  readonly children: ComponentChildren;
}

interface OwnPictures {
  readonly icon?: string | undefined;
  readonly logo?: string | undefined;
  /** The logo for dark themes, if it is another one. */
  readonly nightLogo?: string | undefined;
}

/** The organization: its logo, or else its icon or the product's mark, with the name. */
function Place({ name, pictures }: { readonly name: string; readonly pictures: OwnPictures }) {
  const { icon, logo, nightLogo } = pictures;
  const [day, night] = [logo ?? nightLogo, nightLogo ?? logo];
  if (day !== undefined && day === night) return <img class="org-logo" src={day} alt="" />;
  if (day !== undefined)
    return (
      <>
        <img class="org-logo by-day" src={day} alt="" />
        <img class="org-logo by-night" src={night} alt="" />
      </>
    );
  return (
    <>
      {icon === undefined ? <Mark /> : <img class="org-icon" src={icon} alt="" />}
      <span class="clip" dir="auto">
        {name}
      </span>
    </>
  );
}

/** The left sidebar: the organization, the palette, conversations, and the person. */
export function Sidebar({
  organization,
  pictures = {},
  onOrganization,
  onCompose,
  onJump,
  jumpKeys,
  you,
  foot,
  children,
}: SidebarProps) {
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
          <Place name={organization} pictures={pictures} />
          <Icon name="chev" small />
        </button>
        {onCompose && <IconButton icon="compose" label={t('shell.newMessage')} keys="x" onPress={onCompose} />}
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
      {you ? <Self {...you} /> : foot}
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
  /** A button or a number beside the title. */
  readonly tool?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A section of conversations under a title that folds it. */
export function SidebarSection({ title, isOpen, onToggle, tool, children }: SectionProps) {
  return (
    <>
      <div class="side-h">
        <h2>
          <FoldButton title={title} isOpen={isOpen} onToggle={onToggle} />
        </h2>
        {tool}
      </div>
      {isOpen && children}
    </>
  );
}
