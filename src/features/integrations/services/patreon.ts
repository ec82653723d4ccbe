import { lookUp } from '#kernel/lists';
import { firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { link, md } from '../markdown.ts';
import { counted } from '../words/index.ts';

const included = [
  { type: 'user', id: '1', attributes: { full_name: 'Gus Guest', url: 'https://www.patreon.example/user?u=1' } },
  {
    type: 'campaign',
    id: '2',
    attributes: { creation_name: 'boats', url: 'https://www.patreon.example/boats', patron_count: 7 },
  },
];
const EVENTS = [
  'members:create',
  'members:update',
  'members:delete',
  'members:pledge:create',
  'members:pledge:update',
  'members:pledge:delete',
];

export const patreon = integration({
  name: 'patreon',
  title: 'Patreon',
  category: 'Money',
  setUp: 'In the Patreon platform documentation open My Webhooks, paste the address and choose the triggers.',
  events: EVENTS,
  options: [OPTIONS.secret],
  signature: { header: 'x-patreon-signature', algorithm: 'md5' },
  read: (at, { header }) => {
    const event = header('x-patreon-event');
    if (!EVENTS.includes(event)) throw new UnsupportedEvent(event);
    const found = (type: string) =>
      at('included').list.find((one) => one.at('type').text === type) ?? at('included.none');
    const [user, campaign] = [found('user'), found('campaign')];
    const it = at('data.attributes');
    const who = link(
      firstOf(user.at('attributes.full_name'), it.at('full_name'), 'Somebody'),
      user.at('attributes.url'),
    );
    const cents = firstOf(
      it.at('currently_entitled_amount_cents'),
      it.at('pledge_amount_cents'),
      it.at('will_pay_amount_cents'),
    );
    const amount = cents === '' || !(Number(cents) > 0) ? undefined : md` (${(Number(cents) / 100).toFixed(2)})`;
    const did =
      lookUp(
        {
          'members:create': 'became a member',
          'members:update': 'changed the membership',
          'members:delete': 'is no longer a member',
          'members:pledge:create': 'pledged',
          'members:pledge:update': 'changed the pledge',
          'members:pledge:delete': 'took back the pledge',
        },
        event,
      ) ?? event;
    return {
      event,
      topic: campaign.at('attributes.creation_name').text || 'Patreon',
      content: md`${who} ${did}${amount}.${campaign.at('attributes.patron_count').text === '' ? undefined : md` There are ${counted(campaign.at('attributes.patron_count').number ?? 0, 'patron')}.`}`,
    };
  },
  samples: EVENTS.map((event) => ({
    of: `A patron: ${event}`,
    headers: { 'x-patreon-event': event },
    json: {
      data: { type: 'member', attributes: { full_name: 'Gus Guest', currently_entitled_amount_cents: 500 } },
      included,
    },
  })),
});
