import { firstOf } from '../field.ts';
import { integration } from '../integration.ts';
import { bullets, md, paragraphs } from '../markdown.ts';
import { built } from '../words/index.ts';

const job = (status: string) => ({
  id: 8,
  name: 'Deploy boats',
  friendly_name: 'Job',
  status,
  url: 'https://tower.ferry.example/#/jobs/playbook/8',
  created_by: 'mia',
  hosts: { 'db-1': { failed: status === 'failed', ok: 7 }, 'web-1': { failed: false, ok: 5 } },
});

export const ansibletower = integration({
  name: 'ansibletower',
  title: 'Ansible Tower',
  category: 'Builds and deployments',
  setUp:
    'In Ansible Tower or AWX open Notifications, add one of the type Webhook with the address as Target URL, and turn it on for the templates.',
  read: (at) => {
    const kind = firstOf(at('friendly_name'), 'Job');
    const hosts = at('hosts').members.map(([name, host]) => md`${name}: ${host.at('failed').isTrue ? 'failed' : 'ok'}`);
    return {
      topic: `${kind}: ${at('name').need}`,
      content: paragraphs(
        built({ what: `${kind} #${at('id').need} ${at('name').need}`, url: at('url'), state: at('status').need }),
        bullets(hosts),
      ),
    };
  },
  samples: ['running', 'successful', 'failed'].map((status) => ({ of: `A job: ${status}`, json: job(status) })),
});
