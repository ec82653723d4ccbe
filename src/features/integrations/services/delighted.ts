import { UnsupportedEvent } from '../faults.ts';
import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, link, md } from '../markdown.ts';
import { mark, noted } from '../words/index.ts';

const survey = (score: number, comment: string) => ({
  event_type: 'survey_response.created',
  event_data: {
    id: '1',
    score,
    comment,
    permalink: 'https://delighted.example/r/1',
    person: { id: '5975', name: 'Gus Guest', email: 'gus@ferry.example' },
    person_properties: null,
    notes: [],
    tags: [],
  },
});

export const delighted = integration({
  name: 'delighted',
  title: 'Delighted',
  category: 'Customers',
  setUp: 'In Delighted open Integrations, Webhooks, Add webhook, and paste the address.',
  events: ['survey_response.created', 'survey_response.updated'],
  read: (at) => {
    const event = at('event_type').need;
    const it = at('event_data');
    const score = it.at('score').number;
    if (score === undefined) throw new UnsupportedEvent(event);
    const kind = score > 8 ? 'Promoter' : score > 6 ? 'Passive' : 'Detractor';
    return {
      event,
      topic: 'Survey response',
      content: noted(
        md`${mark(score > 8 ? 'good' : score > 6 ? 'note' : 'bad')} ${link(kind, it.at('permalink'))}: ${firstOf(it.at('person.name'), it.at('person.email'), 'somebody')} gave ${bold(String(score))} of 10`,
        it.at('comment'),
      ),
    };
  },
  samples: [
    { of: 'A promoter', json: survey(9, 'Fast and dry.') },
    { of: 'A passive', json: survey(7, '') },
    { of: 'A detractor changes the answer', json: { ...survey(2, 'Wet.'), event_type: 'survey_response.updated' } },
  ],
});
