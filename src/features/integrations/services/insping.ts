import { integration } from '../integration.ts';
import { facts, link, md, paragraphs, time } from '../markdown.ts';
import { state } from '../words/index.ts';

const call = (state: string) => ({
  webhook_type: 'AL',
  webhook_event_data: {
    check_state_name: state,
    application_name: 'Boats',
    http_status_code: state === 'Not Responding' ? null : state === 'Available' ? 200 : 500,
    request_url: 'https://boats.ferry.example',
    response_time: 223,
    request_start_time: '2026-11-20T10:00:00Z',
  },
});

export const insping = integration({
  name: 'insping',
  title: 'Insping',
  category: 'Monitoring',
  setUp: 'In Insping open Account Settings, Integrations, WebHook, and paste the address.',
  read: (at) => {
    const it = at('webhook_event_data');
    return {
      topic: 'insping',
      content: paragraphs(
        md`${state(it.at('check_state_name').need)} ${link(it.at('request_url'), it.at('request_url'))}`,
        facts({
          Application: it.at('application_name'),
          Status: it.at('http_status_code'),
          Answer: it.at('response_summary'),
          'Response time': it.at('response_time').text === '' ? '' : `${it.at('response_time').text} ms`,
          Time: it.at('request_start_time').exists ? time(it.at('request_start_time')) : '',
        }),
      ),
    };
  },
  samples: [
    { of: 'A site is available', json: call('Available') },
    { of: 'A site does not answer', json: call('Not Responding') },
    { of: 'A site answers with an error', json: call('Reporting Error') },
  ],
});
