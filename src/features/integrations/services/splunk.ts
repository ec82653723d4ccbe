import { integration } from '../integration.ts';
import { block, code, facts, link, md, paragraphs } from '../markdown.ts';

const ORIGIN = '/var/log/auth.log';
const result = {
  sid: 'rt_scheduler',
  search_name: 'Sudo on db-1',
  app: 'search',
  owner: 'mia',
  results_link: 'https://splunk.ferry.example/app/search/@go?sid=1',
  result: { source: ORIGIN, host: 'db-1', _raw: 'Jan 4 11:14:32 db-1 sudo: session closed for user root' },
};

export const splunk = integration({
  name: 'splunk',
  title: 'Splunk',
  category: 'Monitoring',
  setUp: 'Save a search as an alert, add the trigger action Webhook, and paste the address as URL.',
  read: (at) => {
    const name = at('search_name').text || 'Missing search_name';
    return {
      topic: name,
      content: paragraphs(
        md`The search ${link(name, at('results_link'))} found something.`,
        facts({ Host: at('result.host'), Source: code(at('result.source').text) }),
        block(at('result._raw'), 'text'),
      ),
    };
  },
  samples: [
    { of: 'A search finds something', json: result },
    { of: 'A search without a name', json: { ...result, search_name: undefined } },
    {
      of: 'A search finds something of which little is told',
      json: {
        search_name: 'Tide',
        results_link: 'https://splunk.ferry.example/app/search/@go?sid=2',
        result: { _raw: 'low' },
      },
    },
  ],
});
