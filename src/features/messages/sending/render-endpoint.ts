import { findUser } from '#features/users';
import { endpoint, everyone, raw } from '#kernel/endpoint';
import { invariant } from '#kernel/errors';
import { str, MAX_MARKDOWN, text } from '#kernel/schema';
import { cutContent, UnableToRender } from '../core/index.ts';
import { renderContent } from './render.ts';

export const renderMessageEndpoint = endpoint({
  id: 'render-message',
  method: 'POST',
  path: '/messages/render',
  source: 'protocol/messages#rendering-a-text',
  doc: 'Shows what a message would look like, without sending it.',
  who: everyone,
  params: { content: raw(text({ max: MAX_MARKDOWN })) },
  returns: { rendered: str() },
  fails: [UnableToRender],
  async run({ actor, realm, params, context }) {
    const author = await context.store.in(realm).query((tx) => findUser(tx, actor.userId));
    invariant(author, 'the actor has an account');
    const { html } = await renderContent(context, actor, author, cutContent(params.content));
    return { rendered: html };
  },
});
