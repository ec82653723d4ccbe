import { Interface, tokenOf } from '#features/bots';
import type { PreparedCall } from './prepare.ts';

/** The body of a request. */
interface Body {
  readonly body: string;
  readonly contentType: string;
}

/** A bot's answer: a text for the conversation, perhaps with a widget as JSON text. */
export interface Answer {
  readonly content: string;
  readonly widget: string | undefined;
  /** Whether only the author of the message gets the answer, as a direct message. */
  readonly isPrivate: boolean;
}

/** The protocol for one kind of bot server. */
export interface Form {
  /** Builds the body; undefined if this form cannot express the call. */
  readonly write: (call: PreparedCall, secret: string) => Body | undefined;
  readonly read: (reply: Readonly<Record<string, unknown>>) => Answer | undefined;
}

/** See protocol/bots#outgoing-webhooks. */
const generic: Form = {
  write: (call, secret) => {
    const { bot, message, trigger, command, rule_id } = call;
    const { gravatar_hidden: _hidden, ...said } = message;
    const body = {
      data: message.content,
      message: { ...said, content_type: 'text/x-markdown' },
      bot_email: bot.user.email,
      bot_full_name: bot.user.full_name,
      token: tokenOf(secret, bot.user),
      trigger,
      ...(command !== undefined && { command: { name: command, arguments: argumentsOf(message.content) } }),
      ...(rule_id !== undefined && { rule_id }),
    };
    return { body: JSON.stringify(body), contentType: 'application/json' };
  },
  read: (reply) => {
    if (reply['response_not_required'] === true) return undefined;
    // The older name takes precedence: a server that sends both is an old one that was taught the new name.
    const content = reply['response_string'] ?? reply['content'];
    return answer(content, reply['widget_content'], reply['visibility'] === 'sender');
  },
};

/** The form fields of Slack's outgoing webhooks, which know only channels. */
const slack: Form = {
  write: ({ realm, bot, message, trigger, command }, secret) => {
    if (message.stream_id === undefined) return undefined;
    const fields = {
      token: tokenOf(secret, bot.user),
      team_id: `T${realm.id}`,
      team_domain: realm.subdomain === '' ? realm.name : realm.subdomain,
      channel_id: `C${message.stream_id}`,
      channel_name: typeof message.display_recipient === 'string' ? message.display_recipient : '',
      thread_ts: String(message.timestamp),
      timestamp: String(message.timestamp),
      user_id: `U${message.sender_id}`,
      user_name: message.sender_full_name,
      ...(command === undefined
        ? { text: message.content, trigger_word: trigger }
        : { command: `/${command}`, text: argumentsOf(message.content) }),
      service_id: String(bot.user.id),
    };
    return { body: new URLSearchParams(fields).toString(), contentType: 'application/x-www-form-urlencoded' };
  },
  read: (reply) => answer(reply['text'], undefined, reply['response_type'] === 'ephemeral'),
};

/** The form of a bot's interface. */
export function formOf(number: number): Form {
  return number === Interface.slack ? slack : generic;
}

/** The arguments after a command's name. */
function argumentsOf(content: string): string {
  return content.replace(/^\s*\/\S+\s*/, '').trimEnd();
}

function answer(content: unknown, widget: unknown, isPrivate: boolean): Answer | undefined {
  if (typeof content !== 'string' && typeof content !== 'number') return undefined;
  const text = String(content);
  if (text.trim() === '') return undefined;
  const isGiven = widget !== undefined && widget !== null;
  return { content: text, widget: isGiven ? asText(widget) : undefined, isPrivate };
}

function asText(widget: unknown): string {
  return typeof widget === 'string' ? widget : JSON.stringify(widget);
}
