import { integration } from '../integration.ts';
import { block } from '../markdown.ts';

export const json = integration({
  name: 'json',
  title: 'JSON',
  category: 'Other',
  setUp: 'Post any JSON to the address. It is shown as it is, indented.',
  read: (at) => ({ topic: 'JSON', content: block(JSON.stringify(at('').value ?? null, null, 2), 'json') }),
  samples: [
    { of: 'An object is posted', json: { tide: 'high', metres: 4.2 } },
    { of: 'A list is posted', json: [1, 'two', null] },
    { of: 'A form is posted', form: { payload: '{"boat": "Ferry"}' } },
  ],
});
