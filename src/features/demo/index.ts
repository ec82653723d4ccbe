import { slice } from '#kernel/slice';

export const demo = slice({ name: 'demo' });

export { type Call, seedDemo } from './seed.ts';
