import { CallFailure } from '../api/index.ts';
import { type Client, tellNotice } from '../client/index.ts';

/** Waits for a call; what the server says against it is shown, and the state stays as it is. Whether it was done. */
export async function told(client: Client, call: Promise<unknown>): Promise<boolean> {
  try {
    await call;
    return true;
  } catch (error) {
    if (!(error instanceof CallFailure)) throw error;
    tellNotice(client, error.message);
    return false;
  }
}
