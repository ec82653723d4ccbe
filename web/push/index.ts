export { followPush } from './follow.ts';
export { type PushState, pushState, tryPush, turnOff, turnOn } from './push.ts';
