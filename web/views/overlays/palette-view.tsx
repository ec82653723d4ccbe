import { useEffect, useMemo, useState } from 'preact/hooks';
import { hashOf } from '../../addresses/index.ts';
import { type Client, useClient } from '../../client/index.ts';
import { t } from '../../words/deferred.ts';
import { useFilled } from '../keys/early.ts';
import { searchNames } from '../search/names.ts';
import { parseSearch } from '../search/parse.ts';
import { writeTo } from '../write-to.ts';
import { closeOverlay, type Overlay, overlay } from './open.ts';
import { Palette, type PaletteOption } from './palette.tsx';
import { type Match, ranked } from './rank.ts';
import { actions, conversations, operators, people, settings, type Target, views } from './targets.tsx';

type Kind = Extract<Overlay, 'palette' | 'people' | 'search'>;

/** Most options of a group. */
const MOST = 6;

/**
 * The palette: jumps to conversations, people, views and actions, or searches messages; opened with `/` it only
 * searches.
 */
export function PaletteView({ kind }: { readonly kind: Kind }) {
  const client = useClient();
  const [query, setQuery] = useState('');
  const [chosen, setChosen] = useState<string>();
  const isThere = useNewest(client, kind === 'palette');
  useFilled(isThere);
  const all = useMemo(() => sources(client, kind), [client, kind, isThere]);
  const groups = all
    .map(({ title, targets }) => ({ title, options: ranked(targets, lastWord(query, kind), MOST).map(asOption) }))
    .concat(kind === 'people' ? [] : [searchGroup(query)])
    .filter(({ options }) => options.length > 0)
    .toSorted((a, b) => (kind === 'search' ? Number(b.title === SEARCH()) - Number(a.title === SEARCH()) : 0));
  const options = groups.flatMap((group) => group.options);
  const selected = options.some(({ key }) => key === chosen) ? chosen : options[0]?.key;
  const choose = ({ key }: PaletteOption, isNewTab: boolean) => {
    const target = all.flatMap(({ targets }) => targets).find((one) => one.key === key);
    if (target?.insert !== undefined) return setQuery(withLastWord(query, target.insert));
    closeOverlay();
    if (target?.run) return target.run();
    const hash =
      target?.hash ?? hashOf({ view: 'narrow', narrow: parseSearch(query, searchNames(client)) }, client.names);
    if (isNewTab) return void window.open(hash);
    if (target?.composer) writeTo(client, target.composer);
    else location.hash = hash;
  };
  return (
    <Palette
      ask={ASKS[kind]()}
      query={query}
      onQuery={setQuery}
      groups={groups}
      selected={selected}
      onChoose={choose}
      onMove={(step) => {
        const at = options.findIndex(({ key }) => key === selected);
        setChosen(options[(at + step + options.length) % options.length]?.key);
      }}
      onClose={closeOverlay}
    />
  );
}

const ASKS = {
  palette: () => t('palette.input'),
  people: () => t('palette.person'),
  search: () => t('palette.message'),
} as const;
const SEARCH = () => t('palette.search');

const EVERYTHING: readonly never[] = [];

/** Fetches the newest messages, whose conversations are offered; returns whether there is no more to wait for. */
function useNewest({ messages, model, sync }: Client, isWanted: boolean): boolean {
  const window = useMemo(() => messages.window(EVERYTHING), [messages]);
  const isFetched = window.isKnown.value || window.failure.value !== undefined || !isWanted || model.me === 0;
  const { is } = sync.connection.value;
  useEffect(() => {
    if (!isFetched && is === 'live' && !window.isLoading.peek())
      void messages.open(window, 'newest').catch(() => undefined);
  }, [isFetched, is, messages, window]);
  return isFetched ? is !== 'starting' : is === 'away';
}

function sources(client: Client, kind: Kind) {
  if (kind === 'search') return [{ title: t('palette.operators'), targets: operators(client) }];
  const persons = { title: t('palette.people'), targets: people(client) };
  if (kind === 'people') return [persons];
  if (client.model.me === 0) return [{ title: t('palette.conversations'), targets: conversations(client) }];
  return [
    { title: t('palette.conversations'), targets: conversations(client) },
    persons,
    { title: t('palette.views'), targets: views() },
    { title: t('palette.actions'), targets: actions(client, () => (overlay.value = 'keys')) },
    { title: t('settings.title'), targets: settings(client) },
  ];
}

function searchGroup(query: string) {
  const words = query.trim();
  const option: PaletteOption = { key: 'search', icon: 'search', name: t('palette.searchFor', { words }) };
  return { title: SEARCH(), options: words === '' ? [] : [option] };
}

function asOption({ key, icon, lead, name, isUnnamed, match, note }: Match<Target>): PaletteOption {
  return { key, icon, lead, name, isUnnamed, match, note };
}

/** In a search, operators are completed for the word being typed. */
function lastWord(query: string, kind: Kind): string {
  return kind === 'search' ? (query.split(' ').at(-1) ?? '') : query;
}

function withLastWord(query: string, word: string): string {
  return [...query.split(' ').slice(0, -1), word].join(' ');
}
