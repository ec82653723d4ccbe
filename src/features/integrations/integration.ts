import type { UserId } from '#kernel/ids';
import type { At } from './field.ts';
import type { Markdown } from './markdown.ts';
import type { Signature } from './signature.ts';

/** A message that an integration wants said. */
export interface Said {
  /** Kind of event, by which addresses choose; one of those declared. */
  readonly event?: string;
  /** Cut to the length of topics; the integration's title when it is empty. */
  readonly topic: string;
  readonly content: Markdown;
  /** Channel that the payload names; goes before that of the address. */
  readonly channel?: string;
  /** Address of the person to whom it is written, in place of a channel. */
  readonly person?: string;
  /** Names of that person, who is the first that one person has; the owner of the bot where nobody has any. */
  readonly personCalled?: readonly string[];
}

/** What is known of a call beside its payload. */
export interface Call {
  /** A header by its lower-case name, without which the call is refused. */
  readonly header: (name: string) => string;
  /** A header that may be missing: then empty. */
  readonly maybeHeader: (name: string) => string;
  /** A value of the address's query, of those that are declared: empty when it is missing. */
  readonly option: (name: string) => string;
}

/** The bot whose key a service has. */
export interface Bot {
  readonly id: UserId;
  readonly full_name: string;
  readonly email: string;
}

/** A call as the service makes it: it is the test of the integration and the example of its page. */
export interface Sample {
  /** What happened. */
  readonly of: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** Added to the query of the address. */
  readonly query?: string;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
  /** A body that is neither. */
  readonly text?: string;
}

/** Something that may be added to the address. */
export interface UrlOption {
  readonly key: string;
  readonly label: string;
  readonly input_type: 'text' | 'checkbox';
}

/** What an integration says of itself. Adding one takes a file with this, and its line in the registry. */
export interface Integration {
  /** As in the address it posts to. */
  readonly name: string;
  readonly title: string;
  readonly category: Category;
  /** Where people enter the address in the service. */
  readonly setUp: string;
  /** Address of the service's document that the samples follow. */
  readonly publishedAt?: string;
  /** Kinds of events among which addresses may choose; none where there is one kind only. */
  readonly events?: readonly string[];
  readonly options?: readonly UrlOption[];
  /** What its service adds to the address by itself, or is told to. */
  readonly adds?: readonly string[];
  /** How the service signs what it sends. */
  readonly signature?: Signature;
  /** Whether a body that is neither JSON nor a form is text to be read. */
  readonly takesText?: true;
  /** Whether stream and topic of the address come encoded twice. */
  readonly isEncodedTwice?: true;
  /** What the service wants to be answered beside a success: a challenge, or whose key it has. */
  readonly answer?: (at: At, bot: Bot) => { readonly challenge: string } | Bot | undefined;
  /** Whether refusals say `ok: false`, as those of Slack. */
  readonly answersLikeSlack?: true;
  /** What a call says: a message, several, or none. */
  readonly read: (at: At, call: Call) => Said | readonly Said[] | undefined;
  readonly samples: readonly Sample[];
}

/** Kinds of services, for the list of integrations. */
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

/** Options that several integrations have. */
export const OPTIONS = {
  branches: { key: 'branches', label: 'Only these branches, separated by commas', input_type: 'text' },
  noPrivate: { key: 'ignore_private_repositories', label: 'Leave out private repositories', input_type: 'checkbox' },
  secret: { key: 'webhook_secret', label: 'Secret with which the service signs', input_type: 'text' },
} as const satisfies Readonly<Record<string, UrlOption>>;
