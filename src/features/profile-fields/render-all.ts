import { renderMarkdown } from '#features/rendering';
import type { RealmRef } from '#kernel/auth';
import type { Context } from '#kernel/context';
import { allRowsOf } from '#kernel/store';
import { upsertValues } from './queries.ts';
import { MARKDOWN_TYPES } from './types.ts';

/** Renders everybody's values, for profiles that were imported without HTML. Emits no events. */
export async function renderProfiles(context: Context, realm: RealmRef): Promise<void> {
  const store = context.store.in(realm);
  const [fields, values] = await store.read(async (tx) => [
    await allRowsOf(tx, 'profile_field'),
    await allRowsOf(tx, 'profile_value'),
  ]);
  const texts = new Set(fields.filter((field) => MARKDOWN_TYPES.has(field.field_type)).map(({ id }) => id));
  for (const { realm_id, user_id, field_id, field_value } of values) {
    if (!texts.has(field_id)) continue;
    const { html: rendered_value } = await renderMarkdown(context, realm, field_value);
    await store.write((tx) => upsertValues(tx, { realm_id, user_id }, [{ field_id, field_value, rendered_value }]));
  }
}
