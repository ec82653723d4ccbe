import type { ComponentChildren } from 'preact';
import { useEffect, useLayoutEffect, useRef } from 'preact/hooks';
import { ChannelIcon, type ChannelLook } from '../ui/channel-icon.tsx';
import { Icon, type IconName, useRoving } from '../ui/index.ts';
import { SearchInput } from '../ui/field.tsx';
import { Region } from '../ui/region.tsx';
import { t } from '../words/deferred.ts';
import { useSought } from './sought.ts';

/** A page in the index of the settings. */
export interface SettingsPage {
  readonly href: string;
  readonly label: string;
  readonly icon?: IconName | undefined;
  readonly channel?: ChannelLook | undefined;
  readonly isCurrent?: boolean | undefined;
  /** The settings on it that match what is looked for. */
  readonly settings?: readonly Pick<SettingsPage, 'href' | 'label'>[] | undefined;
}

interface SettingsLayoutProps {
  readonly label: string;
  readonly groups: readonly { readonly title?: string | undefined; readonly pages: readonly SettingsPage[] }[];
  readonly query: string;
  readonly onQuery: (query: string) => void;
  readonly placeholder?: string | undefined;
  /** Title of the page, for its region; without one only the index is shown, as on a phone. */
  readonly page: string | undefined;
  readonly children?: ComponentChildren;
}

/** Settings: an index at the side, and one page beside it. On phones the index is a page of its own. */
export function SettingsLayout(props: SettingsLayoutProps) {
  const { label, groups, query, onQuery, placeholder = t('settings.find'), page, children } = props;
  const list = useRoving<HTMLDivElement>({ items: 'a', vi: true });
  const current = groups.flatMap(({ pages }) => pages).find(({ isCurrent }) => isCurrent === true)?.href;
  // In a low window the current page's link may be far down in the index.
  useEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [current]);
  const box = useTop();
  return (
    <div class="settings" ref={box}>
      <nav class="set-nav" aria-label={label}>
        <div class="set-find">
          <SearchInput label={placeholder} value={query} onText={onQuery} />
        </div>
        <div ref={list}>
          {groups.map(({ title, pages }) => (
            <div key={title ?? ''}>
              {title !== undefined && <h2 dir="auto">{title}</h2>}
              <ul>
                {pages.flatMap((entry) => [
                  <IndexRow key={entry.href} {...entry} />,
                  ...(entry.settings ?? []).map((setting) => <IndexRow key={setting.href} {...setting} isSetting />),
                ])}
              </ul>
            </div>
          ))}
          {groups.length === 0 && <p class="hint">{t('settings.nothing')}</p>}
        </div>
      </nav>
      {page !== undefined && (
        <Region class="set-main" label={page}>
          {children}
        </Region>
      )}
    </div>
  );
}

/** Shows each page from its top. In narrow windows it is not the page that scrolls, but what is around it. */
function useTop() {
  const box = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    for (let at = box.current?.querySelector('.set-main'); at; at = at.parentElement) at.scrollTop = 0;
  }, [location.hash]);
  return box;
}

interface IndexRowProps extends SettingsPage {
  /** Whether it is a setting of the page above it. */
  readonly isSetting?: boolean;
}

function IndexRow({ href, label, icon, channel, isCurrent, isSetting = false }: IndexRowProps) {
  return (
    <li class={isSetting ? 'side-row of-page' : 'side-row'}>
      <a href={href} aria-current={isCurrent === true ? 'page' : undefined}>
        {icon && <Icon name={icon} />}
        {channel && <ChannelIcon channel={channel} />}
        <span class="grow clip" dir="auto">
          {label}
        </span>
      </a>
    </li>
  );
}

interface SettingsSectionProps {
  readonly id: string;
  readonly title: string;
  readonly lede?: string | undefined;
  readonly children: ComponentChildren;
}

/** A section of related settings. */
export function SettingsSection({ id, title, lede, children }: SettingsSectionProps) {
  const sought = useSought<HTMLElement>(title);
  return (
    <section class="set-sec" aria-labelledby={id} {...sought}>
      <h3 id={id}>{title}</h3>
      {lede !== undefined && <p>{lede}</p>}
      {children}
    </section>
  );
}
