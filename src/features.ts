import { alertWordsSlice } from '#features/alert-words';
import { accounts } from '#features/accounts';
import { auditLog } from '#features/audit-log';
import { avatars } from '#features/avatars';
import { botAlerts } from '#features/bot-alerts';
import { botStorage } from '#features/bot-storage';
import { botCommands } from '#features/bot-commands';
import { bots } from '#features/bots';
import { channelFolders } from '#features/channel-folders';
import { channelRules } from '#features/channel-rules';
import { channels } from '#features/channels';
import { defaultChannelGroups } from '#features/default-channel-groups';
import { deviceKeysSlice } from '#features/device-keys';
import { directorySlice } from '#features/directory';
import { demo } from '#features/demo';
import { downloads } from '#features/downloads';
import { emailDomains } from '#features/email-domains';
import { emoji } from '#features/emoji';
import { eventQueues } from '#features/event-queues';
import { dataExports } from '#features/data-exports';
import { exportsSlice } from '#features/exports';
import { firstDay } from '#features/first-day';
import { groups } from '#features/groups';
import { importsSlice } from '#features/imports';
import { integrations } from '#features/integrations';
import { incomingMail } from '#features/incoming-mail';
import { incomingWebhooks } from '#features/incoming-webhooks';
import { invitations } from '#features/invitations';
import { linkifiers } from '#features/linkifiers';
import { mailsSlice } from '#features/mails';
import { messageEdits } from '#features/message-edits';
import { messageReports } from '#features/message-reports';
import { messages } from '#features/messages';
import { mutedUsersSlice } from '#features/muted-users';
import { notifications } from '#features/notifications';
import { notices } from '#features/notices';
import { organizationPictures } from '#features/organization-pictures';
import { organizations } from '#features/organizations';
import { peopleSlice } from '#features/people';
import { personalData } from '#features/personal-data';
import { pictures } from '#features/pictures';
import { outgoingWebhooks } from '#features/outgoing-webhooks';
import { ownAccount } from '#features/own-account';
import { pagesSlice } from '#features/pages';
import { playgrounds } from '#features/playgrounds';
import { presenceSlice } from '#features/presence';
import { profileFields } from '#features/profile-fields';
import { previews } from '#features/previews';
import { pushDevices } from '#features/push-devices';
import { pushGatewaySlice } from '#features/push-gateway';
import { pushSubscriptions } from '#features/push-subscriptions';
import { realmSettings } from '#features/realm-settings';
import { realms } from '#features/realms';
import { recipients } from '#features/recipients';
import { rendering } from '#features/rendering';
import { savedSnippets } from '#features/saved-snippets';
import { reminders } from '#features/reminders';
import { retention } from '#features/retention';
import { scim } from '#features/scim';
import { scheduledMessages } from '#features/scheduled-messages';
import { serverVersionSlice } from '#features/server-version';
import { signInSlice } from '#features/sign-in';
import { singleSignOn } from '#features/single-sign-on';
import { slashCommands } from '#features/slash-commands';
import { topics } from '#features/topics';
import { typing } from '#features/typing';
import { undeliveredSlice } from '#features/undelivered';
import { uploads } from '#features/uploads';
import { userSettingsSlice } from '#features/user-settings';
import { userStatusSlice } from '#features/user-status';
import { users } from '#features/users';
import { videoCalls } from '#features/video-calls';
import { webClient } from '#features/web-client';
import { drafts } from '#features/drafts';
import { navigationViews } from '#features/navigation-views';
import { onboardingSteps } from '#features/onboarding-steps';
import type { Slice } from '#kernel/slice';

/** All slices. The order is law: a slice imports only slices that stand before it. */
export const features: readonly Slice[] = [
  realms,
  serverVersionSlice,
  users,
  groups,
  linkifiers,
  playgrounds,
  rendering,
  pagesSlice,
  undeliveredSlice,
  mailsSlice,
  signInSlice,
  deviceKeysSlice,
  userSettingsSlice,
  slashCommands,
  alertWordsSlice,
  mutedUsersSlice,
  profileFields,
  pictures,
  avatars,
  emoji,
  uploads,
  recipients,
  channelFolders,
  channels,
  defaultChannelGroups,
  accounts,
  integrations,
  bots,
  botCommands,
  botStorage,
  realmSettings,
  videoCalls,
  emailDomains,
  organizationPictures,
  messages,
  messageEdits,
  previews,
  messageReports,
  topics,
  downloads,
  notices,
  firstDay,
  botAlerts,
  outgoingWebhooks,
  channelRules,
  incomingWebhooks,
  incomingMail,
  scheduledMessages,
  reminders,
  retention,
  auditLog,
  presenceSlice,
  pushDevices,
  pushGatewaySlice,
  pushSubscriptions,
  notifications,
  typing,
  userStatusSlice,
  savedSnippets,
  drafts,
  navigationViews,
  onboardingSteps,
  invitations,
  peopleSlice,
  ownAccount,
  exportsSlice,
  dataExports,
  personalData,
  singleSignOn,
  directorySlice,
  scim,
  organizations,
  importsSlice,
  webClient,
  eventQueues,
  demo,
];
