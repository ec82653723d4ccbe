import { widgetTitle } from '#features/messages/widgets/rules';
import type { Message } from '../messages/index.ts';
import { type Model, timeStyleOf } from '../model/index.ts';
import { renderedText } from '../rendered/index.ts';
import { t } from '../words/index.ts';

/** The command at the beginning of a message about its sender. */
const ME = '/me';

/**
 * Returns a message in words, for lists and notifications: what a poll asks instead of the command that made it, and
 * what the sender does without their name, which those show before it.
 */
export function messageWords(model: Pick<Model, 'facts'>, message: Message): string {
  const widget = widgetTitle(message.submessages, message.sender_id);
  if (widget) return [t(`message.${widget.kind}`), widget.title].filter((word) => word !== '').join(': ');
  const text = renderedText(message.content, timeStyleOf(model)).trim();
  return message.is_me_message && text.startsWith(ME) ? text.slice(ME.length).trim() : text;
}
