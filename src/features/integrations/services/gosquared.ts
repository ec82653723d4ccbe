import { firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { counted, noted, person } from '../words/code.ts';

const site = { site_name: 'boats.ferry.example', site_token: 'GSN-1' };

export const gosquared = integration({
  name: 'gosquared',
  title: 'GoSquared',
  category: 'Customers',
  setUp:
    'In GoSquared open Settings, Services, Webhook, Connect, and paste the address. Then choose it under Notifications.',
  events: ['traffic', 'message'],
  read: (at) => {
    if (at('concurrents').exists)
      return {
        event: 'traffic',
        topic: `GoSquared - ${at('siteDetails.domain').text || at('siteDetails.acct').need}`,
        content: md`${link(at('siteDetails.domain').text || 'The site', `https://www.gosquared.com/now/${at('siteDetails.acct').text}`)} has ${counted(at('concurrents').number ?? 0, 'visitor')} online.`,
      };
    if (!at('message').exists) throw new UnsupportedEvent(firstOf(at('type'), 'unknown'));
    if (at('message.private').isTrue || firstOf(at('message.type')) === 'private') return undefined;
    return {
      event: 'message',
      topic: `Live chat session - ${person(at('person')) || 'somebody'}`,
      content: noted(
        md`${firstOf(at('message.agent.name'), person(at('person')), 'Somebody')} wrote`,
        at('message.content'),
      ),
    };
  },
  samples: [
    {
      of: 'Many visitors come',
      json: {
        version: '0.0.1',
        concurrents: 33,
        triggeredAlert: { type: 'concurrents' },
        siteDetails: { acct: site.site_token, domain: site.site_name },
      },
    },
    {
      of: 'Somebody writes',
      json: {
        version: '0.0.1',
        message: { content: 'Is there a night ferry?', private: false },
        person: { name: 'Gus Guest' },
      },
    },
  ],
});
