import { type Field, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bullets, lines, type Markdown, md, paragraphs, time } from '../markdown.ts';
import { links, moodOf, state } from '../words/index.ts';

export const alertmanager = integration({
  name: 'alertmanager',
  title: 'Prometheus Alertmanager',
  category: 'Monitoring',
  setUp:
    'In alertmanager.yml add a receiver with webhook_configs whose url is the address. Options name and desc choose the label of the topic and the annotation that is shown.',
  options: [
    { key: 'name', label: 'Label of the topic (alertname when empty)', input_type: 'text' },
    { key: 'desc', label: 'Label or annotation that is shown', input_type: 'text' },
  ],
  read: (at, { option }) => {
    const name = option('name') || 'alertname';
    const topics = new Map<string, Field[]>();
    for (const alert of at('alerts').list) {
      const topic = firstOf(
        alert.at('labels').at(name),
        alert.at(`annotations.${name}`),
        at(`groupLabels.${name}`),
        'alert',
      );
      topics.set(topic, [...(topics.get(topic) ?? []), alert]);
    }
    const home = links({ Alertmanager: at('externalURL') });
    return [...topics].map(([topic, alerts]) => ({
      topic,
      content: paragraphs(...states(alerts, option('desc')), home),
    }));
  },
  samples: [
    {
      of: 'Two disks fill up, and one is free again',
      json: {
        version: '4',
        receiver: 'chat',
        status: 'firing',
        groupLabels: { alertname: 'DiskFull' },
        commonLabels: { alertname: 'DiskFull', severity: 'page' },
        commonAnnotations: {},
        externalURL: 'http://alertmanager.example:9093',
        alerts: [alert('firing', 'db-1', '93%'), alert('firing', 'db-2', '95%'), alert('resolved', 'db-3', '40%')],
      },
    },
    {
      of: 'A label of choice',
      query: 'name=instance&desc=summary',
      json: { alerts: [alert('firing', 'db-1', '93%')] },
    },
    {
      of: 'A rule that names the topic and the host itself',
      query: 'name=topic&desc=description',
      json: {
        version: '4',
        receiver: 'chat',
        status: 'firing',
        groupLabels: {},
        externalURL: 'http://alertmanager.example:9093',
        alerts: [
          {
            status: 'firing',
            labels: { alertname: 'High temperature', host: 'andromeda', severity: 'critical' },
            annotations: { topic: 'andromeda', summary: 'Too warm', description: 'The engine is at 94 °C' },
            startsAt: '2026-11-20T10:00:00.432911368Z',
            endsAt: '0001-01-01T00:00:00Z',
            generatorURL: 'http://prometheus.example:9090/graph?g0.expr=temperature',
          },
        ],
      },
    },
    {
      of: 'Everything is well again',
      json: {
        version: '4',
        receiver: 'chat',
        status: 'resolved',
        groupLabels: { alertname: 'DiskFull' },
        alerts: [alert('resolved', 'db-1', '40%')],
        externalURL: 'http://alertmanager.example:9093',
      },
    },
  ],
});

/** Describes an alert in one line: what, where and since when. */
function told(alert: Field, status: string, described: string): Markdown {
  const [label, annotation] = [alert.at('labels').at(described), alert.at(`annotations.${described}`)];
  const [summary, description] = [alert.at('annotations.summary').text, alert.at('annotations.description').text];
  const usual = [summary, description === summary ? '' : description].filter((text) => text !== '').join(': ');
  const chosen = described === '' ? '' : firstOf(label, annotation);
  const text = firstOf(chosen, usual, alert.at('annotations.message'), alert.at('labels.alertname'), 'alert');
  const host = ['instance', 'host', 'pod', 'job']
    .map((name) => alert.at(`labels.${name}`).text)
    .find((name) => name !== '');
  const since = status === 'firing' ? alert.at('startsAt') : alert.at('endsAt');
  const more = links({ source: alert.at('generatorURL'), runbook: alert.at('annotations.runbook_url') });
  const parts = [
    md`${text.replace(/\.$/, '')}`,
    host === undefined || text.includes(host) ? undefined : md`${host}`,
    // Alertmanager sends the year 1 for an alert that has not ended.
    since.text.startsWith('000') || since.text === '' ? undefined : time(since),
  ];
  return md`${lines(parts, ', ')}${more.isEmpty ? undefined : md` (${more})`}`;
}

function states(alerts: readonly Field[], described: string) {
  return ['firing', 'resolved'].map((status) => {
    const those = alerts.filter((alert) => (alert.at('status').text || 'firing') === status);
    if (those.length === 0) return undefined;
    const severities = new Set(those.map((alert) => alert.at('labels.severity').text).filter((name) => name !== ''));
    const severity = severities.size === 0 ? undefined : md` (${[...severities].join(', ')})`;
    const list = those.map((alert) => told(alert, status, described));
    return paragraphs(md`${state(status, moodOf(status))}${severity}`, bullets(list, those.length));
  });
}

function alert(status: string, instance: string, full: string) {
  return {
    status,
    labels: { alertname: 'DiskFull', instance, severity: 'page' },
    annotations: { summary: `Disk of ${instance} is full`, description: `${full} of it is taken.` },
    startsAt: '2026-11-20T10:00:00.432911368Z',
    endsAt: status === 'firing' ? '0001-01-01T00:00:00Z' : '2026-11-20T11:00:00Z',
    fingerprint: 'a1bc48475b20e73d',
    generatorURL: 'http://prometheus.example:9090/graph?g0.expr=disk',
  };
}
