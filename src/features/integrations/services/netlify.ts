import { firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { lines, link, md } from '../markdown.ts';
import { asWords, built, isBranchWanted } from '../words/index.ts';

const deploy = {
  id: '5b64d2c3',
  state: 'ready',
  commit_ref: 'c6d86dc6540f1f0c2d3ea0d0e5a8f2b1c4d7e9aa',
  commit_url: 'https://github.com/ferry/boats/commit/c6d86dc6540f',
  name: 'boats',
  title: 'Caulk the seams',
  branch: 'main',
  context: 'production',
  deploy_ssl_url: 'https://boats.netlify.example',
  admin_url: 'https://app.netlify.example/sites/boats',
  error_message: null,
};
const EVENTS = [
  'deploy_building',
  'deploy_created',
  'deploy_failed',
  'deploy_locked',
  'deploy_unlocked',
  'deploy_deleted',
  'deploy_request_pending',
  'deploy_request_accepted',
  'deploy_request_rejected',
];

export const netlify = integration({
  name: 'netlify',
  title: 'Netlify',
  category: 'Builds and deployments',
  setUp:
    'On the site open Site configuration, Notifications, Add notification, HTTP POST request. Paste the address and choose the event.',
  events: EVENTS,
  options: [OPTIONS.branches],
  read: (at, { maybeHeader, option }) => {
    const event = maybeHeader('x-netlify-event') || 'deploy_created';
    if (!EVENTS.includes(event)) throw new UnsupportedEvent(event);
    if (!isBranchWanted(option('branches'), at('branch').text)) return undefined;
    return {
      event,
      topic: `${at('name').need} / ${at('branch').need}`,
      content: built({
        what: `Deployment of ${at('title').text || at('branch').text}`,
        // A failed deployment has only a log to link to.
        url: firstOf(
          event === 'deploy_failed' && at('id').exists ? `${at('admin_url').text}/deploys/${at('id').text}` : '',
          at('deploy_ssl_url'),
          at('url'),
          at('admin_url'),
        ),
        state: event === 'deploy_created' ? 'success' : asWords(event.replace('deploy_', '')),
        rest: lines(
          [
            at('commit_url').exists
              ? link(`Commit ${at('commit_ref').text.slice(0, 7)}`.trim(), at('commit_url'))
              : undefined,
            md`${at('error_message').text}`,
          ],
          '. ',
        ),
      }),
    };
  },
  samples: EVENTS.map((event) => ({
    of: `A deployment: ${event}`,
    headers: { 'x-netlify-event': event },
    json:
      event === 'deploy_failed'
        ? {
            ...deploy,
            state: 'error',
            title: null,
            commit_ref: null,
            commit_url: null,
            error_message: 'Build script returned 2',
          }
        : deploy,
  })),
});
