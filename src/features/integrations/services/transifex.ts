import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, md } from '../markdown.ts';

export const transifex = integration({
  name: 'transifex',
  title: 'Transifex',
  category: 'Other',
  setUp: 'In the project open Settings, Webhooks, and paste the address as URL.',
  read: (at) => {
    const reviewed = at('reviewed').text;
    const percent = firstOf(reviewed, at('translated'), '0');
    return {
      topic: `${at('project').need} in ${at('language').need}`,
      content: md`The resource ${bold(at('resource'))} is ${percent}% ${reviewed === '' ? 'translated' : 'reviewed'}.`,
    };
  },
  samples: [
    { of: 'A resource is translated', json: { project: 'boats', resource: 'signs', language: 'en', translated: 100 } },
    { of: 'A resource is reviewed', json: { project: 'boats', resource: 'signs', language: 'de', reviewed: 80 } },
    { of: 'A resource is begun', json: { project: 'boats', resource: 'menu', language: 'fr', translated: 4 } },
  ],
});
