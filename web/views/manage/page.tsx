import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SettingsLayout, type SettingsPage } from '../../settings/index.ts';
import { Icon } from '../../ui/index.ts';
import { Head, PlainTitle } from '../shell/head.tsx';

/** Media query for the width of a phone; the same as in the style sheets. */
const PHONE = '(max-width: 47.99rem)';

export function useIsPhone(): boolean {
  const [isPhone, setPhone] = useState(matchMedia(PHONE).matches);
  useEffect(() => {
    const query = matchMedia(PHONE);
    const follow = () => setPhone(query.matches);
    query.addEventListener('change', follow);
    return () => query.removeEventListener('change', follow);
  }, []);
  return isPhone;
}

interface Group {
  readonly title?: string;
  readonly pages: readonly SettingsPage[];
}

interface ManagePageProps {
  /** Name of the whole section, and the address of its first page. */
  readonly label: string;
  readonly start: string;
  /** Target of the back button. */
  readonly back: string;
  readonly backLabel: string;
  readonly groups: readonly Group[];
  readonly placeholder: string;
  /** Title of the page; without one only the index is shown, as on a phone. */
  readonly page?: string | undefined;
  readonly tools?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** A page beside a searchable index. */
export function ManagePage(props: ManagePageProps) {
  const { label, groups, page, tools, children } = props;
  const [query, setQuery] = useState('');
  const isPhone = useIsPhone();
  const wanted = query.trim().toLocaleLowerCase();
  const found = groups
    .map((group) => ({ ...group, pages: group.pages.filter((one) => one.label.toLocaleLowerCase().includes(wanted)) }))
    .filter((group) => group.pages.length > 0);
  return (
    <>
      <Head tools={tools}>
        <a
          class="icon-btn"
          href={isPhone && page !== undefined ? props.start : props.back}
          aria-label={props.backLabel}
        >
          <Icon name="back" />
        </a>
        <PlainTitle>{isPhone && page !== undefined ? page : label}</PlainTitle>
      </Head>
      <SettingsLayout
        label={label}
        groups={found}
        query={query}
        onQuery={setQuery}
        placeholder={props.placeholder}
        page={page}
      >
        {children}
      </SettingsLayout>
    </>
  );
}
