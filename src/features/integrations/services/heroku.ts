import { integration, OPTIONS } from '../integration.ts';
import { code, link, md, paragraphs, quote } from '../markdown.ts';
import { built, capital } from '../words/index.ts';

export const heroku = integration({
  name: 'heroku',
  title: 'Heroku',
  category: 'Builds and deployments',
  setUp:
    'Add a webhook for api:release with the heroku command line or in the app under More, View webhooks. Deploy hooks of older apps work, too.',
  options: [OPTIONS.secret],
  signature: { header: 'heroku-webhook-hmac-sha256', algorithm: 'sha256', encoding: 'base64' },
  read: (at) => {
    if (at('app').text !== '')
      return {
        topic: at('app').need,
        content: paragraphs(
          md`${at('user')} deployed version ${code(at('head'))} of ${link(at('app'), at('url'))}.`,
          quote(at('git_log')),
        ),
      };
    const it = at('data');
    return {
      topic: it.at('app.name').need,
      content: built({
        what: `${capital(at('resource').text || 'release')} ${it.at('version').exists ? `v${it.at('version').text}` : ''} of ${it.at('app.name').need}`.replace(
          '  ',
          ' ',
        ),
        url: it.at('output_stream_url'),
        state: it.at('status').text || at('action').need,
        rest: md`${it.at('description').text}${it.at('user.email').exists ? md` by ${it.at('user.email').text}` : undefined}.`,
      }),
    };
  },
  samples: [
    {
      of: 'An app is deployed',
      form: {
        app: 'boats',
        user: 'mia@ferry.example',
        url: 'https://boats.heroku.example',
        head: '3eb5f44',
        git_log: '  * Mia: Caulk the seams',
      },
    },
    {
      of: 'A release',
      json: {
        action: 'update',
        resource: 'release',
        data: {
          app: { name: 'boats' },
          version: 12,
          status: 'succeeded',
          description: 'Deploy 3eb5f44',
          user: { email: 'mia@ferry.example' },
        },
      },
    },
    {
      of: 'A release fails',
      json: {
        action: 'update',
        actor: { email: 'mia@ferry.example' },
        resource: 'release',
        data: {
          app: { name: 'boats' },
          version: 13,
          status: 'failed',
          description: 'Deploy 9f2c',
          output_stream_url: 'https://release-output.heroku.example/13',
          user: { email: 'mia@ferry.example' },
        },
        version: 'application/vnd.heroku+json; version=3',
      },
    },
  ],
});
