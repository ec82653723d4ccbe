import type { UserId } from '#kernel/ids';
import type { At } from './field.ts';
import type { Markdown } from './markdown.ts';
import type { Signature } from './signature.ts';

/** A message that an integration posts. */
export interface Said {
  /** Kind of event, by which URLs can filter; one of the declared ones. */
  readonly event?: string;
  /** Cut to the longest topic; if it is empty, the integration's title is used. */
  readonly topic: string;
  readonly content: Markdown;
  /** Channel that the payload names; overrides that of the URL. */
  readonly channel?: string;
  /** Email address of a person who gets the message instead of a channel. */
  readonly person?: string;
  /**
   * Names of that person; the first one that an account has decides, and the bot's owner gets the message if none has.
   */
  readonly personCalled?: readonly string[];
}

/** Headers and options of a call. */
export interface Call {
  /** Returns a header by its lower-case name; throws if it is missing. */
  readonly header: (name: string) => string;
  /** Returns a header, or an empty text if it is missing. */
  readonly maybeHeader: (name: string) => string;
  /** Returns a declared option of the URL's query, or an empty text if it is missing. */
  readonly option: (name: string) => string;
}

/** The bot whose key the service uses. */
export interface Bot {
  readonly id: UserId;
  readonly full_name: string;
  readonly email: string;
}

/** A call as the service sends it: a test of the integration and an example on its page. */
export interface Sample {
  /** What happened, in a sentence. */
  readonly of: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the URL's query. */
  readonly query?: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** A body that is neither JSON nor a form. */
  readonly text?: string;
}

/** An option that can be added to the URL. */
export interface UrlOption {
  readonly key: string;
  readonly label: string;
  readonly input_type: 'text' | 'checkbox';
}

/** The declaration of an integration. A new one is a file with this and a line in `services/index.ts`. */
export interface Integration {
  /** Name in the URL. */
  readonly name: string;
  readonly title: string;
  readonly category: Category;
  /** Where to enter the URL in the service. */
  readonly setUp: string;
  /** Address of the service's documentation that the samples follow. */
  readonly publishedAt?: string;
  /** Kinds of events by which URLs can filter; undefined if there is only one kind. */
  readonly events?: readonly string[];
  readonly options?: readonly UrlOption[];
  /** Query parameters that the service itself adds to the URL. */
  readonly adds?: readonly string[];
  /** How the service signs its calls. */
  readonly signature?: Signature;
  /** Whether a body that is neither JSON nor a form is read as text. */
  readonly takesText?: true;
  /** Whether stream and topic in the URL are percent-encoded twice. */
  readonly isEncodedTwice?: true;
  /** Returns what the service expects in a successful reply: a challenge, or the bot's data. */
  readonly answer?: (at: At, bot: Bot) => { readonly challenge: string } | Bot | undefined;
  /** Whether errors have Slack's format, with `ok: false`. */
  readonly answersLikeSlack?: true;
  /** Turns a call into one message, several or none. */
  readonly read: (at: At, call: Call) => Said | readonly Said[] | undefined;
  readonly samples: readonly Sample[];
}

/** Categories in the list of integrations. */
export type Category =
  | 'Code'
  | 'Builds and deployments'
  | 'Monitoring'
  | 'Projects'
  | 'Customers'
  | 'Money'
  | 'Communication'
  | 'Other';

/** Declares an integration. */
export function integration<const I extends Integration>(declared: I): Integration {
  return declared;
}

/** Options that several integrations share. */
export const OPTIONS = {
  branches: { key: 'branches', label: 'Only these branches, separated by commas', input_type: 'text' },
  noPrivate: { key: 'ignore_private_repositories', label: 'Leave out private repositories', input_type: 'checkbox' },
  secret: { key: 'webhook_secret', label: 'Secret with which the service signs', input_type: 'text' },
} as const satisfies Readonly<Record<string, UrlOption>>;
