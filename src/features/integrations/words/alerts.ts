import { Field } from '../field.ts';
import { lines, link, Markdown, md } from '../markdown.ts';

/** Emoji by mood. */
const MARKS: Readonly<Record<Mood, string>> = {
  bad: ':alert:',
  good: ':check:',
  wait: ':time_ticking:',
  note: ':info:',
};

/** How serious a state is. */
export type Mood = 'bad' | 'good' | 'wait' | 'note';

const GOOD =
  /^(ok|okay|up|green|pass(ed|ing)?|success(ful|fully)?|succeeded|fixed|resolved?|recover(ed|y)|closed?|normal|operational|available|completed?|finished|healthy|inactive|approved)$/;
const BAD =
  /^(alert(ing)?|firing|down|red|fail(ed|ure|ing)?|errored|error|broken|still failing|critical|crit|open(ed)?|trigger(ed)?|activated|problem|unavailable|unreachable|degraded|outage|major|high|disaster|timed ?out|timeout|canceled|cancelled|aborted|reporting error|not responding|still down|new|rejected|blocked)$/;
const WAIT =
  /^(pending|running|started|in ?progress|building|queued|processing|testing|acknowledged|waiting|paused|investigating)$/;

/** Returns the mood of a state, by the words that services use. */
export function moodOf(state: string): Mood {
  const word = state.toLowerCase().replaceAll(/[_-]+/g, ' ').trim();
  if (GOOD.test(word)) return 'good';
  if (BAD.test(word)) return 'bad';
  return WAIT.test(word) ? 'wait' : 'note';
}

/** Returns the emoji of a mood. */
export function mark(mood: Mood): Markdown {
  return new Markdown(MARKS[mood]);
}

/** A state in bold with its emoji. */
export function state(name: string, mood: Mood = moodOf(name)): Markdown {
  return md`${mark(mood)} ${new Markdown('**')}${name.replaceAll('_', ' ').toUpperCase()}${new Markdown('**')}`;
}

/** Links in one line, leaving out those without a web address. */
export function links(named: Readonly<Record<string, string | Field>>): Markdown {
  const there = Object.entries(named).filter(([, to]) => /^https?:/i.test((to instanceof Field ? to.text : to).trim()));
  return lines(
    there.map(([name, to]) => link(name, to)),
    ' · ',
  );
}

/** A build or deployment. */
export interface Build {
  /** What was built, such as `Build 12 of boats`. */
  readonly what: string;
  readonly url: string | Field;
  /** The result in the service's words. */
  readonly state: string;
  readonly rest?: Markdown | undefined;
}

/** Describes the result of a build. */
export function built({ what, url, state: name, rest }: Build): Markdown {
  const mood = moodOf(name);
  const head = md`${mark(mood)} ${link(what, url)}: ${new Markdown('**')}${name.replaceAll('_', ' ').toLowerCase()}${new Markdown('**')}`;
  return rest === undefined || rest.isEmpty ? md`${head}.` : md`${head}. ${rest}`;
}
