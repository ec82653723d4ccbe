import type { ReadContext } from '#kernel/context';
import { type Outbound, OutboundFault } from '#kernel/outbound';
import type { Schema } from '#kernel/schema';
import { readAs } from '#kernel/schema';
import { parseJson } from '#kernel/text';

/** Limits of one request to a service. */
const TIMEOUT_MS = 10_000;
const MAX_BYTES = 256 * 1024;
/** Longest address of a call that is passed on, in UTF-16 units. */
const MAX_ADDRESS = 2000;

/** A service's answer: its status and its text. */
export interface Answer {
  readonly status: number;
  readonly text: string;
}

/** Sends a request to a service for calls; undefined if it does not answer, whatever the reason. */
export async function ask(
  { calls, log }: Pick<ReadContext, 'calls' | 'log'>,
  service: string,
  request: Parameters<Outbound['fetch']>[0],
): Promise<Answer | undefined> {
  try {
    const { status, body } = await calls.outbound.fetch({ ...request, timeoutMs: TIMEOUT_MS, maxBytes: MAX_BYTES });
    if (status >= 400) log.room('calls').warn({ service, status }, 'a service that holds calls refused');
    return { status, text: body.toString('utf8') };
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error;
    log.room('calls').warn({ service, reason: error.reason }, 'a service that holds calls cannot be reached');
    return undefined;
  }
}

/** The parsed answer of a service, if it has the given shape. */
export function readAnswer<T>(schema: Schema<T>, answer: Answer | undefined): T | undefined {
  return answer && readAs(schema, parseJson(answer.text));
}

export function isSuccess(answer: Answer | undefined): answer is Answer {
  return answer !== undefined && answer.status >= 200 && answer.status < 300;
}

/** Validates the address of a call from a service; undefined if a browser should not open it. */
export function callAddress(text: string | undefined): string | undefined {
  if (text === undefined || text.length > MAX_ADDRESS || !URL.canParse(text)) return undefined;
  const { protocol } = new URL(text);
  return protocol === 'https:' || protocol === 'http:' ? text : undefined;
}

export function basic(name: string, secret: string): string {
  return `Basic ${Buffer.from(`${name}:${secret}`).toString('base64')}`;
}
