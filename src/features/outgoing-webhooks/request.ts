import { createHmac } from 'node:crypto';
import type { Context } from '#kernel/context';
import { parseShortened } from '#kernel/endpoint';
import { OutboundFault, type OutboundReason, type OutboundReply } from '#kernel/outbound';
import { isObject } from '#kernel/text';
import { type Answer, type Form, formOf } from './forms.ts';
import { signingSecretOf } from '#features/bots';
import type { PreparedCall } from './prepare.ts';
import type { Fault } from './words.ts';

/** Result of a call: the bot's answer, no answer, or the reason why it failed. */
export type Outcome = { readonly answer: Answer | undefined } | { readonly fault: Fault; readonly mayPass: boolean };

/** Reasons of failures after which another attempt may succeed. */
const MAY_PASS: ReadonlySet<OutboundReason> = new Set(['name', 'time', 'network']);

/** Posts a message to the bot's server and parses the answer. See protocol/bots#outgoing-webhooks. */
export async function request(context: Context, call: PreparedCall): Promise<Outcome> {
  const { base_url, service_interface } = call.bot.row;
  const form = formOf(service_interface);
  const said = form.write(call, context.server.secret);
  if (!said) return { fault: (words) => words.onlyChannels, mayPass: false };
  const { body, contentType } = said;
  try {
    const secret = signingSecretOf(context.server.secret, call.bot.user);
    const signature = signatureHeaders({ secret, id: idOf(call), now: context.clock.now(), body });
    const headers = { 'content-type': contentType, ...signature };
    const reply = await context.outbound.fetch({ url: base_url ?? '', body, headers });
    return await outcomeOf(reply, form);
  } catch (error) {
    if (!(error instanceof OutboundFault)) throw error;
    return failedBy(error.reason);
  }
}

/** Apart from the `catch`: a function made there would keep the error, and what was received, as long as it is used. */
function failedBy(reason: OutboundReason): Outcome {
  return { fault: (words) => words.reasons[reason], mayPass: MAY_PASS.has(reason) };
}

/** ID of the call, the same for each attempt, so that the bot's server can detect repetitions. */
function idOf({ message_id, bot_id, trigger, rule_id }: PreparedCall): string {
  return ['call', message_id, bot_id, trigger, ...(rule_id === undefined ? [] : [rule_id])].join('_');
}

async function outcomeOf({ status, body }: OutboundReply<Buffer>, form: Form): Promise<Outcome> {
  if (status < 200 || status > 299) return { fault: (words) => words.status(status), mayPass: status >= 500 };
  const parsed = isBlank(body) ? { value: {} } : await parseShortened(body);
  const said = parsed === 'too large' ? undefined : parsed?.value;
  // Some servers send "" for no answer.
  if (said === '') return { answer: undefined };
  if (!isObject(said)) return { fault: (words) => words.notAnObject, mayPass: false };
  return { answer: form.read(said) };
}

/** Longest body that may be nothing but white space, in bytes. */
const MAX_BLANK = 1000;

function isBlank(body: Buffer): boolean {
  return body.length <= MAX_BLANK && body.toString('utf8').trim() === '';
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
