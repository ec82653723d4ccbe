import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';

const call = (type: string, data: object) => ({ type, collectiveId: 1, data });

export const opencollective = integration({
  name: 'opencollective',
  title: 'Open Collective',
  category: 'Money',
  setUp: 'In the collective open Settings, Webhooks, and paste the address as URL with the activity New Member.',
  read: (at) => {
    if (at('type').need !== 'collective.member.created') throw new UnsupportedEvent(at('type').text);
    const member = at('data.member.memberCollective');
    const name = member.at('name').text || 'Somebody';
    const amount = at('data.order.formattedAmount').text;
    const interval = at('data.order.interval').text;
    return {
      topic: 'New Member',
      content: md`${member.at('slug').exists ? link(name, `https://opencollective.com/${member.at('slug').text}`) : md`${name}`} ${amount === '' ? 'joined' : `gave ${amount}`}${interval === '' ? '' : ` every ${interval}`}. :tada:`,
    };
  },
  samples: [
    {
      of: 'Somebody gives once',
      json: call('collective.member.created', {
        member: { memberCollective: { name: 'Gus Guest', slug: 'gus' } },
        order: { formattedAmount: '$5.00' },
      }),
    },
    {
      of: 'Somebody gives every month',
      json: call('collective.member.created', {
        member: { memberCollective: { slug: 'mia', name: 'Mia Member' } },
        order: { formattedAmount: '$9.00', interval: 'month' },
      }),
    },
    {
      of: 'Somebody gives unnamed',
      json: call('collective.member.created', {
        member: { memberCollective: {} },
        order: { formattedAmount: '$1.00' },
      }),
    },
  ],
});
