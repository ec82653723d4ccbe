import { type Field, firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bullets, md, paragraphs, time } from '../markdown.ts';
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
    return [...topics].map(([topic, alerts]) => ({ topic, content: paragraphs(...states(alerts, option('desc'))) }));
  },
  samples: [
    {
      of: 'Two disks fill up, and one is free again',
      json: {
        version: '4',
        status: 'firing',
        alerts: [alert('firing', 'db-1', '93%'), alert('firing', 'db-2', '95%'), alert('resolved', 'db-3', '40%')],
      },
    },
    {
      of: 'A label of choice',
      query: 'name=instance&desc=summary',
      json: { alerts: [alert('firing', 'db-1', '93%')] },
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

function states(alerts: readonly Field[], described: string) {
  return ['firing', 'resolved'].map((status) => {
    const those = alerts.filter((alert) => (alert.at('status').text || 'firing') === status);
    const first = those[0];
    if (!first) return undefined;
    const list = those.map((alert) => {
      const said = described === '' ? [] : [`labels.${described}`, `annotations.${described}`];
      const usual = ['annotations.summary', 'annotations.description', 'labels.instance', 'labels.alertname'];
      const text = firstOf(...[...said, ...usual].map((path) => alert.at(path)), 'alert');
      const since = status === 'firing' ? alert.at('startsAt') : alert.at('endsAt');
      const more = links({ source: alert.at('generatorURL') });
      return md`${text}${since.text === '' ? undefined : md`, ${time(since)}`}${more.isEmpty ? undefined : md` (${more})`}`;
    });
    return paragraphs(state(status, moodOf(status)), bullets(list, those.length));
  });
}

function alert(status: string, instance: string, full: string) {
  return {
    status,
    labels: { alertname: 'DiskFull', instance, severity: 'page' },
    annotations: { summary: `Disk of ${instance} is ${full} full` },
    startsAt: '2026-11-20T10:00:00.3Z',
    endsAt: '2026-11-20T11:00:00Z',
    generatorURL: 'http://prometheus.example:9090/graph?g0.expr=disk',
  };
}
