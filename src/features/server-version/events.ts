import { event, everyoneInRealm } from '#kernel/events';
import { int, str } from '#kernel/schema';

/** Another version of the server was started. See protocol/queues#restart. */
export const restarted = event({
  type: 'restart',
  source: 'protocol/queues#restart',
  words: ['Another version of the server runs than before; when it first started.', 'everyone in the organization'],
  payload: {
    zulip_version: str(),
    zulip_merge_base: str(),
    zulip_feature_level: int(),
    server_generation: int(),
  },
  audience: () => everyoneInRealm,
});
