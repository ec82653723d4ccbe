import { ParameterInvalid } from '#kernel/errors';

/** Stored for messages that are kept for ever. */
const KEEP_FOR_EVER = -1;

/**
 * Days that messages are kept: null for the organization's setting, -1 for ever. Throws the parameter's own error for
 * anything but a positive whole number and the two words. See protocol/organizations#retention.
 */
export function parseRetention(value: unknown): number | null {
  if (value === 'realm_default') return null;
  if (value === 'unlimited') return KEEP_FOR_EVER;
  if (typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= MAX_DAYS) return value;
  throw ParameterInvalid({ var_name: 'message_retention_days', bad_value: value });
}

/** Most days the database can count with. */
const MAX_DAYS = 2_147_483_647;
