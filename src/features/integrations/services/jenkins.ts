import { oneOf } from '../field.ts';
import { integration } from '../integration.ts';
import { code, md } from '../markdown.ts';
import { built } from '../words/index.ts';

const build = (phase: string, status?: string) => ({
  name: 'boats',
  display_name: 'boats',
  url: 'job/boats/',
  build: {
    full_url: 'https://jenkins.ferry.example/job/boats/18/',
    number: 18,
    phase,
    status,
    scm: { branch: 'origin/main', commit: 'c6d86dc6540f' },
  },
});

export const jenkins = integration({
  name: 'jenkins',
  title: 'Jenkins',
  category: 'Builds and deployments',
  setUp:
    'Install the Notification plugin. In the job open Job Notifications, add an endpoint in the format JSON with the protocol HTTP, and paste the address as URL.',
  events: ['STARTED', 'COMPLETED', 'FINALIZED', 'QUEUED'],
  read: (at) => {
    const event = at('build.phase').need.toUpperCase();
    return {
      event,
      topic: oneOf(at('display_name'), at('name')),
      content: built({
        what: `Build #${at('build.number').need} of ${at('name').need}`,
        url: at('build.full_url'),
        state: at('build.status').text || event,
        rest: at('build.scm.commit').exists
          ? md`Commit ${code(at('build.scm.commit').text.slice(0, 7))} on ${at('build.scm.branch').text}.`
          : md``,
      }),
    };
  },
  samples: [
    { of: 'A build waits', json: build('QUEUED') },
    { of: 'A build begins', json: build('STARTED') },
    { of: 'A build fails', json: build('COMPLETED', 'FAILURE') },
    { of: 'A build is over', json: build('FINALIZED', 'SUCCESS') },
  ],
});
