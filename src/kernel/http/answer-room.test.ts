import { EventEmitter } from 'node:events';
import { describe, expect, it } from 'vitest';
import { answerRoom } from './answer.ts';

describe('the room of a reply that is made in parts', () => {
  it('is given back once: when it is begun again, and when the response is closed', () => {
    let held = 0;
    const response = new EventEmitter();
    const answers = {
      take: (_payer: string, bytes: number) => {
        held += bytes;
        return true;
      },
      giveBack: (_payer: string, bytes: number) => void (held -= bytes),
    };
    // Only what a room uses of a request.
    const request = { response, traffic: { answers }, payerOf: () => 'user 1' } as never;
    const room = answerRoom(request, null);
    room.begin();
    for (const bytes of [0, 3, 4]) room.take(bytes);
    expect(held).toBe(7);
    room.begin();
    expect(held).toBe(0);
    for (const bytes of [0, 3, 4]) room.take(bytes);
    expect(held).toBe(7);
    response.emit('close');
    expect(held).toBe(0);
  });
});
