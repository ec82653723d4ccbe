import { type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { counted, noted, person } from '../words/index.ts';

const site = { site_name: 'boats.ferry.example', site_token: 'GSN-1' };

/** The visitor's name, or the made-up one of an anonymous visitor. */
const visitor = (one: Field) => person(one) || person(one.at('_anon'));

/** The page that the visitor was on. */
const onPage = (session: Field) =>
  session.at('href').text === ''
    ? undefined
    : md` on ${link(firstOf(session.at('title'), session.at('href')), session.at('href'))}`;

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
        content: md`${link(at('siteDetails.domain').text || 'The site', `https://www.gosquared.com/now/${at('siteDetails.acct').text}`)} has ${counted(at('concurrents').number ?? 0, 'visitor')} online${at('triggeredAlert.value').exists ? md` (the alert is for ${at('triggeredAlert.boundary').text === 'lower' ? 'at most' : 'at least'} ${at('triggeredAlert.value').text})` : undefined}.`,
      };
    if (!at('message').exists) throw new UnsupportedEvent(firstOf(at('type'), 'unknown'));
    if (at('message.private').isTrue || firstOf(at('message.type')) === 'private') return undefined;
    return {
      event: 'message',
      topic: `Live chat session - ${firstOf(at('message.session.title'), visitor(at('person')), 'somebody')}`,
      content: noted(
        md`${firstOf(at('message.agent.name'), visitor(at('person')), 'Somebody')} wrote${onPage(at('message.session'))}`,
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
        triggeredAlert: { id: 1, boundary: 'upper', value: '30', type: 'concurrents' },
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
    {
      of: 'Somebody without a name writes',
      json: {
        site_token: site.site_token,
        version: '0.0.1',
        person: { status: 'visitor', _anon: { name: 'Sunny Shape' }, presence: 'online', email: '', name: '' },
        message: {
          session: { title: 'Ferry', href: 'https://boats.ferry.example/' },
          content: 'Hello?',
          from: 'client',
          type: 'message',
          private: false,
        },
      },
    },
  ],
});
