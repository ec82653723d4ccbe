import { integration } from '../integration.ts';
import { facts, link, md, paragraphs } from '../markdown.ts';
import { built } from '../words/index.ts';

const sync = (success: boolean) => ({
  data: {
    workspace: { name: 'Ferry' },
    connection: { name: 'Bookings → Warehouse', url: 'https://cloud.airbyte.example/c/1' },
    source: { name: 'Bookings', url: 'https://cloud.airbyte.example/s/1' },
    destination: { name: 'Warehouse', url: 'https://cloud.airbyte.example/d/1' },
    durationFormatted: '9 min',
    jobId: 9988,
    recordsEmitted: 89,
    recordsCommitted: success ? 89 : 0,
    bytesCommittedFormatted: '4 MB',
    success,
    errorMessage: success ? undefined : 'Checking the source failed',
  },
});

export const airbyte = integration({
  name: 'airbyte',
  title: 'Airbyte',
  category: 'Monitoring',
  setUp: 'In Airbyte open Settings, Notifications, and paste the address as webhook of the events.',
  read: (at) => {
    const it = at('data');
    if (!it.exists) return { topic: 'Airbyte notification', content: md`${at('text')}` };
    return {
      topic: `${it.at('workspace.name').need} - ${it.at('connection.name').need}`,
      content: paragraphs(
        built({
          what: `Synchronization of ${it.at('connection.name').need}`,
          url: it.at('connection.url'),
          state: it.at('success').isTrue ? 'success' : 'failed',
          rest: md`${it.at('errorMessage').text}`,
        }),
        facts({
          Source: link(it.at('source.name').text, it.at('source.url')),
          Destination: link(it.at('destination.name').text, it.at('destination.url')),
          Duration: it.at('durationFormatted'),
          Job: it.at('jobId'),
          Records: md`${it.at('recordsEmitted').text} emitted, ${it.at('recordsCommitted').text} committed`,
          Bytes: it.at('bytesCommittedFormatted'),
        }),
      ),
    };
  },
  samples: [
    { of: 'A synchronization succeeds', json: sync(true) },
    { of: 'A synchronization fails', json: sync(false) },
    { of: 'The webhook is tried', json: { text: 'Hello World from Airbyte' } },
  ],
});
