import { event, everyoneInRealm } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireField } from './wire.ts';

/** The organization's profile fields changed; all of them. Values of what is gone are gone. Contract register 4.4.13. */
export const profileFieldsChanged = event({
  type: 'custom_profile_fields',
  source: 'contract register 4.4.13',
  payload: { fields: list(wireField) },
  audience: () => everyoneInRealm,
});
