// Uploads with the tus protocol.
export { resumablePages } from './page.ts';
export { sweepUnfinished } from './finish.ts';
