import type { Route } from '../addresses/index.ts';
import type { Client } from '../client/index.ts';

const HOMES: Readonly<Record<string, 'inbox' | 'recent' | 'feed'>> = {
  inbox: 'inbox',
  recent: 'recent',
  recent_topics: 'recent',
  all_messages: 'feed',
};

/** Views that do not need an account. */
const FOR_VISITORS: ReadonlySet<Route['view']> = new Set(['narrow', 'topics', 'feed']);

/** Returns the route to show; for an address that names no view, the start view that the person has chosen. */
export function shownRoute({ model, route }: Client): Route {
  const there = route.value;
  if (model.me === 0 && !FOR_VISITORS.has(there.view)) return { view: 'feed' };
  // The topics of a channel that is not there are shown as its messages are: as missing.
  if (there.view === 'topics' && !model.channels.table.get(there.channelId))
    return { view: 'narrow', narrow: [{ operator: 'channel', operand: there.channelId }] };
  if (there.view !== 'home' && there.view !== 'keyboard' && there.view !== 'about') return there;
  return { view: HOMES[model.facts.get('user_settings')?.web_home_view ?? ''] ?? 'inbox' };
}
