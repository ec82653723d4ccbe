import type { ComponentChildren } from 'preact';
import { useClient } from '../../client/index.ts';
import { t } from '../../words/deferred.ts';
import { ManagePage, useIsPhone } from './page.tsx';
import { settingsGroups } from './settings-index.ts';

interface SettingsFrameProps {
  /** Address of the page. */
  readonly address: string;
  /** Empty where the address names no page; phones then show the index alone. */
  readonly section: string;
  /** Title of a page that the index does not name. */
  readonly title?: string | undefined;
  readonly children: ComponentChildren;
}

/** A page of the reader's own settings or of the organization's, under its title and beside their index. */
export function SettingsFrame({ address, section, title: own, children }: SettingsFrameProps) {
  const isIndex = useIsPhone() && section === '';
  const groups = settingsGroups(useClient(), isIndex ? '' : address);
  const page = groups.flatMap(({ pages }) => pages).find(({ isCurrent }) => isCurrent);
  const title = own ?? page?.label ?? t('settings.title');
  return (
    <ManagePage
      label={t('settings.title')}
      start="#settings"
      back="#"
      groups={groups}
      placeholder={t('settings.find')}
      page={isIndex ? undefined : title}
    >
      {!isIndex && (
        <>
          <h2 class="display set-title">{title}</h2>
          {children}
        </>
      )}
    </ManagePage>
  );
}
