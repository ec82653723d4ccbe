import { lookUp } from '#kernel/lists';
import { type At, type Field, firstOf } from '../field.ts';
import { integration, OPTIONS, type Said } from '../integration.ts';
import { facts, link, md, paragraphs } from '../markdown.ts';
import { UnsupportedEvent } from '../faults.ts';
import {
  deployment,
  did,
  emoji,
  item,
  job,
  note,
  pipeline,
  project,
  push,
  type Reader,
  tag,
  thing,
  who,
} from '../gitlab/index.ts';
import { asWords, capital, mark, noted } from '../words/index.ts';
import { gitlabSamples } from './gitlab.samples.ts';

/** Readers by the `X-Gitlab-Event` header. */
const READERS: Readonly<Record<string, Reader>> = {
  'Push Hook': push,
  'Tag Push Hook': tag,
  'Issue Hook': item,
  'Confidential Issue Hook': item,
  'Work Item Hook': item,
  'Confidential Work Item Hook': item,
  'Merge Request Hook': (at) => thing(at, 'MR', '!'),
  'Note Hook': note,
  'Confidential Note Hook': note,
  'Wiki Page Hook': (at) => ({
    topic: project(at),
    content: md`${who(at)} ${did(at('object_attributes.action').need)} the wiki page ${link(at('object_attributes.title'), at('object_attributes.url'))}.`,
  }),
  'Job Hook': job,
  'Build Hook': job,
  'Pipeline Hook': pipeline,
  'Release Hook': (at) => ({
    topic: `${project(at)} / ${at('tag').need} ${at('name').text}`,
    content: noted(
      md`The release ${link(firstOf(at('name'), at('tag')), at('url'))} was ${asWords(did(at('action').need))}`,
      at('description'),
    ),
  }),
  'Feature Flag Hook': (at) => ({
    topic: project(at),
    content: md`${who(at)} turned the feature flag ${link(at('object_attributes.name'), `${at('project.web_url').text}/-/feature_flags/${at('object_attributes.id').text}`)} ${at('object_attributes.active').isTrue ? 'on' : 'off'}.`,
  }),
  'Deployment Hook': deployment,
  'Resource Access Token Hook': token,
  'Resource Deploy Token Hook': token,
  'Milestone Hook': (at) => ({
    topic: project(at),
    content: noted(
      md`The milestone ${link(at('object_attributes.title'), `${at('project.web_url').text}/-/milestones/${at('object_attributes.iid').text}`)} was ${did(firstOf(at('action'), at('object_attributes.action'), 'update'))}`,
      at('object_attributes.description'),
    ),
  }),
  'Emoji Hook': emoji,
  'Vulnerability Hook': (at) => {
    const it = at('object_attributes');
    return {
      topic: project(at),
      content: paragraphs(
        md`${mark(/^(?:resolved|dismissed)$/.test(it.at('state').text) ? 'good' : 'bad')} A vulnerability is ${it.at('state').text || 'known'}: ${link(it.at('title'), it.at('url'))}`,
        facts({
          Severity: it.at('severity'),
          'Found by': asWords(it.at('report_type').text),
          Where: it.at('location.file'),
          'Known as': knownAs(it),
        }),
      ),
    };
  },
  'Project Hook': (at) => ({
    topic: firstOf(at('name'), 'projects'),
    content: md`The project ${firstOf(at('path_with_namespace'), at('name'))} was ${did(at('event_name').need.replace('project_', ''))}.`,
  }),
  'Member Hook': member,
  'Subgroup Hook': (at) => ({
    topic: firstOf(at('parent_name'), at('name')),
    content: md`The ${at('event_name').text.startsWith('sub') ? 'subgroup' : 'group'} ${at('name')} was ${did(at('event_name').need.replace(/^(?:sub)?group_/, ''))}.`,
  }),
};

/** What happened to a member of a group or a project, by the beginning of the event's name. */
const MEMBERS: Readonly<Record<string, string>> = {
  user_add: 'was added to',
  user_update: 'has another role in',
  user_remove: 'was removed from',
  user_access_request_denied: 'may not join',
  user_access_request: 'asks to join',
};

function member(at: At): Said {
  const [event, role] = [at('event_name').need, firstOf(at('group_access'), at('access_level'), at('project_access'))];
  const [, done] = Object.entries(MEMBERS).find(([start]) => event.startsWith(start)) ?? [];
  const place = firstOf(at('group_name'), at('project_name'), 'members');
  return {
    topic: place,
    content: md`${firstOf(at('user_name'), at('user_username'), 'Somebody')} ${done ?? asWords(event)} ${place}${role === '' ? undefined : md` (${role})`}.`,
  };
}

/** Public identifiers of a vulnerability, such as its CVE. */
function knownAs(it: Field): string {
  const all = it.at('identifiers').list.filter((one) => /^(?:cve|cwe|ghsa)$/.test(one.at('external_type').text));
  return all.map((one) => one.at('name').text).join(', ');
}

/** A token of a project or a group that is about to expire. */
function token(at: At): Said {
  return {
    topic: firstOf(project(at), at('group.group_name'), 'tokens'),
    content: md`The ${at('object_kind').text === 'deploy_token' ? 'deploy' : 'access'} token ${at('object_attributes.name')} expires on ${at('object_attributes.expires_at').text || 'an unknown day'}.`,
  };
}

export const gitlab = integration({
  name: 'gitlab',
  title: 'GitLab',
  category: 'Code',
  setUp: 'In the project or group open Settings, Webhooks. Paste the address as URL and choose the events.',
  events: Object.keys(READERS),
  options: [OPTIONS.branches, OPTIONS.secret],
  signature: { header: 'x-gitlab-token', algorithm: 'plain' },
  read: (at, call) => {
    const sent = call.header('x-gitlab-event');
    // The header of system hooks does not say which event it is.
    const event = sent === 'System Hook' ? systemEvent(at) : sent;
    // It follows a push and repeats what its message says.
    if (event === 'Repository Update Hook') return undefined;
    const reader = lookUp(READERS, event);
    if (!reader) throw new UnsupportedEvent(event);
    const said = reader(at, call);
    return said && { event, ...said };
  },
  samples: gitlabSamples,
});

function systemEvent(at: At): string {
  const kind = firstOf(at('event_name'), at('object_kind'));
  if (kind.startsWith('project_')) return 'Project Hook';
  if (/^(?:sub)?group_(?:create|destroy|rename)/.test(kind)) return 'Subgroup Hook';
  if (/^user_.*_(?:group|team)$/.test(kind)) return 'Member Hook';
  const words = kind.split('_').map(capital);
  return `${kind === 'access_token' ? 'Resource ' : ''}${words.join(' ')} Hook`;
}
