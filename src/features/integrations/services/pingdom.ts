import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { facts, link, md, paragraphs, quote, time } from '../markdown.ts';
import { state } from '../words/index.ts';

const check = (now: string, before: string) => ({
  check_id: 12345,
  check_name: 'Boats',
  check_type: 'HTTP',
  check_params: { hostname: 'boats.ferry.example', full_url: 'https://boats.ferry.example/' },
  previous_state: before,
  current_state: now,
  long_description: now === 'DOWN' ? 'Invalid status code 500' : 'OK',
  state_changed_timestamp: 1_780_000_000,
  first_probe: { ip: '192.0.2.7', location: 'Atlanta, GA' },
  state_changed_utc_time: '2026-11-20T10:00:00',
});

export const pingdom = integration({
  name: 'pingdom',
  title: 'Pingdom',
  category: 'Monitoring',
  setUp:
    'In Pingdom open Integrations, Add integration, Webhook. Paste the address as URL, and turn the integration on for the checks.',
  events: ['DOWN', 'UP'],
  read: (at) => {
    const event = at('current_state').need;
    const host = firstOf(at('check_params.full_url'), at('check_params.hostname'));
    return {
      event: event === 'SUCCESS' ? 'UP' : event === 'FAILING' ? 'DOWN' : event,
      topic: `${at('check_name').need} status.`,
      content: paragraphs(
        md`${state(event)} ${link(at('check_name').need, host)} (${at('check_type').text || 'check'}), before that ${at('previous_state').text}.`,
        quote(firstOf(at('long_description'), at('description'))),
        facts({
          Host: at('check_params.full_url').exists ? '' : at('check_params.hostname'),
          'Seen from': at('first_probe.location'),
          Since: at('state_changed_timestamp').exists ? time(at('state_changed_timestamp')) : '',
        }),
      ),
    };
  },
  samples: [
    { of: 'A site is down', json: check('DOWN', 'UP') },
    { of: 'A site is up again', json: check('UP', 'DOWN') },
    {
      of: 'A mail server is down',
      json: {
        ...check('DOWN', 'UP'),
        check_type: 'SMTP',
        check_params: { encryption: false, hostname: 'smtp.ferry.example', port: 25 },
        long_description: 'Connection refused',
      },
    },
    {
      of: 'A transaction fails',
      json: {
        ...check('FAILING', 'SUCCESS'),
        check_type: 'TRANSACTION',
        check_params: { hostname: '' },
        long_description: 'Step 2 failed',
      },
    },
  ],
});
