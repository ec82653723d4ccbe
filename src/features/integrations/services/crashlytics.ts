import { integration } from '../integration.ts';
import { facts, link, md, paragraphs } from '../markdown.ts';
import { counted, mark } from '../words/index.ts';

const issue = {
  event: 'issue_impact_change',
  payload_type: 'issue',
  payload: {
    display_id: 123,
    title: 'Boat.java line 41',
    method: 'moor',
    impact_level: 2,
    crashes_count: 54,
    impacted_devices_count: 16,
    url: 'https://crashlytics.example/1',
  },
};

export const crashlytics = integration({
  name: 'crashlytics',
  title: 'Crashlytics',
  category: 'Monitoring',
  setUp: 'In the settings of the app open Integrations, Web Hook, and paste the address.',
  read: (at) => {
    if (at('event').need === 'verification') return { topic: 'Setup', content: md`Crashlytics is connected.` };
    const it = at('payload');
    return {
      topic: [it.at('display_id').text, it.at('title').need].filter((part) => part !== '').join(': '),
      content: paragraphs(
        md`${mark('bad')} ${link(it.at('title'), it.at('url'))} affects ${counted(it.at('impacted_devices_count').number ?? 0, 'device')}.`,
        facts({ Method: it.at('method'), Crashes: it.at('crashes_count'), Impact: it.at('impact_level') }),
      ),
    };
  },
  samples: [
    { of: 'An issue gets worse', json: issue },
    { of: 'The webhook is verified', json: { event: 'verification', payload_type: 'none' } },
    {
      of: 'An issue affects one device',
      json: {
        ...issue,
        payload: { ...issue.payload, impact_level: 1, crashes_count: 1, impacted_devices_count: 1 },
      },
    },
  ],
});
