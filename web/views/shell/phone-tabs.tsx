import { useClient } from '../../client/index.ts';
import { shownRoute } from '../home.ts';
import { t } from '../../words/index.ts';
import { TabBar } from './frame.tsx';

/** Views of the index of settings. */
const OWN: ReadonlySet<string> = new Set(['settings', 'organization', 'groups']);

/** The tab bar of phones, with counts of unread messages. */
export function PhoneTabs() {
  const client = useClient();
  const { view } = shownRoute(client);
  const { unread } = client.model;
  return (
    <TabBar
      items={[
        {
          href: '#inbox',
          icon: 'inbox',
          label: t('nav.inbox'),
          isCurrent: view === 'inbox',
          count: unread.total.unread,
        },
        { href: '#recent', icon: 'clock', label: t('nav.recent'), isCurrent: view === 'recent' },
        { href: '#channels', icon: 'hash', label: t('nav.channels'), isCurrent: view === 'channels' },
        {
          href: '#narrow/is/dm',
          icon: 'people',
          label: t('nav.direct'),
          isCurrent: isDirect(client),
          count: unread.direct.unread,
          isForYou: true,
        },
        { href: '#settings', icon: 'person', label: t('nav.you'), isCurrent: OWN.has(view) },
      ]}
    />
  );
}

function isDirect({ route }: ReturnType<typeof useClient>): boolean {
  const there = route.value;
  return there.view === 'narrow' && there.narrow.length === 1 && there.narrow[0]?.operand === 'dm';
}
