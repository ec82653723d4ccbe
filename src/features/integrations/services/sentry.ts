import { lookUp } from '#kernel/lists';
import { type At, Field, firstOf, oneOf } from '../field.ts';
import { type Call, integration, OPTIONS, type Said } from '../integration.ts';
import { block, facts, link, md, paragraphs, quote, time } from '../markdown.ts';
import { UnsupportedEvent } from '../faults.ts';
import { sha256 } from '../signature.ts';
import { asWords, mark, person, state } from '../words/index.ts';

/** Most frames of a stack trace that are shown, the last ones. */
const MAX_FRAMES = 5;

const firstField = (...fields: readonly [Field, ...Field[]]) => fields.find((field) => field.exists) ?? fields[0];
const topicOf = (event: Field) =>
  firstOf(event.at('title'), event.at('message'), event.at('logentry.formatted'), 'Sentry');

/** The value of a tag; tags are pairs of texts. */
const tagOf = (it: Field, name: string) =>
  it
    .at('tags')
    .list.find((pair) => pair.at('0').text === name)
    ?.at('1').text ?? '';

function event(it: Field, url: Field, rule: string): Said {
  const exception = it.at('exception.values').list.at(-1);
  // An event without an exception may have a stack trace of its own.
  const trail = exception === undefined ? it.at('stacktrace.frames') : exception.at('stacktrace.frames');
  const frames = trail.list.slice(-MAX_FRAMES);
  const level = firstOf(it.at('level'), 'error');
  const trace = frames.map((frame) => {
    const line = frame.at('context_line').text.trim();
    const place = `${firstOf(frame.at('filename'), frame.at('module'))}:${frame.at('lineno').text}`;
    return `${place} ${frame.at('function').text}`.trim() + (line === '' ? '' : `\n    ${line}`);
  });
  return {
    event: 'event_alert',
    topic: topicOf(it),
    content: paragraphs(
      md`${mark(/^(?:info|debug|sample)$/.test(level) ? 'note' : 'bad')} ${link(`New ${level}: ${topicOf(it)}`, url.text === '' ? it.at('web_url') : url)}`,
      facts({
        Where: it.at('culprit'),
        Release: it.at('release'),
        Project: it.at('project_name'),
        Environment: firstOf(it.at('environment'), tagOf(it, 'environment')),
        Platform: it.at('platform'),
        Rule: rule,
        When: time(firstField(it.at('datetime'), it.at('timestamp'), it.at('received'))),
      }),
      trace.length === 0 ? undefined : block(trace.join('\n'), it.at('platform').text === 'python' ? 'python' : 'text'),
    ),
  };
}

function issue(at: At): Said {
  const it = at('data.issue');
  const action = at('action').need;
  const assignee =
    action === 'assigned'
      ? md` to ${it.at('assignedTo.type').text === 'team' ? 'the team ' : ''}${person(it.at('assignedTo'))}`
      : undefined;
  const by = person(at('actor'));
  return {
    event: 'issue',
    topic: topicOf(it),
    content: paragraphs(
      md`${link(`Issue ${it.at('shortId').text} ${topicOf(it)}`, firstOf(it.at('web_url'), it.at('permalink')))} was ${asWords(action)}${assignee}${by === '' ? '' : ` by ${by}`}.`,
      facts({
        Level: it.at('level'),
        Status: it.at('status'),
        Where: it.at('culprit'),
        Events: it.at('count'),
        Project: it.at('project.name'),
      }),
    ),
  };
}

const READERS: Readonly<Record<string, (at: At) => Said>> = {
  issue,
  event_alert: (at) => event(at('data.event'), at('data.event.web_url'), at('data.triggered_rule').text),
  error: (at) => ({ ...event(at('data.error'), at('data.error.web_url'), ''), event: 'error' }),
  metric_alert: (at) => ({
    event: 'metric_alert',
    topic: oneOf(at('data.metric_alert.title'), at('data.description_title')),
    content: paragraphs(
      md`${state(at('action').need)} ${link(at('data.description_title'), at('data.web_url'))}`,
      quote(at('data.description_text')),
    ),
  }),
  comment: (at) => ({
    event: 'comment',
    topic: `${at('data.project_slug').text} issue ${at('data.issue_id').text}`,
    content: paragraphs(md`${person(at('actor'))}: comment ${asWords(at('action').need)}.`, quote(at('data.comment'))),
  }),
};

/** The payload of the plugin on old servers: some fields are beside the event instead of in it. */
function legacy(at: At): Said {
  const beside = ['message', 'culprit', 'level', 'project_name'].map((name) => [name, at(name).value]);
  const members = Object.fromEntries(at('event').members.map(([name, { value }]) => [name, value]));
  const whole = new Field({ ...Object.fromEntries(beside), title: at('event.metadata.title').value, ...members });
  return event(whole, at('url'), at('triggering_rules').list[0]?.text ?? '');
}

function read(at: At, call: Call): Said {
  const kind = call.maybeHeader('sentry-hook-resource');
  const reader = lookUp(READERS, kind);
  if (reader) return reader(at);
  // Legacy webhooks do not send the header with the kind.
  if (kind === '' && at('event').exists) return legacy(at);
  // If a proxy removed the header, the kind follows from the payload.
  const told = ['issue', 'error', 'metric_alert'].find((name) => at(`data.${name}`).exists);
  if (kind === '' && told !== undefined) return READERS[told]?.(at) ?? issue(at);
  if (kind === '' && at('data.event').exists)
    return event(at('data.event'), at('data.event.web_url'), at('data.triggered_rule').text);
  throw new UnsupportedEvent(kind || 'unknown');
}

const sampleEvent = {
  title: "ValueError: no boat named 'raft'",
  culprit: 'ferry.harbour in moor',
  level: 'error',
  platform: 'python',
  release: '2.4.0',
  environment: 'production',
  web_url: 'https://sentry.example/organizations/ferry/issues/1/events/2/',
  exception: {
    values: [
      {
        stacktrace: {
          frames: [
            { filename: 'ferry/harbour.py', lineno: 41, function: 'moor', context_line: '    raise ValueError(name)' },
          ],
        },
      },
    ],
  },
};
const sampleIssue = {
  shortId: 'FERRY-1',
  title: sampleEvent.title,
  culprit: sampleEvent.culprit,
  level: 'error',
  status: 'unresolved',
  count: '12',
  project: { name: 'ferry' },
  web_url: 'https://sentry.example/organizations/ferry/issues/1/',
  assignedTo: { name: 'Mia Member' },
};

export const sentry = integration({
  name: 'sentry',
  title: 'Sentry',
  category: 'Monitoring',
  setUp:
    'In Sentry open Settings, Developer Settings, and create an internal integration with the address as Webhook URL. Turn on Alert Rule Action, and the webhooks for issues.',
  events: ['issue', 'event_alert', 'error', 'metric_alert', 'comment'],
  options: [OPTIONS.secret],
  signature: sha256('sentry-hook-signature'),
  read,
  samples: [
    {
      of: 'An alert rule is triggered',
      headers: { 'sentry-hook-resource': 'event_alert' },
      json: { action: 'triggered', data: { event: sampleEvent, triggered_rule: 'Every error' } },
    },
    {
      of: 'An error happens',
      headers: { 'sentry-hook-resource': 'error' },
      json: { action: 'created', data: { error: sampleEvent } },
    },
    {
      of: 'An issue is assigned',
      headers: { 'sentry-hook-resource': 'issue' },
      json: { action: 'assigned', actor: { name: 'Max Member' }, data: { issue: sampleIssue } },
    },
    {
      of: 'An issue is assigned to a team',
      headers: { 'sentry-hook-resource': 'issue' },
      json: {
        action: 'assigned',
        actor: { type: 'user', id: 7, name: 'Max Member' },
        data: {
          assignee: { type: 'team', name: 'Harbour', id: 4 },
          issue: { ...sampleIssue, assignedTo: { type: 'team', id: '4', name: 'harbour' }, permalink: null },
        },
      },
    },
    {
      of: 'An issue is resolved',
      headers: { 'sentry-hook-resource': 'issue' },
      json: {
        action: 'resolved',
        actor: { name: 'Max Member' },
        data: { issue: { ...sampleIssue, status: 'resolved' } },
      },
    },
    {
      of: 'A metric is critical',
      headers: { 'sentry-hook-resource': 'metric_alert' },
      json: {
        action: 'critical',
        data: {
          description_title: 'Critical: latency',
          description_text: '900 ms in the last 10 minutes',
          web_url: 'https://sentry.example/alerts/1/',
        },
      },
    },
    {
      of: 'A comment is made',
      headers: { 'sentry-hook-resource': 'comment' },
      json: {
        action: 'created',
        actor: { name: 'Mia Member' },
        data: { comment: 'Seen in the fog.', project_slug: 'ferry', issue_id: 1 },
      },
    },
    {
      of: 'An alert without its headers',
      json: { action: 'triggered', data: { event: sampleEvent, triggered_rule: 'Every error' } },
    },
    {
      of: 'A legacy webhook',
      json: { url: 'https://sentry.example/issues/1/', event: sampleEvent, triggering_rules: ['Every error'] },
    },
    {
      of: 'A message of the plugin of older servers',
      json: {
        project: 'ferry',
        project_name: 'Ferry',
        culprit: 'ferry.runner in main',
        level: 'error',
        url: 'https://sentry.example/ferry/ferry/issues/156/',
        logger: null,
        message: 'The tide is out',
        id: '156',
        event: {
          received: 1_780_000_000,
          version: '5',
          type: 'default',
          tags: [
            ['environment', 'production'],
            ['level', 'error'],
          ],
          metadata: { title: 'The tide is out' },
        },
      },
    },
    {
      of: 'Something is told that is no error',
      headers: { 'sentry-hook-resource': 'event_alert' },
      json: {
        action: 'triggered',
        data: {
          event: {
            title: 'The ferry sails',
            message: 'The ferry sails',
            culprit: '',
            level: 'info',
            platform: 'javascript',
            release: null,
            datetime: '2026-11-20T10:00:00.656000Z',
            tags: [['level', 'info']],
            web_url: sampleEvent.web_url,
            exception: { values: [{ stacktrace: { frames: [{ filename: 'ferry.js', colno: 25, lineno: 4 }] } }] },
          },
          triggered_rule: 'Every message',
        },
      },
    },
  ],
});
