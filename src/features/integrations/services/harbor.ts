import { lookUp } from '#kernel/lists';
import { firstOf, oneOf } from '../field.ts';
import { UnsupportedEvent } from '../faults.ts';
import { integration } from '../integration.ts';
import { code, facts, md, paragraphs } from '../markdown.ts';
import { built, mark, state } from '../words/index.ts';

const data = {
  resources: [
    {
      digest: 'sha256:954b378c375d',
      tag: 'v1.2',
      resource_url: 'harbor.ferry.example/ferry/boats:v1.2',
      scan_overview: {
        'application/vnd.security.vulnerability.report; version=1.1': {
          severity: 'High',
          scan_status: 'Success',
          summary: { total: 3, fixable: 2, summary: { High: 1, Low: 2 } },
        },
      },
    },
  ],
  repository: { name: 'boats', repo_full_name: 'ferry/boats', namespace: 'ferry' },
};
const NAMES: Readonly<Record<string, string>> = {
  PUSH_ARTIFACT: 'pushed',
  PULL_ARTIFACT: 'pulled',
  DELETE_ARTIFACT: 'deleted',
  pushImage: 'pushed',
  pullImage: 'pulled',
  deleteImage: 'deleted',
};
const EVENTS = [
  'PUSH_ARTIFACT',
  'PULL_ARTIFACT',
  'DELETE_ARTIFACT',
  'SCANNING_COMPLETED',
  'SCANNING_FAILED',
  'SCANNING_STOPPED',
  'REPLICATION',
  'QUOTA_EXCEED',
  'QUOTA_WARNING',
  'TAG_RETENTION',
];

export const harbor = integration({
  name: 'harbor',
  title: 'Harbor',
  category: 'Builds and deployments',
  setUp:
    'In the project open Webhooks, New Webhook, with the type HTTP, the payload format Default, and the address as Endpoint URL.',
  events: EVENTS,
  read: (at) => {
    const event = at('type').need;
    const it = at('event_data');
    const resource = it.at('resources.0');
    const topic = firstOf(it.at('repository.repo_full_name'), it.at('replication.artifact_type'), 'Harbor');
    const image = code(firstOf(resource.at('resource_url'), resource.at('tag'), resource.at('digest'), 'an artifact'));
    const changed = lookUp(NAMES, event);
    if (changed !== undefined)
      return { event, topic, content: md`${at('operator').text || 'Somebody'} ${changed} ${image}.` };
    if (event === 'REPLICATION')
      return {
        event,
        topic,
        content: built({
          what: `Replication to ${it.at('replication.dest_resource.endpoint').text}`,
          url: it.at('replication.dest_resource.endpoint'),
          state: oneOf(it.at('replication.job_status'), it.at('replication.status')),
        }),
      };
    if (event.startsWith('QUOTA')) {
      const word = state(event === 'QUOTA_EXCEED' ? 'quota exceeded' : 'quota nearly used', 'bad');
      return { event, topic, content: paragraphs(word, md`${it.at('custom_attributes.Details').text}`) };
    }
    if (event === 'TAG_RETENTION') {
      const kept = md`${it.at('retention.retained').text || 'some'} of ${it.at('retention.total').text || 'all'}`;
      return {
        event,
        topic,
        content: md`${at('operator').text || 'Somebody'} ran the tag retention: kept ${kept} artifacts.`,
      };
    }
    if (!event.startsWith('SCANNING') && !event.startsWith('scanning')) throw new UnsupportedEvent(event);
    const did = /failed|stopped/i.exec(event)?.[0].toLowerCase();
    const report = resource.at('scan_overview').members[0]?.[1] ?? it;
    return {
      event,
      topic,
      content: paragraphs(
        md`${mark(did === 'failed' ? 'bad' : did === 'stopped' ? 'note' : 'good')} Scan of ${image} ${did ?? 'completed'}.`,
        facts({
          Severity: report.at('severity'),
          Vulnerabilities: report.at('summary.total'),
          Fixable: report.at('summary.fixable'),
          ...Object.fromEntries(report.at('summary.summary').members),
        }),
      ),
    };
  },
  samples: EVENTS.map((type) => ({
    of: `An artifact: ${type}`,
    json: {
      type,
      operator: 'mia',
      event_data:
        type === 'REPLICATION'
          ? {
              repository: data.repository,
              replication: {
                artifact_type: 'image',
                job_status: 'Success',
                dest_resource: { endpoint: 'https://mirror.ferry.example' },
              },
            }
          : {
              ...data,
              ...(type.startsWith('QUOTA') && {
                resources: [{ digest: 'sha256:954b378c375d' }],
                custom_attributes: { Details: 'adding 2.1 MiB of storage to 97.9 MiB of 100.0 MiB' },
              }),
              ...(type === 'TAG_RETENTION' && { retention: { total: 15, retained: 5 } }),
            },
    },
  })),
});
