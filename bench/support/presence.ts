import { constants, gunzipSync } from 'node:zlib';
import { type Account, request } from './connection.ts';

/** Parameters of a ping. */
interface Ping {
  readonly status: 'active' | 'idle';
  readonly ping_only: boolean;
  readonly takesGzip: boolean;
  /** The newest presence update that the client knows; -1 for none. */
  readonly last: number;
}

/** Returns the bytes of a presence ping. */
export function pingRequest(account: Account, { status, ping_only, takesGzip, last }: Ping): Buffer {
  const fields = { status, new_user_input: status === 'active', ping_only, last_update_id: last };
  return request(account, 'POST', '/users/me/presence', fields, takesGzip ? 'Accept-Encoding: gzip\r\n' : '');
}

/**
 * Returns the value of `last` for the next ping; only the answer's head is read, so that the client's load does not
 * dominate.
 */
export function lastUpdateOf(answer: Buffer): number {
  const head = headOf(answer);
  const last = /"presence_last_update_id":(-?\d+)/.exec(head)?.[1];
  if (last === undefined) throw new Error(`no ping's answer: ${head}`);
  return Number(last);
}

/** Returns the first characters of an answer, compressed or not. */
function headOf(body: Buffer): string {
  const isPacked = body[0] === 0x1f && body[1] === 0x8b;
  const start = body.subarray(0, 2000);
  const text = isPacked ? gunzipSync(start, { finishFlush: constants.Z_SYNC_FLUSH }) : start;
  return text.toString('latin1', 0, 200);
}
