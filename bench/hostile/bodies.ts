import { authorizationOf } from '../support/connection.ts';
import { type Attack, posting, times } from './attack.ts';

const LINE = 'frontier';
const MIB = 2 ** 20;

/** Returns one part of a form, without its boundary. */
const field = (name: string, value: string) => `Content-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const file = (filename: string) =>
  `Content-Disposition: form-data; name="file"; filename="${filename}"\r\nContent-Type: text/plain\r\n\r\nx\r\n`;

/** Makes an attack of a form with several parts, sent by the owner. */
function form(name: string, make: () => readonly string[], path = '/user_uploads'): Attack {
  return {
    name: `form: ${name}`,
    send: ({ owner }) => {
      const body = [...make().map((part) => `--${LINE}\r\n${part}`), `--${LINE}--\r\n`].join('');
      const headers = {
        authorization: authorizationOf(owner),
        'content-type': `multipart/form-data; boundary=${LINE}`,
      };
      return posting(`/api/v1${path}`, headers, body);
    },
  };
}

/** Makes an attack of a form with one part, sent by the owner. */
function plain(name: string, make: () => string): Attack {
  return {
    name: `form: ${name}`,
    send: ({ owner }) => {
      const type = 'application/x-www-form-urlencoded';
      return posting(
        '/api/v1/messages/render',
        { authorization: authorizationOf(owner), 'content-type': type },
        make(),
      );
    },
  };
}

/** Forms. */
export const BODIES: readonly Attack[] = [
  form('a million empty parts', () => times(1_000_000, () => '\r\n\r\n')),
  form('1,000 fields', () => times(1_000, (n) => field(`f${n}`, 'x')), '/messages/render'),
  form('150,000 fields', () => times(150_000, (n) => field(`f${n}`, 'x')), '/messages/render'),
  form('8 MiB of fields of 8 KiB', () => times(1_000, (n) => field(`f${n}`, 'x'.repeat(8 * 1024))), '/messages/render'),
  form('one field of 8 MiB', () => [field('content', 'é'.repeat(4 * MIB - 1_000))], '/messages/render'),
  form('a file name of 1 MB', () => [file('é'.repeat(500_000))]),
  form('a file name of 15,000 escapes', () => [file('%22\\"'.repeat(3_000))]),
  form('a file behind 900 fields', () => [...times(900, (n) => field(`f${n}`, 'x')), file('a.txt')]),
  form('10,000 files', () => times(10_000, (n) => file(`${n}.txt`))),
  form('a part of 8 MiB of headers', () => [`${'X-Long: x\r\n'.repeat(700_000)}\r\nx\r\n`]),
  plain('8 MiB of blanks', () => `content=${'+'.repeat(8 * MIB - 10)}`),
  plain('8 MiB of blanks in fields', () => times(1_900, (n) => `f${n}=${'+'.repeat(4_200)}`).join('&')),
  plain('8 MiB of escapes', () => `content=${'%C3%A9'.repeat(1_390_000)}`),
  plain('8 MiB of stray escapes', () => `content=${'%C3%A9%'.repeat(1_190_000)}`),
  plain('8 MiB of letters', () => `content=${'é'.repeat(4 * MIB - 10)}`),
  form('dashes', () => ['\r\n', '\r\n--frontie'.repeat(800_000)]),
];
