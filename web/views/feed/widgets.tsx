import { useState } from 'preact/hooks';
import { Button, Icon, IconButton } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';

/** An option of a poll. */
export interface PollOption {
  readonly key: string;
  readonly text: string;
  readonly voters: readonly string[];
  readonly isOwn: boolean;
}

interface PollProps {
  readonly question: string;
  readonly options: readonly PollOption[];
  readonly onVote: (option: PollOption) => void;
  readonly onAdd: AddLineProps['onAdd'];
  /** Only for the poll's author. */
  readonly onEditQuestion?: (() => void) | undefined;
}

/** A poll: several options may be chosen, and anybody may add one. */
export function Poll({ question, options, onVote, onAdd, onEditQuestion }: PollProps) {
  const most = Math.max(1, ...options.map(({ voters }) => voters.length));
  return (
    <div class="poll" role="group" aria-label={question}>
      <p class="q" dir="auto">
        {question}
        {onEditQuestion && <IconButton icon="pencil" small label={t('poll.editQuestion')} onPress={onEditQuestion} />}
      </p>
      <ul>
        {options.map((option) => (
          <li key={option.key}>
            <button
              class="opt"
              type="button"
              aria-pressed={option.isOwn}
              style={{ '--share': `${(100 * option.voters.length) / most}%` }}
              onClick={() => onVote(option)}
            >
              <span class="box">
                <Icon name="check" small />
              </span>
              <span dir="auto">{option.text}</span>
              <span class="voters" title={option.voters.join(', ')}>
                {t('poll.votes', { count: option.voters.length })}
              </span>
            </button>
          </li>
        ))}
      </ul>
      <AddLine label={t('poll.option')} placeholder={t('poll.addOption')} onAdd={onAdd} />
      <p class="hint">{t('poll.several')}</p>
    </div>
  );
}

/** One task of a list. */
export interface Task {
  readonly key: string;
  readonly text: string;
  readonly note?: string | undefined;
  readonly isDone: boolean;
}

interface TodoProps {
  readonly title: string;
  readonly tasks: readonly Task[];
  readonly onTick: (task: Task) => void;
  readonly onAdd: AddLineProps['onAdd'];
}

/** A to-do list: a completed task is struck through, and keeps its place. */
export function Todo({ title, tasks, onTick, onAdd }: TodoProps) {
  return (
    <div class="poll todo" role="group" aria-label={title}>
      <p class="q" dir="auto">
        {title}
      </p>
      <ul>
        {tasks.map((task) => (
          <li key={task.key}>
            <label class="task">
              <input type="checkbox" checked={task.isDone} onChange={() => onTick(task)} />
              <span class="grow" dir="auto">
                <span class="t">{task.text}</span>
                {task.note !== undefined && <small>{task.note}</small>}
              </span>
            </label>
          </li>
        ))}
      </ul>
      <AddLine label={t('todo.new')} placeholder={t('todo.placeholder')} onAdd={onAdd} />
      <p class="hint">{t('todo.done', { done: tasks.filter(({ isDone }) => isDone).length, all: tasks.length })}</p>
    </div>
  );
}

/** A reply that a bot offers. */
export interface Choice {
  /** Text of the button: a letter or a word. */
  readonly short: string;
  readonly long: string;
  /** The message to send. */
  readonly reply: string;
}

interface ChoicesProps {
  readonly heading: string;
  readonly choices: readonly Choice[];
  readonly onChoose: (choice: Choice) => void;
}

/** A bot's form: a button sends its reply, once however often it is pressed. */
export function Choices({ heading, choices, onChoose }: ChoicesProps) {
  const [chosen, setChosen] = useState<readonly Choice[]>([]);
  const choose = (choice: Choice) => {
    setChosen([...chosen, choice]);
    onChoose(choice);
  };
  return (
    <div class="poll choices" role="group" aria-label={heading}>
      <p class="q" dir="auto">
        {heading}
      </p>
      <ul>
        {choices.map((choice) => {
          const isChosen = chosen.some(({ reply }) => reply === choice.reply);
          const { short, long } = choice;
          return (
            <li key={choice.reply}>
              <Button
                small
                pressed={isChosen}
                refusal={isChosen ? t('choices.sent') : undefined}
                label={short === long || long === '' ? undefined : `${short}: ${long}`}
                // The second press of a double click may meet another button, because the answer moves the page.
                onPress={({ detail }) => detail < 2 && choose(choice)}
              >
                {short === '' ? choice.reply : short}
              </Button>
              {short !== long && <span dir="auto">{long}</span>}
            </li>
          );
        })}
      </ul>
    </div>
  );
}

interface AddLineProps {
  readonly label: string;
  readonly placeholder: string;
  /** Returns whether it was added. */
  readonly onAdd: (text: string) => Promise<boolean>;
}

function AddLine({ label, placeholder, onAdd }: AddLineProps) {
  const [text, setText] = useState('');
  const add = (event: Event) => {
    event.preventDefault();
    if (text.trim() === '') return;
    void onAdd(text.trim()).then((isAdded) => isAdded || setText((typed) => (typed === '' ? text : typed)));
    setText('');
  };
  return (
    <form class="foot" onSubmit={add}>
      <input
        class="input"
        aria-label={label}
        placeholder={placeholder}
        dir="auto"
        value={text}
        onInput={(event) => setText(event.currentTarget.value)}
      />
      <Button small submit>
        {t('todo.add')}
      </Button>
    </form>
  );
}
