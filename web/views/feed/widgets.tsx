import { useState } from 'preact/hooks';
import { Button, Icon, IconButton } from '../../ui/index.ts';
import { t } from '../../words/index.ts';

/** One answer of a poll. */
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
  readonly onAdd: (text: string) => void;
  /** Only for its author. */
  readonly onEditQuestion?: (() => void) | undefined;
}

/** A poll: several answers may be chosen, and anybody may add one. */
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
  readonly onAdd: (text: string) => void;
}

/** A to-do list: what is ticked is struck and quiet, and stays where it is. */
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

interface AddLineProps {
  readonly label: string;
  readonly placeholder: string;
  readonly onAdd: (text: string) => void;
}

function AddLine({ label, placeholder, onAdd }: AddLineProps) {
  const [text, setText] = useState('');
  const add = (event: Event) => {
    event.preventDefault();
    if (text.trim() === '') return;
    onAdd(text.trim());
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
