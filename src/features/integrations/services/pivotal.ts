import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { bullets, link, md, paragraphs } from '../markdown.ts';
import { asWords, noted } from '../words/index.ts';

const call = (kind: string, highlight: string, more: object = {}) => ({
  kind,
  message: `Mia ${highlight} this feature`,
  highlight,
  project: { name: 'Boats', id: 1 },
  performed_by: { name: 'Mia Member' },
  primary_resources: [
    {
      kind: 'story',
      id: 48,
      name: 'Tar the keel',
      story_type: 'feature',
      url: 'https://www.pivotaltracker.example/story/show/48',
    },
  ],
  changes: [],
  ...more,
});
/** Changed fields of a story that are shown. */
const NEWS = ['current_state', 'story_type', 'estimate', 'name'];
const KINDS = [
  'story_create_activity',
  'story_update_activity',
  'story_move_activity',
  'story_delete_activity',
  'comment_create_activity',
  'task_create_activity',
];

export const pivotal = integration({
  name: 'pivotal',
  title: 'Pivotal Tracker',
  category: 'Projects',
  setUp: 'In the project open Settings, Webhooks, and paste the address as Webhook URL with the version v5.',
  read: (at) => {
    const kind = at('kind').need;
    if (!KINDS.includes(kind)) throw new UnsupportedEvent(kind);
    const story =
      at('primary_resources').list.find((one) => one.at('kind').text === 'story') ?? at('primary_resources.0');
    const texts = at('changes')
      .list.map((change) => change.at('new_values.text').text || change.at('new_values.description').text)
      .filter((text) => text !== '');
    const states = at('changes').list.flatMap((change) =>
      NEWS.filter(
        (name) => kind !== 'story_create_activity' && change.at(`new_values.${name}`).value !== undefined,
      ).map(
        (name) =>
          md`${asWords(name)}: ${change.at(`original_values.${name}`).text || 'none'} → ${change.at(`new_values.${name}`).text || 'none'}`,
      ),
    );
    return {
      topic: `#${story.at('id').need}: ${story.at('name').text}`,
      content: paragraphs(
        noted(
          md`${at('performed_by.name').text || 'Somebody'} ${at('highlight').text || asWords(kind)} ${link(`${at('project.name').text}: ${story.at('name').need}`, story.at('url'))}`,
          texts[0] ?? '',
        ),
        bullets(states),
      ),
    };
  },
  samples: [
    { of: 'A story is added', json: call('story_create_activity', 'added') },
    {
      of: 'A story is started',
      json: call('story_update_activity', 'started', {
        changes: [{ new_values: { current_state: 'started' }, original_values: { current_state: 'unstarted' } }],
      }),
    },
    {
      of: 'A story is moved',
      json: call('story_move_activity', 'moved', {
        changes: [
          {
            kind: 'story',
            change_type: 'update',
            original_values: { current_state: 'unstarted', after_id: 6, before_id: 7 },
            new_values: { current_state: 'unscheduled', after_id: 8, before_id: null },
          },
        ],
      }),
    },
    {
      of: 'A story becomes a bug',
      json: call('story_update_activity', 'edited', {
        changes: [
          {
            kind: 'story',
            change_type: 'update',
            id: 48,
            original_values: { estimate: 3, updated_at: 1, story_type: 'feature' },
            new_values: { estimate: null, updated_at: 2, story_type: 'bug' },
          },
        ],
      }),
    },
    {
      of: 'A story is commented on',
      json: call('comment_create_activity', 'added comment:', { changes: [{ new_values: { text: 'Tar helps.' } }] }),
    },
  ],
});
