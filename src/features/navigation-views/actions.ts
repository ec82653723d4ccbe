import { lockUser } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { ParameterFault } from '#kernel/errors';
import { isIndexable } from '#kernel/text';
import { TooManyViews, ViewExists, ViewMissing } from './errors.ts';
import { viewAdded, viewRemoved, viewUpdated } from './events.ts';
import { deleteView, insertView, listViews, setView } from './queries.ts';
import { assertName, MAX_VIEWS } from './rules.ts';
import { toWireView } from './wire.ts';

/** Adds a view for the actor. See protocol/saved#navigation-views. */
export async function addView(
  context: Context,
  { realmId, userId }: Actor,
  view: { readonly fragment: string; readonly is_pinned: boolean; readonly name: string | null },
): Promise<void> {
  if (!isIndexable(view.fragment)) throw ParameterFault({ fault: 'fragment is too long' });
  await context.store.of(realmId).write(async (tx) => {
    await lockUser(tx, userId);
    const known = await listViews(tx, userId);
    if (known.some((one) => one.fragment === view.fragment)) throw ViewExists();
    assertName(view.fragment, view.name);
    if (known.length >= MAX_VIEWS) throw TooManyViews({ max: MAX_VIEWS });
    const { fragment, is_pinned, name } = view;
    const row = await insertView(tx, { realm_id: realmId, user_id: userId, fragment, is_pinned, view_name: name });
    tx.emit(viewAdded({ navigation_view: toWireView(row) }, { audience: { users: [userId] } }));
  });
}

/** The changes to a view; undefined members stay. */
interface ViewChange {
  readonly fragment: string;
  readonly is_pinned: boolean | undefined;
  readonly name: string | undefined;
}

/** Changes a view of the actor; the event contains only what changed. See protocol/saved#navigation-views. */
export async function updateView(
  context: Context,
  { realmId, userId }: Actor,
  { fragment, is_pinned, name }: ViewChange,
): Promise<void> {
  await context.store.of(realmId).write(async (tx) => {
    await lockUser(tx, userId);
    const view = (await listViews(tx, userId)).find((one) => one.fragment === fragment);
    if (!view) throw ViewMissing();
    if (name !== undefined) assertName(fragment, name);
    const isRenamed = name !== undefined && name !== view.view_name;
    const isPinned = is_pinned !== undefined && is_pinned !== view.is_pinned;
    if (!isRenamed && !isPinned) return;
    await setView(tx, view, { ...(isPinned && { is_pinned }), ...(isRenamed && { view_name: name }) });
    const data = { ...(isPinned && { is_pinned }), ...(isRenamed && { name }) };
    tx.emit(viewUpdated({ fragment, data }, { audience: { users: [userId] } }));
  });
}

/** Deletes a view of the actor. See protocol/saved#navigation-views. */
export async function removeView(context: Context, actor: Actor, fragment: string): Promise<void> {
  await context.store.as(actor).write(async (tx) => {
    if (!(await deleteView(tx, fragment))) throw ViewMissing();
    tx.emit(viewRemoved({ fragment }, { audience: { users: [actor.userId] } }));
  });
}
