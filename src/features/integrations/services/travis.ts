import { firstOf } from '../field.ts';
import { integration, OPTIONS } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { built, isBranchWanted } from '../words/index.ts';

const build = (status_message: string, type = 'push') => ({
  id: 1,
  number: '12',
  status: status_message === 'Passed' ? 0 : 1,
  status_message,
  type,
  state: status_message.toLowerCase(),
  duration: 1023,
  commit: '6c457d366a31696c989c011ab75b734d8485a9ba',
  pull_request: type === 'pull_request',
  pull_request_number: type === 'pull_request' ? 7 : null,
  pull_request_title: type === 'pull_request' ? 'Caulk the seams' : null,
  tag: null,
  author_name: 'Mia Member',
  branch: 'main',
  build_url: 'https://app.travis-ci.example/ferry/boats/builds/1',
  compare_url: 'https://github.com/ferry/boats/compare/a...b',
  message: 'Caulk the seams',
  repository: { id: 2, name: 'boats', owner_name: 'ferry', url: null },
});

export const travis = integration({
  name: 'travis',
  title: 'Travis CI',
  category: 'Builds and deployments',
  setUp:
    'In .travis.yml add the address under notifications, webhooks. With the option ignore_pull_requests=false builds of pull requests are told, too.',
  events: ['push', 'pull_request', 'cron', 'api'],
  options: [
    OPTIONS.branches,
    { key: 'ignore_pull_requests', label: 'Leave out builds of pull requests (true unless false)', input_type: 'text' },
  ],
  read: (at, { option }) => {
    const event = firstOf(at('type'), 'push');
    if (event === 'pull_request' && option('ignore_pull_requests') !== 'false') return undefined;
    if (!isBranchWanted(option('branches'), at('branch').text)) return undefined;
    const [pull, tag] = [at('pull_request_number').text, at('tag').text];
    const to = at('branch').text || 'the repository';
    const of =
      pull === '' ? (tag === '' ? to : `the tag ${tag}`) : `PR #${pull} ${at('pull_request_title').text}`.trim();
    return {
      event,
      topic: at('repository.name').need,
      content: built({
        what: `Build ${at('number').need} of ${of}${pull === '' ? '' : ` to ${to}`}`,
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
    { of: 'A build of every night begins', json: { ...build('Pending', 'cron'), status: null, duration: null } },
    { of: 'A build that a program asked for', json: build('Canceled', 'api') },
    { of: 'A build of a tag passes', json: { ...build('Passed'), branch: 'v1.2', tag: 'v1.2' } },
  ],
});
