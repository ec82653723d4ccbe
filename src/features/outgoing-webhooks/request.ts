import { createHmac } from 'node:crypto';
import type { Context } from '#kernel/context';
import { parseBounded } from '#kernel/endpoint';
import { OutboundFault, type OutboundReason, type OutboundReply } from '#kernel/outbound';
import { isObject } from '#kernel/text';
import { type Answer, type Form, formOf } from './forms.ts';
import { signingSecretOf } from '#features/bots';
import type { PreparedCall } from './prepare.ts';

/** Result of a call: the bot's answer, no answer, or the reason why it failed. */
export type Outcome = { readonly answer: Answer | undefined } | { readonly fault: string; readonly mayPass: boolean };

/** Failure reasons in words, and whether another attempt may succeed. */
const REASONS: Readonly<Record<OutboundReason, { readonly fault: string; readonly mayPass: boolean }>> = {
  address: { fault: 'its address is not one that can be called', mayPass: false },
  forbidden: { fault: 'its address is not on the public Internet', mayPass: false },
  name: { fault: 'its host is not known', mayPass: true },
  redirects: { fault: 'it leads to another address', mayPass: false },
  size: { fault: 'its answer was too large', mayPass: false },
  time: { fault: 'it did not answer in time', mayPass: true },
  encoding: { fault: 'its answer could not be read', mayPass: false },
  network: { fault: 'it could not be reached', mayPass: true },
};

/** Posts a message to the bot's server and parses the answer. See protocol/bots#outgoing-webhooks. */
export async function request(context: Context, call: PreparedCall): Promise<Outcome> {
  const { base_url, service_interface } = call.bot.row;
  const form = formOf(service_interface);
  const said = form.write(call, context.server.secret);
  if (typeof said === 'string') return { fault: said, mayPass: false };
  const { body, contentType } = said;
  try {
    const secret = signingSecretOf(context.server.secret, call.bot.user);
    const signature = signatureHeaders({ secret, id: idOf(call), now: context.clock.now(), body });
    const headers = { 'content-type': contentType, ...signature };
    const reply = await context.outbound.fetch({ url: base_url ?? '', body, headers });
    return outcomeOf(reply, form);
  } catch (error) {
    if (error instanceof OutboundFault) return REASONS[error.reason];
    throw error;
  }
}

/** ID of the call, the same for each attempt, so that the bot's server can detect repetitions. */
function idOf({ message_id, bot_id, trigger, rule_id }: PreparedCall): string {
  return ['call', message_id, bot_id, trigger, ...(rule_id === undefined ? [] : [rule_id])].join('_');
}

function outcomeOf({ status, body }: OutboundReply<Buffer>, form: Form): Outcome {
  if (status < 200 || status > 299) return { fault: `it answered with status ${status}`, mayPass: status >= 500 };
  const text = body.toString('utf8');
  const parsed = text.trim() === '' ? {} : parseBounded(text)?.value;
  // Some servers send "" for no answer.
  if (parsed === '') return { answer: undefined };
  if (!isObject(parsed)) return { fault: 'its answer was not a JSON object', mayPass: false };
  return { answer: form.read(parsed) };
}

/** The secret and the signed parts of a call. */
interface Signed {
  /** From `signingSecretOf`. */
  readonly secret: string;
  /** The same for each attempt of one call. */
  readonly id: string;
  /** Seconds since 1970. */
  readonly now: number;
  readonly body: string;
}

/**
 * Headers by which a bot's server verifies who calls and when, and detects repeated calls. See
 * protocol/bots#signatures.
 */
function signatureHeaders({ secret, id, now, body }: Signed): Readonly<Record<string, string>> {
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${now}.${body}`).digest('base64');
  return { 'webhook-id': id, 'webhook-timestamp': String(now), 'webhook-signature': `v1,${signature}` };
}
