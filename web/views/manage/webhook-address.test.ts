import { expect, it } from 'vitest';
import { webhookAddress } from './webhook-address.ts';

const BARE = {
  origin: 'https://chat.example.com',
  integration: 'github',
  key: 'k3y',
  channel: undefined,
  topic: '',
  events: [],
  options: {},
};

it.each([
  [{}, '?api_key=k3y'],
  [{ topic: 'no channel, no topic' }, '?api_key=k3y'],
  [{ channel: '7', topic: ' ' }, '?api_key=k3y&stream=7'],
  [{ channel: '7', topic: ' build & ship ' }, '?api_key=k3y&stream=7&topic=build+%26+ship'],
  [{ events: ['push', 'issues'] }, '?api_key=k3y&only_events=%5B%22push%22%2C%22issues%22%5D'],
  [{ options: { branches: 'main,next', webhook_secret: '' } }, '?api_key=k3y&branches=main%2Cnext'],
])('%j is in the address', (more, query) => {
  expect(webhookAddress({ ...BARE, ...more })).toBe(`https://chat.example.com/api/v1/external/github${query}`);
});
