/** Names of programs whose messages count as read by their sender. See protocol/wire#client-name. */
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
 * Whether a person types with a program of this name, whose messages they have therefore read.
 * See protocol/wire#client-name.
 */
export function isInteractive(client: string): boolean {
  return INTERACTIVE.has(client.toLowerCase());
}
