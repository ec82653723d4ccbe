import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, md, time } from '../markdown.ts';

const goal = (delta: number) => ({
  goal: {
    id: '1',
    slug: 'row',
    title: 'Row every day',
    losedate: 1780000000,
    limsum: '+2 in 3 days',
    limsumdate: '+2 due',
    goal_type: 'hustler',
    pledge: delta,
    color: 'red',
    yaw: 1,
  },
});

export const beeminder = integration({
  name: 'beeminder',
  title: 'Beeminder',
  category: 'Other',
  setUp: 'In the account settings open Reminders, Webhook, and paste the address.',
  read: (at) => {
    const it = at('goal');
    const pledge = it.at('pledge').number ?? 0;
    return {
      topic: 'beekeeper',
      content: md`:time_ticking: The goal ${bold(it.at('slug'))} derails ${it.at('losedate').exists ? time(it.at('losedate')) : 'soon'}. You need ${bold(firstOf(it.at('limsum'), 'more'))}${pledge > 0 ? ` to keep ${pledge} dollars` : ''}.`,
    };
  },
  samples: [
    { of: 'A goal is about to be missed', json: goal(5) },
    { of: 'A goal without a pledge', json: goal(0) },
    {
      of: 'A goal of which less is told',
      json: { goal: { slug: 'swim', losedate: 1780086400, limsum: '+1 in 1 day', pledge: 0 } },
    },
  ],
});
