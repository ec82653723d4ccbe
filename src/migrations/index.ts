// Made by `npm run docs` from the files of this folder; not edited by hand.
import type { Migration } from '#kernel/store';
import { eventsAndJobs } from './2026-11-21T0600-events-and-jobs.ts';
import { realmsUsersGroups } from './2026-11-21T0610-realms-users-groups.ts';
import { channelsAndMessages } from './2026-11-21T0620-channels-and-messages.ts';
import { readState } from './2026-11-21T0650-read-state.ts';
import { foldersAndDefaults } from './2026-11-21T0700-folders-and-defaults.ts';
import { presenceAndStatus } from './2026-11-21T0700-presence-and-status.ts';
import { attachments } from './2026-11-21T0702-attachments.ts';
import { reactionsAndTopics } from './2026-11-21T0715-reactions-and-topics.ts';
import { invitationsMigration } from './2026-11-21T0720-invitations.ts';
import { customEmoji } from './2026-11-21T0722-custom-emoji.ts';
import { userSettings } from './2026-11-21T0725-user-settings.ts';
import { savedSnippets } from './2026-11-21T0753-saved-snippets.ts';
import { alertWords } from './2026-11-21T0910-alert-words.ts';
import { linkifiersAndPlaygrounds } from './2026-11-21T0915-linkifiers-and-playgrounds.ts';
import { channelActivity } from './2026-11-21T0925-channel-activity.ts';
import { mutedUsers } from './2026-11-21T0925-muted-users.ts';
import { botsMigration } from './2026-11-21T0930-bots.ts';
import { botStorageMigration } from './2026-11-21T0931-bot-storage.ts';
import { accountManagers } from './2026-11-21T0940-account-managers.ts';
import { emailDomainsMigration } from './2026-11-21T0941-email-domains.ts';
import { profileFields } from './2026-11-21T0945-profile-fields.ts';
import { websitePreviews } from './2026-11-21T0945-website-previews.ts';
import { pushDevices } from './2026-11-21T0950-push-devices.ts';
import { drafts } from './2026-11-21T0955-drafts.ts';
import { scheduledMessages } from './2026-11-21T1000-scheduled-messages.ts';
import { viewsAndSteps } from './2026-11-21T1000-views-and-steps.ts';
import { linkAddresses } from './2026-11-21T1003-link-addresses.ts';
import { notificationsMigration } from './2026-11-21T1005-notifications.ts';
import { reminders } from './2026-11-21T1010-reminders.ts';
import { fullMembers } from './2026-11-21T1015-full-members.ts';
import { missedMessages } from './2026-11-21T1025-missed-messages.ts';
import { invitationDays } from './2026-11-21T1030-invitation-days.ts';
import { hearers } from './2026-11-21T1350-hearers.ts';
import { editedSettings } from './2026-11-21T1440-edited-settings.ts';
import { mentionsInConversations } from './2026-11-21T1530-mentions-in-conversations.ts';
import { topicsOfConversations } from './2026-11-21T1535-topics-of-conversations.ts';
import { avatarFiles } from './2026-11-21T1540-avatar-files.ts';
import { queueBeginnings } from './2026-11-22T1545-queue-beginnings.ts';
import { unfinishedUploads } from './2026-11-22T1716-unfinished-uploads.ts';
import { externalIdentities } from './2026-11-22T1906-external-identities.ts';
import { pushSubscriptionsMigration } from './2026-11-22T1915-push-subscriptions.ts';
import { secondFactors } from './2026-11-22T2000-second-factors.ts';
import { botCommandsMigration } from './2026-11-22T2255-bot-commands.ts';
import { dataExportsMigration } from './2026-11-22T2255-data-exports.ts';
import { directoryPeople } from './2026-11-22T2300-directory-people.ts';
import { zoomGrants } from './2026-11-22T2305-zoom-grants.ts';
import { auditLogMigration } from './2026-11-22T2310-audit-log.ts';
import { pushGatewayMigration } from './2026-11-22T2310-push-gateway.ts';
import { scimMigration } from './2026-11-22T2330-scim.ts';
import { importItems } from './2026-11-22T2340-import-items.ts';
import { formerSubdomains } from './2026-11-22T2357-former-subdomains.ts';
import { mailsIn } from './2026-11-23T0625-mails-in.ts';
import { passkeysMigration } from './2026-11-23T0625-passkeys.ts';
import { uploadPieces } from './2026-11-23T0625-upload-pieces.ts';
import { undeliveredMigration } from './2026-11-23T0628-undelivered.ts';
import { deviceKeys } from './2026-11-23T0630-device-keys.ts';
import { tableChanges } from './2026-11-23T0648-table-changes.ts';
import { samlAnswersMigration } from './2026-11-23T0700-saml-answers.ts';
import { providerSessions } from './2026-11-23T0710-provider-sessions.ts';
import { auditSeals } from './2026-11-23T1500-audit-seals.ts';
import { passkeyHosts } from './2026-11-23T1505-passkey-hosts.ts';
import { dueJobs } from './2026-11-26T1500-due-jobs.ts';
import { serverVersionMigration } from './2026-11-27T0030-server-version.ts';
import { endsOfInvitations } from './2026-11-27T0050-ends-of-invitations.ts';
import { idempotencyKeys } from './2026-11-27T1530-idempotency-keys.ts';
import { jobParties } from './2026-11-28T0230-job-parties.ts';
import { scimTokenOwners } from './2026-11-28T1020-scim-token-owners.ts';
import { groupChanges } from './2026-11-28T2105-group-changes.ts';
import { gatewayTokens } from './2026-11-29T0020-gateway-tokens.ts';
import { keysOfPhones } from './2026-11-29T1215-keys-of-phones.ts';
import { largeConversations } from './2026-11-29T1900-large-conversations.ts';
import { emojiOfMessages } from './2026-11-30T1610-emoji-of-messages.ts';
import { deliveries } from './2026-11-30T1620-deliveries.ts';

/** All migrations, oldest first. */
export const migrations: readonly Migration[] = [
  eventsAndJobs,
  realmsUsersGroups,
  channelsAndMessages,
  readState,
  foldersAndDefaults,
  presenceAndStatus,
  attachments,
  reactionsAndTopics,
  invitationsMigration,
  customEmoji,
  userSettings,
  savedSnippets,
  alertWords,
  linkifiersAndPlaygrounds,
  channelActivity,
  mutedUsers,
  botsMigration,
  botStorageMigration,
  accountManagers,
  emailDomainsMigration,
  profileFields,
  websitePreviews,
  pushDevices,
  drafts,
  scheduledMessages,
  viewsAndSteps,
  linkAddresses,
  notificationsMigration,
  reminders,
  fullMembers,
  missedMessages,
  invitationDays,
  hearers,
  editedSettings,
  mentionsInConversations,
  topicsOfConversations,
  avatarFiles,
  queueBeginnings,
  unfinishedUploads,
  externalIdentities,
  pushSubscriptionsMigration,
  secondFactors,
  botCommandsMigration,
  dataExportsMigration,
  directoryPeople,
  zoomGrants,
  auditLogMigration,
  pushGatewayMigration,
  scimMigration,
  importItems,
  formerSubdomains,
  mailsIn,
  passkeysMigration,
  uploadPieces,
  undeliveredMigration,
  deviceKeys,
  tableChanges,
  samlAnswersMigration,
  providerSessions,
  auditSeals,
  passkeyHosts,
  dueJobs,
  serverVersionMigration,
  endsOfInvitations,
  idempotencyKeys,
  jobParties,
  scimTokenOwners,
  groupChanges,
  gatewayTokens,
  keysOfPhones,
  largeConversations,
  emojiOfMessages,
  deliveries,
];
