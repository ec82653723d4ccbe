import type { ComponentChildren } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { SettingsLayout } from '../../settings/index.ts';
import { Icon } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import { Head, PlainTitle } from '../shell/head.tsx';
import { matching, type PageGroup } from './matching.ts';

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

interface ManagePageProps {
  /** Name of the whole section, and the address of its first page. */
  readonly label: string;
  readonly start: string;
  /** Target of the back button where no page lies over the index; `start` if absent. */
  readonly back?: string;
  readonly groups: readonly PageGroup[];
  readonly placeholder: string;
  /** Title of the page; without one only the index is shown, as on a phone. */
  readonly page?: string | undefined;
  readonly tools?: ComponentChildren;
  readonly children?: ComponentChildren;
}

interface ManageHeadProps {
  readonly title: string;
  /** Target of the back button. */
  readonly back?: string;
  readonly tools?: ComponentChildren;
}

export function ManageHead({ title, back = '#', tools }: ManageHeadProps) {
  return (
    <Head tools={tools}>
      <a class="icon-btn" href={back} aria-label={t('common.back')}>
        <Icon name="back" />
      </a>
      <PlainTitle>{title}</PlainTitle>
    </Head>
  );
}

/** A page beside a searchable index. */
export function ManagePage(props: ManagePageProps) {
  const { label, start, back = start, groups, page, tools, children } = props;
  const [query, setQuery] = useState('');
  const isOver = useIsPhone() && page !== undefined;
  return (
    <>
      <ManageHead title={isOver ? page : label} back={isOver ? start : back} tools={tools} />
      <SettingsLayout
        label={label}
        groups={matching(groups, query)}
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
