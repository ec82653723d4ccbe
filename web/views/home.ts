import type { Route } from '../addresses/index.ts';
import type { Client } from '../client/index.ts';

const HOMES: Readonly<Record<string, 'inbox' | 'recent' | 'feed'>> = {
  inbox: 'inbox',
  recent: 'recent',
  recent_topics: 'recent',
  all_messages: 'feed',
};

/** What is shown: where an address says nothing in particular, the view that the person has chosen for the start. */
export function shownRoute({ model, route }: Client): Route {
  const there = route.value;
  if (there.view !== 'home' && there.view !== 'keyboard' && there.view !== 'about') return there;
  if (model.me === 0) return { view: 'feed' };
  return { view: HOMES[model.facts.get('user_settings')?.web_home_view ?? ''] ?? 'inbox' };
}
