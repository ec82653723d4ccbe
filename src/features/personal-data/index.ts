import { slice } from '#kernel/slice';
import { personalDataPages } from './pages.ts';

export const personalData = slice({
  name: 'personal-data',
  reads: ['message', 'direct_participant'],
  pages: personalDataPages,
});

export { writePersonalData } from './write.ts';
