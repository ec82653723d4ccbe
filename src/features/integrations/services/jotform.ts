import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { facts, link, md, paragraphs } from '../markdown.ts';
import { asWords } from '../words/index.ts';

export const jotform = integration({
  name: 'jotform',
  title: 'Jotform',
  category: 'Other',
  setUp: 'In the form open Settings, Integrations, WebHooks, and paste the address.',
  read: (at) => {
    const raw = at('rawRequest').parsed;
    const pretty = at('pretty')
      .text.split(/, (?=[^,:]{1,80}:)/)
      .map((pair) => pair.split(/:(.*)/s, 2))
      .flatMap(([name = '', value = '']) => (name.trim() === '' ? [] : [[name.trim(), value.trim()] as const]));
    const answers =
      pretty.length > 0
        ? pretty
        : raw.members
            .filter(([name]) => /^q\d+_/.test(name))
            .map(([name, value]) => {
              const said = firstOf(value, value.members.map(([, one]) => one.text).join(' '));
              return [asWords(name.replace(/^q\d+_/, '')), said] as const;
            });
    return {
      topic: at('formTitle').need,
      content: paragraphs(
        md`A new answer${at('submissionID').text === '' ? undefined : md` (${link(at('submissionID').text, `https://www.jotform.com/submission/${at('submissionID').text}`)})`}:`,
        facts(Object.fromEntries(answers)),
      ),
    };
  },
  samples: [
    {
      of: 'A form is answered',
      form: {
        formID: '2',
        submissionID: '45',
        formTitle: 'Tickets',
        pretty: 'Name:Gus Guest, Seats:2, Wishes:A window, please',
        rawRequest: '{"q1_name": {"first": "Gus", "last": "Guest"}, "q2_seats": "2"}',
      },
    },
    {
      of: 'A form without a summary',
      form: {
        formTitle: 'Tickets',
        rawRequest: '{"slug": "submit/2", "q1_name": {"first": "Gus", "last": "Guest"}, "q2_seats": "2"}',
      },
    },
    {
      of: 'A form with a time and an empty answer',
      form: {
        formID: '3',
        submissionID: '46',
        formTitle: 'Crossing',
        pretty: 'Time:10:30, Wishes:',
        rawRequest: '{"q3_time": "10:30"}',
      },
    },
  ],
});
