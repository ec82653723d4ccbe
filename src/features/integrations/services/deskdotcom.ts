import { integration } from '../integration.ts';
import { lines, link, type Markdown, md } from '../markdown.ts';

/**
 * A link to a case, in the format of Desk.com's rules. Only these stay links, because the same text contains what
 * customers write.
 */
const CASE = /<a href=(?:'|")(https?:\/\/[\w.-]{1,200}\/web\/agent\/[\w/.-]{1,200})(?:'|")>([^<>]{1,500})<\/a>/;

function lineOf(line: string): Markdown {
  // The split gives text, address, label, text, and so on.
  const parts = line.split(CASE);
  const said = parts.map((part, index) => {
    if (index % 3 === 0) return part === '' ? undefined : md`${part}`;
    return index % 3 === 1 ? link(parts[index + 1] ?? '', part) : undefined;
  });
  return lines(said, '');
}

export const deskdotcom = integration({
  name: 'deskdotcom',
  title: 'Desk.com',
  category: 'Customers',
  setUp:
    'Under Apps, Other Integrations, Custom Action make an action that posts the text as data to the address, and use it in rules. The bot and its key are the basic credentials.',
  read: (at) => ({
    topic: 'Desk.com notification',
    content: lines(at('data').need.split('\n').map(lineOf)),
  }),
  samples: [
    { of: 'A rule applies', form: { data: 'Case 7 was changed by Mia.\nStatus: open' } },
    { of: 'A case is new', form: { data: 'There is a new case: Lost luggage' } },
    {
      of: 'A rule names the case',
      form: {
        data: "Case 2 was changed. Link: <a href='https://ferry.desk.com/web/agent/case/2'>Where is my case?</a>",
      },
    },
    { of: 'A text of one line', form: { data: 'Case 8 was resolved.' } },
  ],
});
