import { integration } from '../integration.ts';
import { arrIntegration } from '../words/index.ts';

export const radarr = integration({
  name: 'radarr',
  title: 'Radarr',
  category: 'Other',
  setUp: 'In Radarr open Settings, Connect, add a Webhook, and paste the address.',
  ...arrIntegration('movie', {
    movie: { id: 1, title: 'The Ferry', year: 1999 },
    remoteMovie: { title: 'The Ferry', year: 1999 },
    release: { quality: 'HD' },
  }),
});
