import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { state } from '../words/index.ts';

const check = (state: string, id: number) => ({
  text: `Boats is ${state}`,
  webhook_type: 'AL',
  webhook_event_data: {
    application_name: 'Boats',
    check_name: 'Front page',
    check_state_name: state,
    check_id: id,
    request_url: 'https://boats.ferry.example',
    http_status_code: state === 'Available' ? 200 : 500,
    response_summary: state,
  },
});

export const freshping = integration({
  name: 'freshping',
  title: 'Freshping',
  category: 'Monitoring',
  setUp: 'In Freshping open Settings, Integrations, Webhooks, Create Webhook, and paste the address as Callback URL.',
  read: (at) => {
    const it = at('webhook_event_data');
    if (it.at('application_name').text === 'Webhook test')
      return { topic: 'Freshping', content: md`Freshping is connected.` };
    return {
      topic: firstOf(it.at('check_name'), it.at('application_name'), 'Freshping'),
      content: md`${state(it.at('check_state_name').need)} ${link(it.at('application_name').text || it.at('request_url').need, it.at('request_url'))}${it.at('check_name').text === '' || it.at('check_name').text === it.at('application_name').text ? undefined : md` (${it.at('check_name').text})`}${it.at('http_status_code').text === '' ? undefined : md` answers with ${it.at('http_status_code').text}`}${it.at('response_time').text === '' ? undefined : md` in ${it.at('response_time').text} ms`}.`,
    };
  },
  samples: [
    { of: 'A site is unreachable', json: check('Reporting Error', 1) },
    { of: 'A site is available', json: check('Available', 1) },
    {
      of: 'The webhook is tried',
      json: {
        organization_name: 'Ferry',
        webhook_event_id: 1,
        webhook_type: 'AL',
        webhook_event_data: {
          check_state_name: 'Available',
          check_target_response_time: 100,
          recently_started_check_state_name: null,
          check_id: 1,
          http_status_code: 200,
          check_name: 'Example check',
          application_name: 'Webhook test',
          request_url: 'https://www.example.com/',
          response_time: 50,
        },
        webhook_id: 2,
      },
    },
  ],
});
