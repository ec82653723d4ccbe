import { MENTION_ERRORS, MessageEmpty, MessageNullBytes, sendSystemMessage } from '#features/messages';
import { SystemBot } from '#features/users';
import { administrators, endpoint, raw } from '#kernel/endpoint';
import type { MessageId } from '#kernel/ids';
import { idOf, text } from '#kernel/schema';

/** Longest text, in code points; the same as for the setting. See protocol/organizations#changing-settings. */
const MAX_TEXT = 8000;

/** See protocol/organizations#pictures. */
export const testWelcomeEndpoint = endpoint({
  id: 'test-welcome-bot-custom-message',
  method: 'POST',
  path: '/realm/test_welcome_bot_custom_message',
  source: 'protocol/organizations#pictures',
  since: 416,
  doc: "Sends the caller the welcome bot's message with a custom text, as a preview.",
  who: administrators,
  changesNothing: true,
  params: { welcome_message_custom_text: raw(text({ max: MAX_TEXT })) },
  returns: { message_id: idOf<MessageId>() },
  fails: [MessageEmpty, MessageNullBytes, ...MENTION_ERRORS],
  async run({ context, realm, actor, params }) {
    const destination = { people: { ids: [actor.userId] } };
    const content = params.welcome_message_custom_text;
    const { message } = await sendSystemMessage(context, realm, {
      destination,
      content,
      bot: SystemBot.welcome.full_name,
    });
    return { message_id: message.id };
  },
});
