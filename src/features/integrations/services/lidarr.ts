import { integration } from '../integration.ts';
import { arrIntegration } from '../words/index.ts';

export const lidarr = integration({
  name: 'lidarr',
  title: 'Lidarr',
  category: 'Other',
  setUp: 'In Lidarr open Settings, Connect, add a Webhook, and paste the address.',
  ...arrIntegration('artist', {
    artist: { id: 1, name: 'The Oars' },
    albums: [{ title: 'High Tide' }],
    tracks: [{ title: 'Row' }],
  }),
});
