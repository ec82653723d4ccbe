import { integration } from '../integration.ts';
import { arrIntegration } from '../words/index.ts';

const series = { id: 2, title: 'The Boats', path: 'tv', tvdbId: 7 };
const episodes = [{ id: 1, episodeNumber: 2, seasonNumber: 1, title: 'Low tide' }];

export const sonarr = integration({
  name: 'sonarr',
  title: 'Sonarr',
  category: 'Other',
  setUp: 'In Sonarr open Settings, Connect, add a Webhook, and paste the address.',
  ...arrIntegration('series', {
    series,
    episodes,
    release: { quality: 'HD', releaseTitle: 'Boats.S01E02', indexer: 'x' },
  }),
});
