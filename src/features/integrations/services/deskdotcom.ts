import { integration } from '../integration.ts';
import { lines, md } from '../markdown.ts';

export const deskdotcom = integration({
  name: 'deskdotcom',
  title: 'Desk.com',
  category: 'Customers',
  setUp:
    'Under Apps, Other Integrations, Custom Action make an action that posts the text as data to the address, and use it in rules. The bot and its key are the basic credentials.',
  read: (at) => ({
    topic: 'Desk.com notification',
    content: lines(
      at('data')
        .need.split('\n')
        .map((line) => md`${line}`),
    ),
  }),
  samples: [
    { of: 'A rule applies', form: { data: 'Case 7 was changed by Mia.\nStatus: open' } },
    { of: 'A case is new', form: { data: 'There is a new case: Lost luggage' } },
    { of: 'A text of one line', form: { data: 'Case 8 was resolved.' } },
  ],
});
