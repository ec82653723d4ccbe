import { readRealm, settingsOf } from '#features/realms';
import { renderMarkdown } from '#features/rendering';
import type { RealmRef } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import { realmCache } from '#kernel/events';

interface Description {
  readonly text: string;
  html?: Promise<string> | undefined;
}

/** The description of each organization, rendered once until it, or what its HTML depends on, changes. */
const cached = realmCache({
  endedBy: ['realm', 'realm_emoji', 'realm_linkifiers'],
  read: async (tx): Promise<Description> => ({ text: settingsOf(await readRealm(tx)).description }),
});

/** The description of an organization as HTML. Unauthenticated callers ask for it, so it is not rendered each time. */
export async function descriptionOf(context: ReadContext, realm: RealmRef): Promise<string> {
  const description = await cached(context, realm.id);
  description.html ??= renderMarkdown(context, realm, description.text).then(({ html }) => html);
  description.html.catch(() => (description.html = undefined));
  return description.html;
}
