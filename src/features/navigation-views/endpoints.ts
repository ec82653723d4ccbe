import { endpoint, everyone, json, optional, pathText, raw } from '#kernel/endpoint';
import { bool, list, text } from '#kernel/schema';
import { addView, removeView, updateView } from './actions.ts';
import { BuiltInNamed, NameNeeded, TooManyViews, ViewExists, ViewMissing } from './errors.ts';
import { listViews } from './queries.ts';
import { MAX_FRAGMENT, MAX_NAME } from './rules.ts';
import { toWireView, wireView } from './wire.ts';

const source = 'protocol/saved#navigation-views';
const since = 390;

const fragment = pathText('Address of the view, as behind the # of a link; slashes may be encoded.');
const is_pinned = json(bool());
const name = optional(raw(text({ line: true, trim: true, max: MAX_NAME }), 'For views that are not built in.'));

const getViews = endpoint({
  id: 'get-navigation-views',
  method: 'GET',
  path: '/navigation_views',
  source,
  since,
  doc: "The caller's navigation views.",
  who: everyone,
  params: {},
  returns: { navigation_views: list(wireView) },
  async run({ actor, context }) {
    const rows = await context.store.as(actor).query((tx) => listViews(tx, actor.userId));
    return { navigation_views: rows.map(toWireView) };
  },
});

const createView = endpoint({
  id: 'add-navigation-view',
  method: 'POST',
  path: '/navigation_views',
  source,
  since,
  doc: 'Adds a navigation view, or says whether a built-in one is pinned.',
  who: everyone,
  params: { fragment: raw(text({ trim: true, min: 1, max: MAX_FRAGMENT })), is_pinned, name },
  returns: {},
  fails: [ViewExists, BuiltInNamed, NameNeeded, TooManyViews],
  async run({ actor, params, context }) {
    await addView(context, actor, { ...params, name: params.name ?? null });
    return {};
  },
});

const editView = endpoint({
  id: 'edit-navigation-view',
  method: 'PATCH',
  path: '/navigation_views/{fragment*}',
  source,
  since,
  doc: 'Pins, unpins or renames a navigation view of the caller.',
  who: everyone,
  params: { fragment, is_pinned: optional(is_pinned), name },
  returns: {},
  fails: [ViewMissing, BuiltInNamed, NameNeeded],
  async run({ actor, params, context }) {
    await updateView(context, actor, params);
    return {};
  },
});

const deleteView = endpoint({
  id: 'remove-navigation-view',
  method: 'DELETE',
  path: '/navigation_views/{fragment*}',
  source,
  since,
  doc: 'Deletes a navigation view of the caller.',
  who: everyone,
  params: { fragment },
  returns: {},
  fails: [ViewMissing],
  async run({ actor, params, context }) {
    await removeView(context, actor, params.fragment);
    return {};
  },
});

export const viewEndpoints = [getViews, createView, editView, deleteView];
