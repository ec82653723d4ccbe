import { type Field, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { facts, lines, link, md, paragraphs } from '../markdown.ts';
import { asWords } from '../words/index.ts';

/** The answers in the order of the form. An uploaded file's value is its name and a suffix. */
function valuesOf(raw: Field): readonly string[] {
  const answers = raw.members.filter(([name]) => /^q\d+_/.test(name)).map(([, value]) => value);
  const uploads = raw.at('temp_upload').members.map(([, value]) => value);
  const textOf = (value: Field) =>
    firstOf(
      value,
      [...value.list, ...value.members.map(([, one]) => one)].map((one) => one.text.split('#jotform')[0]).join(' '),
    );
  return [...answers, ...uploads].map(textOf).filter((text) => text !== '');
}

/**
 * Finds the label of each answer. Labels and answers may both contain the separators, so the answers' texts are
 * searched for.
 */
function labelled(pretty: string, raw: Field): readonly (readonly [string, string])[] | undefined {
  const found = valuesOf(raw).map((value) => ({ value, at: pretty.indexOf(`:${value}`) }));
  if (found.length === 0 || found.some(({ at }) => at < 0)) return undefined;
  const sorted = found.toSorted((a, b) => a.at - b.at);
  const ends = sorted.map(({ value, at }) => at + 1 + value.length);
  if (sorted.some(({ at }, index) => at < (ends[index - 1] ?? 0)) || /:.*\S/.test(pretty.slice(ends.at(-1))))
    return undefined;
  return sorted.map(({ value, at }, index) => [
    pretty
      .slice(ends[index - 1] ?? 0, at)
      .replace(/^, /, '')
      .replace(/:$/, ''),
    value,
  ]);
}

export const jotform = integration({
  name: 'jotform',
  title: 'Jotform',
  category: 'Other',
  setUp: 'In the form open Settings, Integrations, WebHooks, and paste the address.',
  read: (at) => {
    const raw = at('rawRequest').parsed;
    const pretty =
      labelled(at('pretty').text, raw) ??
      at('pretty')
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
        lines(
          raw.at('fileUpload').list.map((file, index) => link(`File ${index + 1}`, file)),
          ' · ',
        ),
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
      of: 'A form whose questions and answers have commas and colons',
      form: {
        formID: '4',
        submissionID: '47',
        formTitle: 'Crossing',
        pretty:
          'When, roughly: day:Friday: noon, or later, Quays, all::North; 1 South, Photo of the case, please:red, case.png',
        rawRequest: JSON.stringify({
          slug: 'submit/4',
          q10_when: 'Friday: noon, or later',
          q23_quays: ['North; 1', 'South'],
          temp_upload: { q22_photo: ['red, case.png#jotformfs-e4f4#0196'] },
          fileUpload: ['https://www.jotform.example/uploads/4/47/red%2C%20case.png'],
        }),
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
