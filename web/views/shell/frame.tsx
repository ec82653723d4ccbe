import type { ComponentChildren } from 'preact';
import { Icon, type IconName, Count, useModal } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

interface FrameProps {
  readonly left: ComponentChildren;
  readonly children: ComponentChildren;
  readonly right?: ComponentChildren;
  /** The tab bar of phones; lists have it, conversations do not. */
  readonly tabs?: ComponentChildren;
  /** Set while the left sidebar is over the page, on phones. */
  readonly drawer?: { readonly onClose: () => void } | undefined;
}

/** The page's layout: sidebar, main area, people; on phones one column with a drawer and a tab bar. */
export function Frame({ left, children, right, tabs, drawer }: FrameProps) {
  return (
    <>
      <a class="skip" href="#content" onClick={skip}>
        {t('shell.skip')}
      </a>
      <div class={right ? 'app' : 'app no-right'}>
        <nav class="left" aria-label={t('shell.conversations')}>
          {left}
        </nav>
        <main class="sheet" id="content" tabIndex={-1}>
          {children}
        </main>
        {right}
        {tabs}
      </div>
      {drawer && <Drawer onClose={drawer.onClose}>{left}</Drawer>}
    </>
  );
}

/** Goes to the content without an address of its own, which would lead to another view. */
function skip(event: Event): void {
  event.preventDefault();
  document.querySelector('main')?.focus();
}

function Drawer({ children, onClose }: { readonly children: ComponentChildren; readonly onClose: () => void }) {
  const ref = useModal(onClose);
  return (
    <dialog ref={ref} class="drawer" aria-label={t('shell.conversations')}>
      <div class="left">{children}</div>
    </dialog>
  );
}

/** An item of the tab bar. */
export interface TabBarItem {
  readonly href: string;
  readonly icon: IconName;
  readonly label: string;
  readonly isCurrent?: boolean;
  readonly count?: number;
  readonly isForYou?: boolean;
}

/** The tab bar at the bottom of a phone. */
export function TabBar({ items }: { readonly items: readonly TabBarItem[] }) {
  return (
    <nav class="tabbar" aria-label={t('shell.main')}>
      {items.map(({ href, icon, label, isCurrent = false, count = 0, isForYou = false }) => (
        <a key={href} href={href} aria-current={isCurrent ? 'page' : undefined}>
          <Icon name={icon} />
          <span>{label}</span>
          <Count count={count} kind={isForYou ? 'you' : 'unread'} />
        </a>
      ))}
    </nav>
  );
}
