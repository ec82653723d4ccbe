import { integration } from '../integration.ts';
import { built } from '../words/index.ts';

const build = (event: string, results: number) => ({
  event,
  buildid: 34,
  buildername: 'runtests',
  number: 7,
  project: 'boats',
  url: 'https://buildbot.ferry.example/#builders/1/builds/7',
  results,
  timestamp: 1553911142,
});
const RESULTS = [
  'success',
  'success with warnings',
  'failed',
  'skipped',
  'failed with an exception',
  'retried',
  'cancelled',
];

export const buildbot = integration({
  name: 'buildbot',
  title: 'Buildbot',
  category: 'Builds and deployments',
  setUp:
    'In master.cfg add an HttpStatusPush reporter for Zulip, or ZulipStatusPush, whose endpoint is this server and whose token is the key of the bot.',
  events: ['new', 'finished'],
  read: (at) => {
    const event = at('event').need;
    const state = event === 'new' ? 'started' : (RESULTS[at('results').number ?? -1] ?? 'result unknown');
    return {
      event,
      topic: at('project').text || 'general',
      content: built({
        what: `Build #${at('number').text || at('buildid').need} of ${at('buildername').need}`,
        url: at('url'),
        state: state.startsWith('success') ? 'success' : state.startsWith('failed') ? 'failed' : state,
      }),
    };
  },
  samples: [
    { of: 'A build begins', json: build('new', 0) },
    { of: 'A build succeeds', json: build('finished', 0) },
    { of: 'A build of no project is cancelled', json: { ...build('finished', 6), project: '' } },
    { of: 'A build ends nobody knows how', json: build('finished', -1) },
    { of: 'A build fails', json: build('finished', 2) },
  ],
});
