import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { state } from '../words/index.ts';

const monitor = (alertType: string, name: string) => ({
  monitor_url: 'https://boats.ferry.example',
  monitor_friendly_name: 'Boats',
  alert_type: alertType,
  alert_type_friendly_name: name,
  alert_details: alertType === '1' ? 'HTTP 500' : 'HTTP 200',
  alert_friendly_duration: '3 mins and 4 secs',
});

export const uptimerobot = integration({
  name: 'uptimerobot',
  title: 'UptimeRobot',
  category: 'Monitoring',
  setUp:
    'In UptimeRobot open Integrations, Webhook. Paste the address, choose to send as JSON, and post monitor_friendly_name, monitor_url, alert_type_friendly_name, alert_details and alert_friendly_duration.',
  events: ['up', 'down'],
  read: (at) => {
    const name = at('alert_type_friendly_name').need;
    return {
      event: name.toLowerCase(),
      topic: `${at('monitor_friendly_name').need} (${at('monitor_url').text})`,
      content: md`${state(name)} ${link(at('monitor_friendly_name'), at('monitor_url'))}: ${at('alert_details').text}${at('alert_friendly_duration').text === '' || name.toLowerCase() !== 'up' ? undefined : md`. It was down for ${at('alert_friendly_duration').text}`}.`,
    };
  },
  samples: [
    { of: 'A site is down', json: monitor('1', 'Down') },
    { of: 'A site is up again', json: monitor('2', 'Up') },
    {
      of: 'A site is up again, without a time',
      json: { ...monitor('2', 'Up'), monitor_friendly_name: 'Quay', alert_friendly_duration: '' },
    },
  ],
});
