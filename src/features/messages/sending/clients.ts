/** Names of clients whose messages count as read by their sender. See protocol/wire#client-name. */
const INTERACTIVE = new Set([
  'zulipandroid',
  'zulipios',
  'zulipdesktop',
  'zulipmobile',
  'zulipelectron',
  'zulipterminal',
  'snipe',
  'website',
  'ios',
  'android',
]);

/**
 * Whether a person types in a client of this name, so that they have read what they send. See
 * protocol/wire#client-name.
 */
export function isInteractive(client: string): boolean {
  return INTERACTIVE.has(client.toLowerCase());
}
