import { integration } from '../integration.ts';
import { facts, link, md, paragraphs } from '../markdown.ts';
import { type Mood, moodOf, state } from '../words/index.ts';

const problem = (severity: string, status: string) => ({
  hostname: 'db-1',
  severity,
  status,
  item: 'Load is 56',
  trigger: 'High load on db-1',
  link: 'https://zabbix.ferry.example/tr_events.php?triggerid=1&eventid=2',
});

/** Problems of the lowest severities get the mood `note`. */
const moodOfProblem = (status: string, severity: string): Mood =>
  /^(?:information|not classified)$/i.test(severity) && moodOf(status) === 'bad' ? 'note' : moodOf(status);

export const zabbix = integration({
  name: 'zabbix',
  title: 'Zabbix',
  category: 'Monitoring',
  setUp:
    'In Zabbix open Alerts, Media types, and make one of the type Webhook whose script posts hostname, severity, status, item, trigger and link as JSON to the address.',
  read: (at) => ({
    topic: at('hostname').need,
    content: paragraphs(
      md`${state(at('status').need, moodOfProblem(at('status').text, at('severity').text))} ${link(at('trigger').need, at('link'))} on ${at('hostname')}`,
      facts({ Severity: at('severity'), Item: at('item') }),
    ),
  }),
  samples: [
    { of: 'A problem', json: problem('High', 'PROBLEM') },
    { of: 'A problem is solved', json: problem('High', 'OK') },
    {
      of: 'A small problem',
      json: { ...problem('Information', 'PROBLEM'), item: 'Uptime is 60', trigger: 'db-1 was restarted' },
    },
  ],
});
