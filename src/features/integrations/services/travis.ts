import { firstOf } from '../field.ts';
import { integration, OPTIONS } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { built, isBranchWanted } from '../words/index.ts';

const build = (status_message: string, type = 'push') => ({
  number: '12',
  status_message,
  type,
  author_name: 'Mia Member',
  branch: 'main',
  build_url: 'https://app.travis-ci.example/ferry/boats/builds/1',
  compare_url: 'https://github.com/ferry/boats/compare/a...b',
  message: 'Caulk the seams',
  repository: { name: 'boats' },
});

export const travis = integration({
  name: 'travis',
  title: 'Travis CI',
  category: 'Builds and deployments',
  setUp:
    'In .travis.yml add the address under notifications, webhooks. With the option ignore_pull_requests=false builds of pull requests are told, too.',
  events: ['push', 'pull_request'],
  options: [
    OPTIONS.branches,
    { key: 'ignore_pull_requests', label: 'Leave out builds of pull requests (true unless false)', input_type: 'text' },
  ],
  read: (at, { option }) => {
    const event = firstOf(at('type'), 'push');
    if (event === 'pull_request' && option('ignore_pull_requests') !== 'false') return undefined;
    if (!isBranchWanted(option('branches'), at('branch').text)) return undefined;
    return {
      event,
      topic: at('repository.name').need,
      content: built({
        what: `Build ${at('number').need} of ${at('branch').text || 'the repository'}`,
        url: at('build_url'),
        state: at('status_message').need,
        rest: md`${link('Changes', at('compare_url'))} by ${at('author_name').text || 'somebody'}: ${at('message').text.split('\n')[0]}`,
      }),
    };
  },
  samples: [
    { of: 'A build passes', form: { payload: JSON.stringify(build('Passed')) } },
    { of: 'A build breaks', json: build('Broken') },
    {
      of: 'A build of a pull request fails',
      query: 'ignore_pull_requests=false',
      json: build('Failed', 'pull_request'),
    },
  ],
});
