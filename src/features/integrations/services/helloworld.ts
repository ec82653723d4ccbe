import { integration } from '../integration.ts';
import { link, md } from '../markdown.ts';

export const helloworld = integration({
  name: 'helloworld',
  title: 'Hello World',
  category: 'Other',
  setUp: 'Post featured_title and featured_url as JSON to the address. This integration is for trying things.',
  read: (at) => ({
    topic: 'Hello World',
    content: md`Hello! I am happy to be here. :smile: The article of the day is ${link(at('featured_title'), at('featured_url'))}.`,
  }),
  samples: [
    { of: 'A greeting', json: { featured_title: 'Ferry', featured_url: 'https://wiki.example/Ferry' } },
    {
      of: 'A title with brackets',
      json: { featured_title: 'Ferry [boat]', featured_url: 'https://wiki.example/Ferry_(boat)' },
    },
    {
      of: 'A title of another script',
      json: { featured_title: 'Fähre', featured_url: 'https://wiki.example/F%C3%A4hre' },
    },
  ],
});
