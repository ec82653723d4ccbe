import { createHash } from 'node:crypto';
import { SECONDS_PER_DAY } from '#kernel/clock';
import { namesTag, page } from '#kernel/endpoint';
import { codeToNames } from '#kernel/markdown';

/** Path of the names of all emoji. See protocol/organizations#server-facts, `server_emoji_data_url`. */
export const EMOJI_DATA_PATH = '/static/emoji.json';

const BODY = JSON.stringify({ code_to_names: codeToNames });
const ETAG = `"${createHash('sha256').update(BODY).digest('base64url').slice(0, 22)}"`;
const HEADERS = {
  'content-type': 'application/json',
  'access-control-allow-origin': '*',
  'cache-control': `public, max-age=${SECONDS_PER_DAY}`,
  etag: ETAG,
};

/** The names of every emoji by code, for clients on any origin. */
export const emojiDataPage = page({
  methods: ['GET'],
  path: EMOJI_DATA_PATH,
  handle: ({ headers }) => {
    if (namesTag(headers['if-none-match'], ETAG)) return Promise.resolve({ status: 304, headers: HEADERS });
    return Promise.resolve({ headers: HEADERS, body: BODY });
  },
});
