// How much is said in a channel each week.
export { refreshRegularly } from './refresh.ts';
