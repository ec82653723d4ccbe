import { watchedWords } from '#features/alert-words';
import { type MessageLook, type Rendered, renderMessage } from '#features/rendering';
import { settingsOf } from '#features/user-settings';
import type { UserRow } from '#features/users';
import type { Actor } from '#kernel/auth';
import type { ReadContext } from '#kernel/context';
import { UnableToRender } from '../core/index.ts';
import { visibilityOf } from './visibility.ts';

type RenderContext = Pick<ReadContext, 'store' | 'events' | 'log' | 'server'>;

/** Longest HTML of a message, in UTF-16 units. See protocol/markdown#limits. */
const MAX_HTML = 1_000_000;

/** A text of somebody's message. */
interface Written extends Pick<MessageLook, 'websites' | 'isFromMail'> {
  readonly author: UserRow;
  readonly content: string;
}

/**
 * Renders the text of a message with the names that its author may see. `websites` holds what is known of pages it
 * links to. Only files that the author may open count as attachments. Call it outside transactions only. See
 * protocol/markdown#result.
 */
export async function renderContent(
  context: RenderContext,
  actor: Actor,
  { author, content, websites, isFromMail = false }: Written,
): Promise<Rendered> {
  const uploads = new Set<string>();
  const look = {
    visibility: visibilityOf(actor, author, uploads),
    alertWords: await watchedWords(context, actor.realmId),
    translateEmoticons: settingsOf(author).translate_emoticons,
    hasWebsites: !author.is_bot,
    ...(websites && { websites }),
    isFromMail,
  };
  const rendered = await renderMessage(context, actor.realm, content, look).catch((error: unknown) => {
    context.log.error({ err: error, shape: shapeOf(content) }, 'a message could not be rendered');
    throw UnableToRender();
  });
  if (rendered.html.length > MAX_HTML) throw UnableToRender();
  const attachmentPathIds = rendered.attachmentPathIds.filter((pathId) => uploads.has(pathId));
  return { ...rendered, attachmentPathIds, hasAttachment: attachmentPathIds.length > 0 };
}

/** A text with its letters and digits replaced: enough to find a fault without revealing anybody's words. */
const shapeOf = (text: string): string => text.replace(/[\p{L}\p{N}]/gu, 'x');
