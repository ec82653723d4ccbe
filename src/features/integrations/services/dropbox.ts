import { integration } from '../integration.ts';
import { md } from '../markdown.ts';

export const dropbox = integration({
  name: 'dropbox',
  title: 'Dropbox',
  category: 'Other',
  setUp: 'In the app console of Dropbox paste the address under Webhooks.',
  read: (at) => {
    const people = at('list_folder.accounts').count || at('delta.users').count;
    return {
      topic: 'Dropbox',
      content: md`Files were changed on Dropbox${people > 1 ? ` by ${people} accounts` : ''}.`,
    };
  },
  samples: [
    { of: 'Files change', json: { list_folder: { accounts: ['dbid:1'] }, delta: { users: [1] } } },
    { of: 'Files of several change', json: { list_folder: { accounts: ['dbid:1', 'dbid:2'] } } },
    { of: 'A call as it was before', json: { delta: { users: [12345678] } } },
  ],
});
