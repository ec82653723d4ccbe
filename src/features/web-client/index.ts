import { slice } from '#kernel/slice';
import { webClientPages } from './pages.ts';

export const webClient = slice({ name: 'web-client', pages: webClientPages });
