import { foldCase } from '#kernel/text';

/** Minutes that an invitation is good for unless said otherwise: ten days. See protocol/invitations#checks. */
export const VALIDITY_MINUTES = 14_400;
/** Minutes that somebody has to confirm an address. */
export const CONFIRMATION_MINUTES = 1440;
/** Longest welcome message, in code points. See protocol/invitations#checks. */
export const MAX_WELCOME_TEXT = 8000;
/** Most addresses that one request invites, and the longest text that names them, in code points. */
export const MAX_ADDRESSES = 300;
export const MAX_ADDRESSES_TEXT = 100_000;
/**
 * Days that somebody must have been there to invite into an open organization. See protocol/invitations#checks, check
 * 13.
 */
export const MIN_INVITER_DAYS = 3;

/**
 * Addresses in a text, separated by commas or newlines, each once; of `Name <address>` the address.
 * See protocol/invitations#checks.
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
 * What an address that came by itself is offered: a member's account in the default channels.
 * See protocol/invitations#joining.
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
