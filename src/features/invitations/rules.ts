import { foldCase } from '#kernel/text';

/** Default validity of an invitation in minutes: ten days. See protocol/invitations#checks. */
export const VALIDITY_MINUTES = 14_400;
/** Longest validity of an invitation that expires, in minutes: ten years. */
export const MAX_VALIDITY_MINUTES = 5_256_000;
/** Validity of a confirmation in minutes. */
export const CONFIRMATION_MINUTES = 1440;
/** Longest welcome message, in code points. See protocol/invitations#checks. */
export const MAX_WELCOME_TEXT = 8000;
/** Most addresses in one request, and the longest text with them, in code points. */
export const MAX_ADDRESSES = 300;
export const MAX_ADDRESSES_TEXT = 100_000;
/** Days since joining before a user may invite into an open organization. See protocol/invitations#checks, check 13. */
export const MIN_INVITER_DAYS = 3;

/**
 * Parses addresses separated by commas or newlines, without repeats; `Name <address>` means the address. See
 * protocol/invitations#checks.
 */
export function parseAddresses(text: string): readonly string[] {
  const found = new Map<string, string>();
  for (const piece of text.split(/[,\n]/)) {
    const address = (/<([^<>]*)>/.exec(piece)?.[1] ?? piece).trim();
    if (address !== '' && !found.has(foldCase(address))) found.set(foldCase(address), address);
  }
  return [...found.values()];
}

/**
 * What a person who signs up without an invitation gets: a member's account in the default channels. See
 * protocol/invitations#joining.
 */
export const SIGN_UP = {
  id: null,
  inviter_id: null,
  invited_as: 400,
  channel_ids: [],
  group_ids: [],
  includes_defaults: true,
  notifies_referrer: false,
  welcome_text: null,
} as const;
