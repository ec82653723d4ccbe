/**
 * The bots that the server itself speaks through: full name, and the part of their address before the host.
 * See protocol/register#people.
 */
export const SystemBot = {
  notification: { full_name: 'Notification Bot', local: 'notification-bot' },
  welcome: { full_name: 'Welcome Bot', local: 'welcome-bot' },
  emailGateway: { full_name: 'Email Gateway', local: 'emailgateway' },
} as const;

/** Full name of one of them, by which it is found in an organization. */
export type SystemBotName = (typeof SystemBot)[keyof typeof SystemBot]['full_name'];
