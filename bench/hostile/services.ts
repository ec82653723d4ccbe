import { INTEGRATIONS } from '#features/integrations';
import { type Attack, posting, times } from './attack.ts';

const MIB = 2 ** 20;
let key = '';

/** Makes an attack of a payload for an integration. */
function service(
  integration: string,
  name: string,
  make: () => unknown,
  query: Readonly<Record<string, string>> = {},
): Attack {
  return {
    name: `${integration}: ${name}`,
    before: async ({ ask }) => {
      if (key !== '') return;
      const short_name = 'builder';
      key = String((await ask('POST', '/bots', { full_name: 'Builder', short_name, bot_type: 2 }))['api_key']);
    },
    send: () => {
      const headers = INTEGRATIONS.find((one) => one.name === integration)?.samples[0]?.headers ?? {};
      const address = new URLSearchParams({ api_key: key, stream: 'channel 0', ...query }).toString();
      const body = make();
      return posting(
        `/api/v1/external/${integration}?${address}`,
        { 'content-type': 'application/json', ...headers },
        typeof body === 'string' ? body : JSON.stringify(body),
      );
    },
  };
}

const push = () => {
  const json = INTEGRATIONS.find(({ name }) => name === 'github')?.samples[0]?.json;
  return typeof json === 'object' ? json : {};
};
const commit = (n: number) => ({
  id: String(n).padStart(40, 'a'),
  message: `m${n}`,
  url: 'https://x.test/',
  author: { name: 'a' },
});
const values = (path: string, count: number) => times(count, () => `{{${path}}}`).join('');

/** Costly payloads for integrations. */
export const SERVICES: readonly Attack[] = [
  service('github', '100,000 commits', () => ({ ...push(), commits: times(75_000, commit) })),
  service('github', '2,000 commits', () => ({ ...push(), commits: times(2_000, commit) })),
  service('github', '10 MiB of one text', () => ({ ...push(), x: 'é'.repeat(5 * MIB - 10_000) })),
  service('github', 'commits of 200 KB of Markdown', () => ({
    ...push(),
    commits: times(20, (n) => ({ ...commit(n), message: '**[_`~'.repeat(1_600) })),
  })),
  service('slack_incoming', '100,000 blocks', () => ({
    text: 'x',
    blocks: times(100_000, () => ({ type: 'section', text: { type: 'mrkdwn', text: '*a* <https://x.test|b>' } })),
  })),
  service('slack_incoming', '3,000 blocks', () => ({
    blocks: times(3_000, () => ({ type: 'section', text: { type: 'mrkdwn', text: '*a* <https://x.test|b>' } })),
  })),
  service('slack_incoming', '100 blocks of 10,000 characters', () => ({
    blocks: times(100, () => ({ type: 'section', text: { type: 'mrkdwn', text: '*_~<a|'.repeat(1_700) } })),
  })),
  service('slack_incoming', '10 MiB of blocks within blocks', () => ({
    blocks: times(100, () => ({
      type: 'context',
      elements: times(100, () => ({ type: 'mrkdwn', text: '*_~<a|'.repeat(170) })),
    })),
  })),
  service('slack_incoming', '20,000 fields and buttons', () => ({
    attachments: times(100, () => ({
      fields: times(100, () => ({ title: 'a', value: 'b' })),
      actions: times(100, () => ({ url: 'https://x.test/', text: 'b' })),
    })),
  })),
  service('slack_incoming', '20,000 characters of markup', () => ({ text: '*_~<a|'.repeat(3_300) })),
  service('generic', '10 MiB without a template', () => ({ a: times(500_000, (n) => n) })),
  service('generic', 'a template of 1,000 large values', () => ({ a: times(10_000, () => 'ab*') }), {
    topic_template: values('a', 300),
    content_template: values('a', 700),
  }),
  service('generic', 'a template of 250 long texts', () => ({ a: '*_`['.repeat(50_000) }), {
    topic_template: values('a', 500),
    content_template: values('a', 700),
  }),
  service('generic', 'nested a million deep', () => '['.repeat(1e6) + ']'.repeat(1e6)),
];
