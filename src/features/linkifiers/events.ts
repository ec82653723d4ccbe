import { event, everyoneInRealm } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireLinkifier } from './wire.ts';

/**
 * The linkifiers changed: all of them, in the order of application. See protocol/linkifiers#adding,
 * protocol/linkifiers#changing.
 */
export const linkifiersChanged = event({
  type: 'realm_linkifiers',
  source: 'protocol/linkifiers#adding',
  payload: { realm_linkifiers: list(wireLinkifier) },
  audience: () => everyoneInRealm,
  audit: ({ realm_linkifiers }) => ({
    action: 'linkifiers.changed',
    target: { kind: 'organization' },
    after: realm_linkifiers,
  }),
  variesBy: ['linkifier_url_template'],
  wire: (payload, view) => (view.linkifier_url_template ? [payload] : []),
});
