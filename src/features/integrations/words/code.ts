import { type Field, firstOf } from '../field.ts';
import { bullets, lines, link, type Markdown, md, paragraphs, quote } from '../markdown.ts';
import { withoutComments } from './html.ts';

/** Digits of a commit's hash that are shown. */
const SHORT_SHA = 7;

/** A commit, in the form common to all services. */
export interface Commit {
  readonly sha: string;
  readonly url: string;
  readonly message: string;
  readonly author: string;
}

/** Commits pushed to a branch. */
export interface Push {
  readonly who: string;
  readonly branch: string;
  /** Address of the comparison. */
  readonly url: string;
  readonly commits: readonly Commit[];
  /** Number of commits, if not all were sent. */
  readonly count?: number | undefined;
  readonly change?: 'created' | 'deleted' | 'forced' | undefined;
}

/** Describes a push: who pushed how many commits where, and a list of them. */
export function pushed({ who, branch, url, commits, count = commits.length, change }: Push): Markdown {
  if (change === 'deleted') return md`${who} deleted the branch ${branch}.`;
  const verb = change === 'forced' ? 'force-pushed' : 'pushed';
  if (count === 0) {
    const done = change === 'created' ? 'created' : verb;
    return md`${who} ${link(done, url)} the branch ${branch}.`;
  }
  const to = change === 'created' ? 'the new branch' : 'branch';
  const head = md`${who} ${verb} ${link(counted(count, 'commit'), url)} to ${to} ${branch}.${authorsOf(commits, who)}`;
  return paragraphs(head, commitList(commits, count));
}

/** A list of commits with the first line of each message. */
function commitList(commits: readonly Commit[], count = commits.length): Markdown {
  return bullets(
    commits.map(({ message, sha, url }) => {
      const name = sha.slice(0, SHORT_SHA);
      const shown = url === '' ? md`${name}` : link(name, url);
      const [first = ''] = message.split('\n');
      return name === '' ? md`${first}` : md`${first} (${shown})`;
    }),
    count,
  );
}

/** Names the commits' authors, unless the only one is who pushed. */
function authorsOf(commits: readonly Commit[], who: string): Markdown | undefined {
  const counts = new Map<string, number>();
  for (const { author } of commits) if (author !== '') counts.set(author, (counts.get(author) ?? 0) + 1);
  if (counts.size === 0 || (counts.size === 1 && counts.has(who))) return undefined;
  const named = [...counts].toSorted((a, b) => b[1] - a[1]);
  const shown = named.slice(0, 3).map(([name, count]) => md`${name} (${count})`);
  const rest = named.length - shown.length;
  return md` By ${lines([...shown, ...(rest > 0 ? [md`${counted(rest, 'other')}`] : [])], ', ')}.`;
}

/** An event about an issue, a pull or a merge request. */
export interface Happening {
  readonly who: string;
  /** The verb in the past tense, with a preposition if one is needed. */
  readonly did: string | Markdown;
  /** `PR`, `MR`, `issue` … */
  readonly kind: string;
  readonly number: string;
  readonly title: string;
  readonly url: string;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Text after the link. */
  readonly rest?: Markdown | undefined;
  /** What the author wrote. */
  readonly body?: string | undefined;
}

/** Describes an event about an issue, a pull or a merge request. */
export function happened({
  who,
  did,
  kind,
  number,
  title,
  url,
  from = '',
  to = '',
  rest,
  body = '',
}: Happening): Markdown {
  const name = [kind, number === '' ? '' : number, title].filter((part) => part !== '').join(' ');
  const branches = from === '' || to === '' ? undefined : md` from ${from} to ${to}`;
  const more = rest === undefined || rest.isEmpty ? undefined : md` ${rest}`;
  const head = md`${who} ${did} ${link(name, url)}${branches}${more}`;
  return noted(head, withoutComments(body));
}

/** A sentence, and a quotation below it if there is a text. */
export function noted(sentence: Markdown, body: string | Field): Markdown {
  const said = quote(body);
  return said.isEmpty ? md`${sentence}.` : lines([md`${sentence}:`, said], '\n\n');
}

/** The name of the tag or branch in a ref such as `refs/heads/main`. */
export function branchOf(ref: Field): string {
  return ref.need.replace(/^refs\/(?:heads|tags)\//, '');
}

/** Whether a branch passes the URL's `branches` filter, names separated by commas; an empty filter lets all pass. */
export function isBranchWanted(branches: string, branch: string): boolean {
  const wanted = branches.split(',').map((one) => one.trim());
  return branches === '' || wanted.includes(branch);
}

/** A number with its noun in singular or plural. */
export function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

/** The name by which to show a person. */
export function person(field: Field): string {
  const names = ['display_name', 'displayName', 'full_name', 'name', 'login', 'username', 'nickname', 'email'];
  return firstOf(field, ...names.map((name) => field.at(name)));
}

/** Removes the address from an author such as `Mia Member <mia@example.com>`. */
export function withoutAddress(author: string): string {
  const start = author.indexOf('<');
  return start > 0 && author.endsWith('>') ? author.slice(0, start).trim() : author;
}

/** Turns an identifier into words: `pull_request` becomes `pull request`. */
export function asWords(name: string): string {
  return name
    .replaceAll(/[_.-]+/g, ' ')
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .trim();
}

/** Capitalizes the first letter. */
export function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
