import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { bold, facts, link, md, paragraphs } from '../markdown.ts';
import { noted } from '../words/index.ts';

const HOOKS = ['publish_post', 'publish_page', 'user_register', 'wp_login', 'comment_post'];

export const wordpress = integration({
  name: 'wordpress',
  title: 'WordPress',
  category: 'Customers',
  setUp:
    'Install a plugin that posts the hooks publish_post, publish_page, user_register and wp_login, such as HookPress, and paste the address.',
  events: HOOKS,
  read: (at) => {
    const event = at('hook').text || 'publish_post';
    if (event === 'publish_post' || event === 'publish_page')
      return {
        event,
        topic: event === 'publish_page' ? 'WordPress Page' : 'WordPress Post',
        content: md`New ${event === 'publish_page' ? 'page' : 'post'}: ${link(at('post_title').need, at('post_url'))}.`,
      };
    if (event === 'comment_post')
      return {
        event,
        topic: 'New comment',
        content: noted(md`${at('comment_author').text || 'Somebody'} commented`, at('comment_content')),
      };
    if (event === 'user_register')
      return {
        event,
        topic: 'New Blog Users',
        content: paragraphs(
          md`${bold(at('display_name').text || 'Somebody')} registered.`,
          facts({ Email: at('user_email') }),
        ),
      };
    if (event === 'wp_login') return { event, topic: 'New Login', content: md`${at('user_login').need} signed in.` };
    throw new UnsupportedEvent(event);
  },
  samples: HOOKS.map((hook) => ({
    of: `A hook: ${hook}`,
    form: {
      hook,
      post_title: 'The fastest ferry',
      post_url: 'https://blog.ferry.example/1',
      display_name: 'Gus Guest',
      user_email: 'gus@ferry.example',
      user_login: 'gus',
      comment_author: 'Gus',
      comment_content: 'Nice boat.',
    },
  })),
});
