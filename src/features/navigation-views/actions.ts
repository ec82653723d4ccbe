import { lockUser } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { TooManyViews, ViewExists, ViewMissing } from './errors.ts';
import { viewAdded, viewRemoved, viewUpdated } from './events.ts';
import { deleteView, insertView, listViews, setView } from './queries.ts';
import { assertName, MAX_VIEWS } from './rules.ts';
import { toWireView } from './wire.ts';

/** Keeps a view for the actor. See protocol/saved#navigation-views. */
export async function addView(
  context: Context,
  { realmId, userId }: Actor,
  view: { readonly fragment: string; readonly is_pinned: boolean; readonly name: string | null },
): Promise<void> {
  await context.store.of(realmId).write(async (tx) => {
    await lockUser(tx, userId);
    const known = await listViews(tx, userId);
    if (known.some((one) => one.fragment === view.fragment)) throw ViewExists();
    assertName(view.fragment, view.name);
    if (known.length >= MAX_VIEWS) throw TooManyViews({ max: MAX_VIEWS });
    const { fragment, is_pinned, name } = view;
    const row = await insertView(tx, { realm_id: realmId, user_id: userId, fragment, is_pinned, view_name: name });
    tx.emit(viewAdded(realmId, { navigation_view: toWireView(row) }, { audience: { users: [userId] } }));
  });
}

/** Changes a view of the actor; what stays as it is, is not announced. See protocol/saved#navigation-views. */
export async function updateView(
  context: Context,
  { realmId, userId }: Actor,
  fragment: string,
  { is_pinned, name }: { readonly is_pinned: boolean | undefined; readonly name: string | undefined },
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
    tx.emit(viewUpdated(realmId, { fragment, data }, { audience: { users: [userId] } }));
  });
}

/** Forgets a view of the actor. See protocol/saved#navigation-views. */
export async function removeView(context: Context, { realmId, userId }: Actor, fragment: string): Promise<void> {
  await context.store.of(realmId).write(async (tx) => {
    if (!(await deleteView(tx, userId, fragment))) throw ViewMissing();
    tx.emit(viewRemoved(realmId, { fragment }, { audience: { users: [userId] } }));
  });
}
