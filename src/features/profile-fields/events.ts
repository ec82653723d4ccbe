import { event, everyoneInRealm } from '#kernel/events';
import { list } from '#kernel/schema';
import { wireField } from './wire.ts';

/**
 * The organization's profile fields changed; contains all of them. Values of removed fields and choices are gone. See
 * protocol/events#organization.
 */
export const profileFieldsChanged = event({
  type: 'custom_profile_fields',
  source: 'protocol/events#organization',
  payload: { fields: list(wireField) },
  audience: () => everyoneInRealm,
  audit: ({ fields }) => ({ action: 'profile_fields.changed', target: { kind: 'organization' }, after: fields }),
});
