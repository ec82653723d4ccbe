import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { Completion } from '../compose/completion.tsx';
import { Composer, Dock, NoPost, RestingComposer, type Writing, WritingField } from '../compose/composer.tsx';
import { EditForm } from '../compose/edit-form.tsx';
import { Combo } from '../compose/combo.tsx';
import { ChannelRecipient, DirectRecipients, Warning } from '../compose/recipients.tsx';
import { FormattingBar, SendBar } from '../compose/tools.tsx';
import { Uploads } from '../compose/uploads.tsx';
import { Avatar, Button } from '../ui/index.ts';
import { Frame } from '../views/shell/frame.tsx';
import { Head, PlainTitle } from '../views/shell/head.tsx';
import { t } from '../words/index.ts';
import { design, general, gus, idle, long, max, mia, mona } from './data.tsx';
import { Conversations } from './sidebar.tsx';

const still = { listLabel: '', options: [], onText: idle, onChoose: idle };
const topic = (value: string) => <Combo {...still} class="topic" label={t('compose.topic')} value={value} />;
const person = <Combo {...still} class="" label={t('compose.addPerson')} value="" />;
const closing = { label: t('compose.close'), onClose: idle };

/** A text that does not change. */
function writingOf(text: string): Writing {
  return {
    text,
    onText: idle,
    onTool: idle,
    onPreview: idle,
    uploads: [],
    onCancelUpload: idle,
    onSwitchUpload: idle,
  };
}

const OPTIONS = [
  { key: '4', name: 'Mia Member', lead: <Avatar face={mia} size={24} presence="active" />, end: 'In this topic' },
  { key: '2', name: 'Mona Moderator', lead: <Avatar face={mona} size={24} presence="idle" />, end: 'In this topic' },
  { key: '5', name: 'Max Member', lead: <Avatar face={max} size={24} />, note: 'you' },
  { key: 'g', name: '@moderators', icon: 'people', note: '3 people', end: 'Group' },
  { key: 't', name: '@topic', icon: 'at', note: 'everyone in this topic', end: '5 people' },
] as const;

const UPLOADS = [
  { key: 'a', name: 'mark-shorter-beak-final-2.png', isImage: true, percent: 64.4, state: 'running' },
  { key: 'b', name: 'the-flock.mp4', percent: 30, state: 'paused' },
  {
    key: 'c',
    name: 'everything.zip',
    percent: 0,
    state: 'failed',
    fault: 'File is larger than this server’s upload limit.',
  },
] as const;

function Bar({ audience, note }: { readonly audience?: number; readonly note?: string }) {
  return (
    <div class="bar-row">
      <FormattingBar onTool={idle} isPreview={false} onPreview={idle} />
      <SendBar onLater={idle} note={note} audience={audience} />
    </div>
  );
}

/** The composer in use: with completions and uploads. */
export function ExampleComposer() {
  const [text, setText] = useState('Like this? @mi');
  const list = useId();
  return (
    <Dock>
      <Composer
        label={t('compose.label')}
        isActive
        onSubmit={idle}
        popover={
          <Completion id={list} label="People and groups" options={OPTIONS} selected={0} onChoose={idle} offersSilent />
        }
        to={
          <ChannelRecipient
            channel={design}
            onPlace={idle}
            field={topic('New mark: branch or flight')}
            closing={closing}
          />
        }
        field={
          <WritingField
            writing={{ ...writingOf(text), onText: setText }}
            placeholder={t('compose.placeholder', { name: 'New mark' })}
          />
        }
        uploads={<Uploads uploads={UPLOADS.slice(0, 1)} onCancel={idle} onSwitch={idle} />}
        bar={<Bar note={t('compose.draftSaved')} />}
      />
    </Dock>
  );
}

const to = <ChannelRecipient channel={general} onPlace={idle} field={topic('Decided')} closing={closing} />;

function state(name: string, warning: ComponentChildren, text: string, extra: object = {}) {
  return (
    <section class="spec" aria-label={name}>
      <h2>{name}</h2>
      <Composer
        label={name}
        onSubmit={idle}
        to={to}
        warning={warning}
        field={<WritingField writing={writingOf(text)} placeholder={name} />}
        bar={<Bar />}
        {...extra}
      />
    </section>
  );
}

/** The composer's states, one by one. */
export function ComposerStates() {
  return (
    <Frame left={<Conversations />}>
      <Head onMenu={idle}>
        <PlainTitle>Composer: its states</PlainTitle>
      </Head>
      <div class="scroll" tabIndex={0} role="region" aria-label="States">
        <div class="specs">
          <section class="spec" aria-label="Rest">
            <h2>At rest</h2>
            <RestingComposer
              placeholder="Write to design › New mark: branch or flight"
              onOpen={idle}
              onAttach={idle}
              onEmoji={idle}
            />
          </section>
          <section class="spec" aria-label="May not post">
            <h2>May not post</h2>
            <NoPost title="You may not post in announcements." action={<Button small>Ask Olive Owner</Button>}>
              Owners, administrators and <a href="#groups">newsroom</a> may.
            </NoPost>
          </section>
          {state(
            'Mentioned, but not subscribed',
            <Warning
              icon="people"
              action={<Button small>{t('warn.subscribe', { name: 'Gus' })}</Button>}
              onDismiss={idle}
            >
              {t('warn.notSubscribed', { name: 'Gus Guest', channel: 'design' })}
            </Warning>,
            '@**Gus Guest** could you look at the beak?',
          )}
          {state(
            'Many people',
            <Warning icon="alert" hint={t('warn.topicOnly', { count: 5 })}>
              {t('warn.many', { count: 48, channel: 'general' })}
            </Warning>,
            '@**all** the new mark is decided.',
            { bar: <Bar audience={48} /> },
          )}
          {state(
            'The server would refuse',
            <Warning icon="alert" isRefusal action={<Button small>Send without the mention</Button>}>
              In general, only moderators may mention everyone.
            </Warning>,
            '@**channel** lunch?',
          )}
          {state('Files', undefined, 'Three files.', {
            uploads: <Uploads uploads={UPLOADS} onCancel={idle} onSwitch={idle} />,
          })}
          {state('Direct message', undefined, 'Shall we three meet again?', {
            to: (
              <DirectRecipients
                people={[mia, gus, long]}
                onRemove={idle}
                onPlace={idle}
                field={person}
                closing={closing}
              />
            ),
          })}
          <section class="spec msg editing" aria-label="Edit">
            <h2>Editing</h2>
            <EditForm
              writing={writingOf('One pixel shorter, and I moved the eye.')}
              onSave={idle}
              onCancel={idle}
              onLeave={idle}
              minutesLeft={7}
              fault="The time limit for editing this message has passed."
            />
          </section>
        </div>
      </div>
    </Frame>
  );
}
