import { CallFailure } from '../api/index.ts';
import { type Client, sentenceOf, showNotice } from '../client/index.ts';
import { awaited } from './answer.ts';

/** Awaits a call and shows the server's error; returns whether the call succeeded. */
export async function noticeFailure(client: Client, call: Promise<unknown>): Promise<boolean> {
  try {
    await awaited(client, call);
    return true;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    showNotice(client, sentenceOf(error));
    return false;
  }
}
