import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { bold, bullets, facts, link, type Markdown, md, paragraphs, quote, time } from '../markdown.ts';
import { sha256 } from '../signature.ts';
import { asWords, capital, noted, person } from '../words/index.ts';

const ADDRESS = 'https://ferry.atlassian.net';
const issue = {
  key: 'FERRY-7',
  self: `${ADDRESS}/rest/api/2/issue/10007`,
  fields: {
    summary: 'The keel leaks',
    description: 'Below the bench.',
    priority: { name: 'High' },
    status: { name: 'To do' },
    issuetype: { name: 'Bug' },
    assignee: { displayName: 'Max Member' },
  },
};
const user = { displayName: 'Mia Member' };
const comment = { author: user, body: 'Tar helps.', self: `${ADDRESS}/rest/api/2/issue/10007/comment/1` };

const sprint = {
  id: 4,
  self: `${ADDRESS}/rest/agile/1.0/sprint/4`,
  state: 'active',
  name: 'Spring tide',
  startDate: '2026-11-20T10:00:00.000Z',
  endDate: '2026-12-04T10:00:00.000Z',
  originBoardId: 2,
};
const version = { id: '10', self: `${ADDRESS}/rest/api/2/version/10`, name: '1.2', released: true, projectId: 1 };
const project = {
  id: 1,
  self: `${ADDRESS}/rest/api/2/project/1`,
  key: 'FERRY',
  name: 'Ferry',
  projectLead: user,
};

/** An issue's web address, derived from its API address. */
const address = (at: At) =>
  `${/^https?:\/\/[^/]+(?:\/.*?)?(?=\/rest\/)/.exec(at('issue.self').text)?.[0] ?? ''}/browse/${at('issue.key').need}`;
/** For comments and worklogs, some servers send only the issue's ID in the API address. */
const numberOf = (at: At) =>
  firstOf(at('worklog.issueId'), /\/issue\/(\d+)\//.exec(firstOf(at('comment.self'), at('worklog.self')))?.[1] ?? '');
const subject = (at: At) =>
  !at('issue').exists && numberOf(at) !== ''
    ? `issue ${numberOf(at)}`
    : `${at('issue.key').need}: ${at('issue.fields.summary').text}`;
const named = (at: At) => (at('issue').exists ? link(subject(at), address(at)) : md`${subject(at)}`);
const who = (at: At) =>
  firstOf(
    person(at('user')),
    ...['comment', 'worklog', 'attachment'].flatMap((one) => [
      person(at(`${one}.updateAuthor`)),
      person(at(`${one}.author`)),
    ]),
    'Somebody',
  );

/** A text with Jira's most common markup converted to Markdown. */
const text = (written: Field) =>
  written.text
    .replaceAll(/\\([!?-])/g, '$1')
    .replaceAll(/\{quote\}\n?([^{}]*)\{quote\}/g, (_, said: string) => `\n${said.trim().replaceAll(/^/gm, '> ')}\n`)
    .replaceAll(/\{(?:code|noformat)(?::[^}\n]{0,100})?\}/g, '```')
    .replaceAll(/\[([^\][|\n]{1,300})\|(https?:\/\/[^\s|\]()<>]+)(?:\|[^\]\n]*)?\]/g, '[$1]($2)')
    .replaceAll(/\[(https?:\/\/[^\s|\]()<>]{1,1000})\]/g, '$1')
    .replaceAll(/\[~(?:accountid:)?([^\]\n]{1,100})\]/g, '@$1')
    .replaceAll(/\{\{([^{}\n]{1,300})\}\}/g, '`$1`')
    .replaceAll(/^h[1-6]\.\s+/gm, '### ');

/** Formats seconds of work as hours and minutes. */
function spent(seconds: number | undefined): string {
  if (seconds === undefined) return '';
  const minutes = Math.round(seconds / 60);
  const [hours, rest] = [Math.trunc(minutes / 60), minutes % 60];
  return [hours === 0 ? '' : `${hours} h`, rest === 0 ? '' : `${rest} min`].filter((part) => part !== '').join(' ');
}

/** Describes a worklog of an issue. */
function worked(at: At, did: string): Markdown {
  const time = firstOf(at('worklog.timeSpent'), spent(at('worklog.timeSpentSeconds').number));
  const much = time === '' ? undefined : md` (${time})`;
  return noted(md`${who(at)} ${did} work on ${named(at)}${much}`, did === 'deleted' ? '' : text(at('worklog.comment')));
}

/** Old servers report work as a change of the issue's total time, in seconds. */
function workChanged(at: At): Markdown {
  const did = /deleted|updated/.exec(at('issue_event_type_name').text)?.[0];
  const total = at('changelog.items').list.find((item) => item.at('field').text === 'timespent');
  const seconds = spent(total?.at('toString').number);
  return md`${who(at)} ${did === undefined ? 'logged' : did === 'updated' ? 'edited' : did} work on ${named(at)}${seconds === '' ? undefined : md` (${seconds} in all)`}.`;
}

const attached = (at: At, did: string) =>
  md`${who(at)} ${did} ${link(at('attachment.filename').text || 'a file', did === 'attached' ? at('attachment.content') : '')} ${did === 'attached' ? 'to' : 'of'} ${named(at)}.`;

const READERS: Readonly<Record<string, (at: At) => Markdown | undefined>> = {
  'jira:issue_created': (at) =>
    paragraphs(
      md`${who(at)} created ${named(at)}.`,
      facts({
        Kind: at('issue.fields.issuetype.name'),
        Priority: at('issue.fields.priority.name'),
        'Assigned to': person(at('issue.fields.assignee')),
      }),
      quote(text(at('issue.fields.description'))),
    ),
  'jira:issue_updated': updated,
  'jira:issue_deleted': (at) => md`${who(at)} deleted ${named(at)}.`,
  comment_created: (at) => noted(md`${who(at)} commented on ${named(at)}`, text(at('comment.body'))),
  comment_updated: (at) => noted(md`${who(at)} edited a comment on ${named(at)}`, text(at('comment.body'))),
  comment_deleted: (at) => md`${who(at)} deleted a comment on ${named(at)}.`,
  attachment_created: (at) => attached(at, 'attached'),
  attachment_deleted: (at) => attached(at, 'deleted'),
  worklog_created: (at) => worked(at, 'logged'),
  worklog_updated: (at) => worked(at, 'edited'),
  worklog_deleted: (at) => worked(at, 'deleted'),
  'jira:worklog_updated': workChanged,
};

/** Events about other objects than issues, by object; the end of the event's name is the verb. */
const OTHERS: Readonly<
  Record<string, (at: At, did: string) => { readonly topic: string; readonly content: Markdown }>
> = {
  sprint: (at, did) => ({
    topic: at('sprint.name').need,
    content: paragraphs(
      md`The sprint ${bold(at('sprint.name'))} was ${did}.`,
      facts({ From: time(at('sprint.startDate')), Until: time(at('sprint.endDate')) }),
    ),
  }),
  version: (at, did) => ({
    topic: `version ${at('version.name').need}`,
    content: noted(md`The version ${bold(at('version.name'))} was ${did}`, at('version.description')),
  }),
  project: (at, did) => ({
    topic: at('project.key').need,
    content: md`The project ${bold(at('project.name').text || at('project.key').need)} was ${did}.`,
  }),
};
const OTHER_EVENTS = [
  'sprint_created',
  'sprint_started',
  'sprint_closed',
  'jira:version_created',
  'jira:version_released',
  'project_created',
  'project_deleted',
];

function other(at: At, event: string): Said {
  const [, kind = '', did = ''] = /^(?:jira:)?(sprint|version|project)_(\w+)$/.exec(event) ?? [];
  const reader = lookUp(OTHERS, kind);
  if (!reader) throw new UnsupportedEvent(event);
  return { event, ...reader(at, asWords(did)) };
}

function updated(at: At): Markdown | undefined {
  const by = md`${who(at)} updated ${named(at)}`;
  const kind = at('issue_event_type_name').text;
  const did =
    kind === 'issue_comment_edited'
      ? 'edited a comment'
      : kind === 'issue_comment_deleted'
        ? 'deleted a comment'
        : 'commented';
  if (at('comment.body').exists || kind === 'issue_comment_deleted')
    return noted(md`${who(at)} ${did} on ${named(at)}`, did.startsWith('deleted') ? '' : text(at('comment.body')));
  const changes = at('changelog.items').list.map(
    (item) =>
      md`${bold(capital(item.at('field').need))}: ${firstOf(item.at('fromString'), 'none')} → ${firstOf(item.at('toString'), 'none')}`,
  );
  if (changes.length === 0 && at('transition').exists)
    return md`${by}: ${at('transition.from_status')} → ${at('transition.to_status')}.`;
  return changes.length === 0 ? undefined : paragraphs(md`${by}:`, bullets(changes, at('changelog.items').count));
}

export const jira = integration({
  name: 'jira',
  title: 'Jira',
  category: 'Projects',
  setUp:
    'As an administrator of Jira open System, WebHooks, Create a WebHook. Paste the address as URL and choose the events of issues and comments.',
  events: [...Object.keys(READERS), ...OTHER_EVENTS],
  options: [OPTIONS.secret],
  signature: sha256('x-hub-signature', 'sha256='),
  isEncodedTwice: true,
  read: (at) => {
    const event = at('webhookEvent').need;
    const reader = lookUp(READERS, event);
    if (!reader) return other(at, event);
    const content = reader(at);
    return content && { event, topic: subject(at), content };
  },
  samples: [
    { of: 'An issue is created', json: { webhookEvent: 'jira:issue_created', user, issue } },
    {
      of: 'An issue changes',
      json: {
        webhookEvent: 'jira:issue_updated',
        user,
        issue,
        changelog: {
          items: [
            { field: 'status', fromString: 'To do', toString: 'Done' },
            { field: 'assignee', fromString: null, toString: 'Max Member' },
          ],
        },
      },
    },
    {
      of: 'An issue goes on',
      json: {
        webhookEvent: 'jira:issue_updated',
        user,
        issue,
        transition: { from_status: 'Open', to_status: 'Closed' },
      },
    },
    { of: 'An issue is deleted', json: { webhookEvent: 'jira:issue_deleted', user, issue } },
    { of: 'A comment is written', json: { webhookEvent: 'comment_created', comment, issue } },
    { of: 'A comment is edited', json: { webhookEvent: 'comment_updated', comment, issue } },
    {
      of: 'A comment of an older server',
      json: {
        webhookEvent: 'jira:issue_updated',
        issue_event_type_name: 'issue_commented',
        user,
        issue,
        comment: {
          ...comment,
          body: 'See [the tide table|https://ferry.example/tides] and {{tar}}.\r\n\r\n{code:python}\r\nprint("tar")\r\n{code}\r\n\r\n{quote}\r\nAt low tide\\!\r\n{quote}',
        },
        timestamp: 1_780_300_000_000,
      },
    },
    {
      of: 'A comment is deleted of an older server',
      json: { webhookEvent: 'jira:issue_updated', issue_event_type_name: 'issue_comment_deleted', user, issue },
    },
    {
      of: 'A comment whose issue is not told',
      json: { webhookEvent: 'comment_created', comment: { ...comment, body: 'Tar, [~accountid:5c76b994].' } },
    },
    ...['attachment_created', 'attachment_deleted'].map((webhookEvent) => ({
      of: `A file: ${webhookEvent}`,
      json: {
        webhookEvent,
        attachment: {
          id: '10',
          self: `${ADDRESS}/rest/api/2/attachment/10`,
          filename: 'plan.pdf',
          author: user,
          size: 12_345,
          content: `${ADDRESS}/secure/attachment/10/plan.pdf`,
        },
        issue,
      },
    })),
    ...['worklog_created', 'worklog_updated', 'worklog_deleted'].map((webhookEvent) => ({
      of: `Work: ${webhookEvent}`,
      json: {
        webhookEvent,
        worklog: {
          self: `${ADDRESS}/rest/api/2/issue/10007/worklog/66`,
          author: user,
          updateAuthor: user,
          comment: webhookEvent === 'worklog_created' ? '' : 'Tarred.',
          timeSpent: '2h',
          timeSpentSeconds: 7200,
          issueId: '10007',
        },
      },
    })),
    ...['created', 'updated', 'deleted'].map((did) => ({
      of: `Work of an older server: ${did}`,
      json: {
        webhookEvent: 'jira:worklog_updated',
        issue_event_type_name: did === 'created' ? 'issue_work_logged' : `issue_worklog_${did}`,
        user,
        issue,
        changelog: {
          items: [{ field: 'timespent', fromString: '3600', toString: did === 'deleted' ? null : '9000' }],
        },
      },
    })),
    { of: 'A comment is deleted', json: { webhookEvent: 'comment_deleted', comment, issue } },
    ...OTHER_EVENTS.map((webhookEvent) => ({
      of: `Beside issues: ${webhookEvent}`,
      json: {
        timestamp: 1_780_300_000_000,
        webhookEvent,
        ...(webhookEvent.startsWith('sprint') && { sprint }),
        ...(webhookEvent.startsWith('jira:version') && { version }),
        ...(webhookEvent.startsWith('project') && { project }),
      },
    })),
  ],
});
