import type { alertWordEndpoints } from '../../src/features/alert-words/endpoints.ts';
import type { avatarEndpoints } from '../../src/features/avatars/endpoints.ts';
import type { botEndpoints } from '../../src/features/bots/endpoints.ts';
import type { ruleEndpoints } from '../../src/features/channel-rules/endpoints.ts';
import type { folderEndpoints } from '../../src/features/channel-folders/endpoints.ts';
import type { channelEndpoints } from '../../src/features/channels/endpoints.ts';
import type { dataExportEndpoints } from '../../src/features/data-exports/endpoints.ts';
import type { defaultGroupEndpoints } from '../../src/features/default-channel-groups/endpoints.ts';
import type { deviceKeyEndpoints } from '../../src/features/device-keys/endpoints.ts';
import type { downloadEndpoints } from '../../src/features/downloads/endpoints.ts';
import type { draftEndpoints } from '../../src/features/drafts/endpoints.ts';
import type { domainEndpoints } from '../../src/features/email-domains/endpoints.ts';
import type { emojiEndpoints } from '../../src/features/emoji/endpoints.ts';
import type { eventEndpoints } from '../../src/features/event-queues/endpoints.ts';
import type { groupEndpoints } from '../../src/features/groups/endpoints.ts';
import type { invitationEndpoints } from '../../src/features/invitations/endpoints.ts';
import type { linkifierEndpoints } from '../../src/features/linkifiers/endpoints.ts';
import type { messageEditEndpoints } from '../../src/features/message-edits/endpoints.ts';
import type { reportMessageEndpoint } from '../../src/features/message-reports/endpoints.ts';
import type { messageEndpoints } from '../../src/features/messages/endpoints.ts';
import type { mutedUserEndpoints } from '../../src/features/muted-users/endpoints.ts';
import type { whyNotified } from '../../src/features/notifications/why-endpoints.ts';
import type { viewEndpoints } from '../../src/features/navigation-views/endpoints.ts';
import type { stepEndpoints } from '../../src/features/onboarding-steps/endpoints.ts';
import type { organizationPictureEndpoints } from '../../src/features/organization-pictures/endpoints.ts';
import type { organizationEndpoints } from '../../src/features/organizations/endpoints.ts';
import type { ownAccountEndpoints } from '../../src/features/own-account/endpoints.ts';
import type { activityEndpoints } from '../../src/features/people/activity-endpoints.ts';
import type { changeEndpoints } from '../../src/features/people/endpoints.ts';
import type { playgroundEndpoints } from '../../src/features/playgrounds/endpoints.ts';
import type { presenceEndpoints } from '../../src/features/presence/endpoints.ts';
import type { profileFieldEndpoints } from '../../src/features/profile-fields/endpoints.ts';
import type { profileEndpoints } from '../../src/features/profile-fields/profile-endpoints.ts';
import type { phonesEndpoint } from '../../src/features/push-devices/phone-endpoints.ts';
import type { pushSubscriptionEndpoints } from '../../src/features/push-subscriptions/endpoints.ts';
import type { realmEndpoints } from '../../src/features/realm-settings/endpoints.ts';
import type { reminderEndpoints } from '../../src/features/reminders/endpoints.ts';
import type { snippetEndpoints } from '../../src/features/saved-snippets/endpoints.ts';
import type { scheduledEndpoints } from '../../src/features/scheduled-messages/endpoints.ts';
import type { scimTokenEndpoints } from '../../src/features/scim/endpoints.ts';
import type { confirmationEndpoints } from '../../src/features/sign-in/confirmation/endpoints.ts';
import type { signInEndpoints } from '../../src/features/sign-in/endpoints.ts';
import type { commandEndpoints } from '../../src/features/slash-commands/endpoints.ts';
import type { topicEndpoints } from '../../src/features/topics/endpoints.ts';
import type { typingEndpoints } from '../../src/features/typing/endpoints.ts';
import type { uploadEndpoints } from '../../src/features/uploads/endpoints.ts';
import type { settingEndpoints } from '../../src/features/user-settings/endpoints.ts';
import type { userStatusEndpoints } from '../../src/features/user-status/endpoints.ts';
import type { userEndpoints } from '../../src/features/users/endpoints.ts';

/** All operations that the client may call, as their slices declare them. */
export type Operation =
  | (typeof alertWordEndpoints)[number]
  | (typeof avatarEndpoints)[number]
  | (typeof botEndpoints)[number]
  | (typeof folderEndpoints)[number]
  | (typeof ruleEndpoints)[number]
  | (typeof channelEndpoints)[number]
  | (typeof defaultGroupEndpoints)[number]
  | (typeof deviceKeyEndpoints)[number]
  | (typeof scimTokenEndpoints)[number]
  | (typeof confirmationEndpoints)[number]
  | (typeof downloadEndpoints)[number]
  | (typeof draftEndpoints)[number]
  | (typeof domainEndpoints)[number]
  | (typeof emojiEndpoints)[number]
  | (typeof eventEndpoints)[number]
  | (typeof groupEndpoints)[number]
  | (typeof invitationEndpoints)[number]
  | (typeof linkifierEndpoints)[number]
  | (typeof messageEditEndpoints)[number]
  | (typeof messageEndpoints)[number]
  | (typeof mutedUserEndpoints)[number]
  | (typeof viewEndpoints)[number]
  | (typeof stepEndpoints)[number]
  | (typeof organizationPictureEndpoints)[number]
  | (typeof dataExportEndpoints)[number]
  | (typeof organizationEndpoints)[number]
  | (typeof ownAccountEndpoints)[number]
  | (typeof activityEndpoints)[number]
  | (typeof changeEndpoints)[number]
  | (typeof playgroundEndpoints)[number]
  | (typeof presenceEndpoints)[number]
  | (typeof profileFieldEndpoints)[number]
  | (typeof profileEndpoints)[number]
  | (typeof pushSubscriptionEndpoints)[number]
  | (typeof realmEndpoints)[number]
  | (typeof reminderEndpoints)[number]
  | (typeof snippetEndpoints)[number]
  | (typeof scheduledEndpoints)[number]
  | (typeof signInEndpoints)[number]
  | (typeof commandEndpoints)[number]
  | (typeof topicEndpoints)[number]
  | (typeof typingEndpoints)[number]
  | (typeof uploadEndpoints)[number]
  | (typeof settingEndpoints)[number]
  | (typeof userStatusEndpoints)[number]
  | (typeof userEndpoints)[number]
  | typeof reportMessageEndpoint
  | typeof phonesEndpoint
  | typeof whyNotified;
