import { lookUp } from '#kernel/lists';
import { type Field, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bold, facts, link, md, paragraphs, quote, time } from '../markdown.ts';
import { asWords, capital, mark, person } from '../words/index.ts';

const group = {
  eventType: 'NewErrorOccurred',
  application: { name: 'Boats', url: 'https://app.raygun.example/dashboard/1' },
  error: {
    url: 'https://app.raygun.example/error/1',
    message: 'no boat named raft',
    firstOccurredOn: '2026-11-20T10:00:00Z',
    lastOccurredOn: '2026-11-20T11:00:00Z',
    totalOccurrences: 4,
    usersAffected: 2,
    instance: { tags: ['ferry', 'env:quay'], affectedUser: { IsAnonymous: true }, customData: { tide: 'low' } },
  },
};

/** Verbs by `eventType`. */
const ACTIVITIES: Readonly<Record<string, string>> = {
  AssignedToUser: 'assigned',
  CommentAdded: 'commented on',
  CommentAddedToError: 'commented on',
  StatusChanged: 'changed the state of',
};
/** The new assignee or status. */
const became = (it: Field) => {
  const to = firstOf(it.at('assignedTo'), it.at('status'));
  return to === '' ? undefined : md` to ${bold(to)}`;
};

export const raygun = integration({
  name: 'raygun',
  title: 'Raygun',
  category: 'Monitoring',
  setUp: 'In the application open Integrations, Webhook, and paste the address.',
  events: ['error_notification', 'error_activity'],
  read: (at) => {
    const event = at('event').text || 'error_notification';
    const it = at('error');
    const name = firstOf(it.at('message'), 'Error');
    const head =
      event === 'error_activity'
        ? md`${person(it.at('user')) || 'Somebody'} ${lookUp(ACTIVITIES, at('eventType').need) ?? asWords(at('eventType').need)} ${link(name, it.at('url'))}${became(it)}.`
        : md`${mark('bad')} ${capital(asWords(at('eventType').need))}: ${link(name, it.at('url'))}`;
    return {
      event,
      topic: at('application.name').need,
      content: paragraphs(
        head,
        quote(it.at('comment')),
        facts({
          First: it.at('firstOccurredOn').exists ? time(it.at('firstOccurredOn')) : '',
          Last: it.at('lastOccurredOn').exists ? time(it.at('lastOccurredOn')) : '',
          Times: it.at('totalOccurrences'),
          Users: it.at('usersAffected'),
          Tags: [...it.at('tags').list, ...it.at('instance.tags').list].map((tag) => tag.text).join(', '),
        }),
      ),
    };
  },
  samples: [
    { of: 'A new error', json: { event: 'error_notification', ...group } },
    {
      of: 'An error is commented on',
      json: {
        event: 'error_activity',
        eventType: 'CommentAdded',
        application: group.application,
        error: { message: 'no boat named raft', url: group.error.url, comment: 'Ask Max.', user: 'Mia Member' },
      },
    },
    {
      of: 'An error is assigned',
      json: {
        event: 'error_activity',
        eventType: 'AssignedToUser',
        error: {
          url: group.error.url,
          description: 'Error no boat named raft was assigned to Max by Mia',
          message: 'no boat named raft',
          assignedTo: 'Max Member',
          user: 'Mia Member',
        },
        application: group.application,
      },
    },
    {
      of: 'An error is closed',
      json: {
        event: 'error_activity',
        eventType: 'StatusChanged',
        error: { url: group.error.url, message: 'no boat named raft', status: 'Resolved', user: 'Mia Member' },
        application: group.application,
      },
    },
    {
      of: 'An error happened a minute ago, too',
      json: {
        event: 'error_notification',
        eventType: 'OneMinuteFollowUp',
        error: { url: group.error.url, message: '', usersAffected: 1, totalOccurrences: 1 },
        application: group.application,
      },
    },
  ],
});
