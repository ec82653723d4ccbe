import { list, str } from '#kernel/schema';
import { registerState } from '#kernel/state';
import { listLinkifiers } from './queries.ts';
import { toWireLinkifier, wireLinkifier } from './wire.ts';

/**
 * The linkifiers in the order of application; empty for clients that do not know URL templates. See
 * protocol/linkifiers#changing.
 */
const linkifiersState = registerState({
  fetchType: 'realm_linkifiers',
  sameFor: ({ view }) => `${view.linkifier_url_template}`,
  source: 'protocol/linkifiers#linkifier-object',
  fields: { realm_linkifiers: list(wireLinkifier) },
  read: async ({ tx, view }) => ({
    realm_linkifiers: view.linkifier_url_template ? (await listLinkifiers(tx)).map(toWireLinkifier) : [],
  }),
});

/** Linkifiers in the form before URL templates; always empty. See protocol/linkifiers#linkifier-object. */
const filtersState = registerState({
  fetchType: 'realm_filters',
  stale: 'always empty',
  source: 'protocol/linkifiers#linkifier-object',
  fields: { realm_filters: list(str()) },
  read: () => Promise.resolve({ realm_filters: [] }),
});

export const linkifierStates = [linkifiersState, filtersState];
