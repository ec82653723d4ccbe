import { lookUp } from '#kernel/lists';
import { type At, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS } from '../integration.ts';
import { bullets, code, facts, link, md, paragraphs, quote } from '../markdown.ts';
import { noted } from '../words/index.ts';

const user = { title: 'mia' };
const review_request = {
  id: 2,
  summary: 'Row faster',
  description: 'Four oars.',
  absolute_url: 'https://reviews.ferry.example/r/2/',
  status: 'pending',
  branch: 'oars',
  target_people: [{ title: 'max' }],
  links: { submitter: user, repository: { title: 'boats' } },
};
const review = {
  body_top: 'Left oars only.',
  absolute_url: 'https://reviews.ferry.example/r/2/#review8',
  ship_it: true,
  links: { user },
};
const EVENTS = [
  'review_request_published',
  'review_request_reopened',
  'review_request_closed',
  'review_published',
  'reply_published',
];

/** A review's comments on lines and files. */
const commentsOf = (at: At) =>
  ['general_comments', 'diff_comments', 'file_attachment_comments'].flatMap((path) =>
    at(path).list.map((one) => {
      const file = one.at('links.filediff.title').text.replace(/ \(.*/, '');
      const line = one.at('first_line').text;
      const place = file === '' ? undefined : md`${code(file)}${line === '' ? undefined : md`, line ${line}`}: `;
      return md`${place}${one.at('text').text || 'a comment'}`;
    }),
  );

export const reviewboard = integration({
  name: 'reviewboard',
  title: 'Review Board',
  category: 'Code',
  setUp: 'In Review Board open Admin, WebHooks, Add. Paste the address as URL and choose JSON.',
  events: EVENTS,
  options: [OPTIONS.secret],
  signature: { header: 'x-hub-signature', algorithm: 'sha1', prefix: 'sha1=' },
  read: (at, { header }) => {
    const event = header('x-reviewboard-event');
    if (!EVENTS.includes(event)) throw new UnsupportedEvent(event);
    const name = link(
      `#${at('review_request.id').need}: ${at('review_request.summary').text}`,
      at('review_request.absolute_url'),
    );
    const topic = at('review_request.links.repository.title').text || 'Review Board';
    if (event === 'review_published')
      return {
        event,
        topic,
        content: paragraphs(
          noted(
            md`${at('review.links.user.title')} ${link(at('review.ship_it').isTrue ? 'approved' : 'reviewed', at('review.absolute_url'))} ${name}`,
            at('review.body_top'),
          ),
          bullets(commentsOf(at)),
          quote(at('review.body_bottom')),
        ),
      };
    if (event === 'reply_published')
      return {
        event,
        topic,
        content: noted(
          md`${at('reply.links.user.title')} ${link('replied', at('reply.links.self.href'))} to the review of ${name}`,
          at('reply.body_top'),
        ),
      };
    const did =
      lookUp({ review_request_published: 'published', review_request_reopened: 'reopened' }, event) ??
      firstOf(at('close_type'), 'closed');
    const people = at('review_request.target_people').list.map((one) => one.at('title').text);
    return {
      event,
      topic,
      content: paragraphs(
        noted(
          md`${firstOf(at('review_request.links.submitter.title'), 'Somebody')} ${did} the review request ${name}`,
          did === 'published' ? at('review_request.description') : '',
        ),
        facts({
          Status: at('review_request.status'),
          Reviewers: people.join(', '),
          Branch: at('review_request.branch'),
        }),
      ),
    };
  },
  samples: [
    ...['review_request_published', 'review_request_reopened', 'review_request_closed'].map((event) => ({
      of: `A review request: ${event}`,
      headers: { 'x-reviewboard-event': event },
      json: { review_request, close_type: 'submitted' },
    })),
    {
      of: 'A review is published',
      headers: { 'x-reviewboard-event': 'review_published' },
      json: {
        review_request,
        review,
        diff_comments: [
          {
            id: 7,
            text: 'A space too many.',
            first_line: 81,
            num_lines: 1,
            links: { user, filediff: { title: 'row.c (PRE-CREATION) -> row.c (dc54788b)' } },
          },
        ],
        general_comments: [{ id: 8, text: 'Row on.', links: { user } }],
      },
    },
    {
      of: 'A reply is published',
      headers: { 'x-reviewboard-event': 'reply_published' },
      json: {
        review_request,
        reply: {
          body_top: 'Both sides now.',
          links: { user, self: { href: 'https://reviews.ferry.example/api/replies/1/' } },
        },
      },
    },
  ],
});
