export { followPush } from './follow.ts';
export { keepShell, type PushState, pushState, tryPush, turnOff, turnOn } from './push.ts';
