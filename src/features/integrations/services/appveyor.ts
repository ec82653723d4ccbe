import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { built } from '../words/index.ts';

const event = (name: string, status: string) => ({
  eventName: name,
  eventData: {
    passed: status === 'completed',
    failed: status === 'failed',
    status,
    started: '11/20/2026 10:04 AM',
    finished: '11/20/2026 10:06 AM',
    duration: '00:02:54.1586505',
    projectName: 'boats',
    buildNumber: 12,
    buildVersion: '1.0.12',
    repositoryName: 'ferry/boats',
    commitId: 'c06e208b47',
    commitAuthor: 'Mia Member',
    commitMessage: 'Caulk the seams',
    branch: 'main',
    buildUrl: 'https://ci.appveyor.example/project/ferry/boats/build/1.0.12',
    commitUrl: 'https://github.com/ferry/boats/commit/c06e208b47',
  },
});

export const appveyor = integration({
  name: 'appveyor',
  title: 'AppVeyor',
  category: 'Builds and deployments',
  setUp:
    'In the project open Settings, Notifications, Add notification, Webhook, and paste the address as Webhook URL.',
  read: (at) => ({
    topic: at('eventData.projectName').need,
    content: built({
      what: `Build ${at('eventData.buildVersion').need}`,
      url: at('eventData.buildUrl'),
      state: at('eventData.status').need,
      rest: md`${at('eventData.branch').text === '' ? '' : `On ${at('eventData.branch').text}, `}${link(at('eventData.commitId').text.slice(0, 7) || 'Commit', at('eventData.commitUrl'))} by ${at('eventData.commitAuthor').text}: ${at('eventData.commitMessage').text}`,
    }),
  }),
  samples: [
    { of: 'A build succeeds', json: event('build_success', 'completed') },
    { of: 'A build fails', json: event('build_failure', 'failed') },
    { of: 'A build is cancelled', json: event('build_cancelled', 'cancelled') },
  ],
});
