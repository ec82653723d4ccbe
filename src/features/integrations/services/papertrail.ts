import { integration } from '../integration.ts';
import { block, link, md, paragraphs } from '../markdown.ts';
import { counted } from '../words/index.ts';

const event = { received_at: '2026-11-20T10:00:00Z', hostname: 'db-1', program: 'cron', message: 'tide is low' };
const search = { name: 'Tide', query: 'tide', html_search_url: 'https://papertrail.example/searches/1' };

export const papertrail = integration({
  name: 'papertrail',
  title: 'Papertrail',
  category: 'Monitoring',
  setUp: 'Save a search, add an alert of the kind Webhook to it, and paste the address as URL.',
  read: (at) => {
    const rows = (at('events').exists ? at('events') : at('counts')).list;
    const told = rows
      .slice(0, 10)
      .map((one) =>
        at('events').exists
          ? `${one.at('received_at').text} ${one.at('hostname').text} ${one.at('program').text}: ${one.at('message').text}`
          : `${one.at('source_name').text}: ${Object.keys(Object.fromEntries(one.at('timeseries').members)).length} times`,
      );
    return {
      topic: 'logs',
      content: paragraphs(
        md`The search ${link(at('saved_search.name').need, at('saved_search.html_search_url'))} found ${counted(Math.max(at('events').count, at('counts').count), at('events').exists ? 'line' : 'source')}.`,
        block(told.join('\n'), 'text'),
      ),
    };
  },
  samples: [
    { of: 'Lines are found', form: { payload: JSON.stringify({ events: [event, event], saved_search: search }) } },
    {
      of: 'Lines are counted',
      json: { counts: [{ source_name: 'db-1', timeseries: { 1780000000: 2 } }], saved_search: search },
    },
    {
      of: 'One line is found',
      form: {
        payload: JSON.stringify({
          min_id: '7711561783320576',
          max_id: '7711582041804800',
          events: [{ ...event, id: 7711561783320576, source_name: 'db-1', severity: 'Info', facility: 'Auth' }],
          saved_search: { ...search, id: 42, html_edit_url: 'https://papertrail.example/searches/1/edit' },
          frequency: '1 minute',
        }),
      },
    },
  ],
});
