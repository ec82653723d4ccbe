import { useRef, useState } from 'preact/hooks';
import {
  Avatar,
  Button,
  Chip,
  Count,
  Dialog,
  AvatarPair,
  EmptyView,
  FaceStack,
  Icon,
  IconButton,
  Keys,
  LinkButton,
  ListSkeleton,
  Menu,
  MessageSkeleton,
  PresenceDot,
  Tag,
  Toasts,
  VirtualList,
} from '../ui/index.ts';
import { Checkbox, Field, Select, Switch, TextInput } from '../ui/field.tsx';
import { Segments, Tabs } from '../ui/tabs.tsx';
import { Homecoming } from '../ui/homecoming.tsx';
import { ICONS, type IconName } from '../ui/icons.ts';
import { t } from '../words/index.ts';
import { adam, bot, gus, idle, long, max, mia, mona, olive, omar } from './data.tsx';

const FACES = [adam, mona, olive, mia, max, long, gus, bot, omar];

/** Every primitive in each of its states. */
export function Parts() {
  return (
    <main class="parts">
      <h1 class="display">Parts</h1>
      <Buttons />
      <Fields />
      <Marks />
      <Faces />
      <Overlays />
      <Icons />
      <section>
        <h2>Loading</h2>
        <MessageSkeleton />
        <ListSkeleton count={3} />
      </section>
      <section>
        <h2>Empty</h2>
        <EmptyView
          scene={<Homecoming />}
          title="All caught up"
          text="Nothing is waiting for you. New direct messages, mentions and unread topics will land here."
        >
          <LinkButton href="#recent" icon="clock">
            Recent conversations
          </LinkButton>
          <LinkButton href="#drafts" look="ghost">
            1 draft is waiting
          </LinkButton>
        </EmptyView>
      </section>
      <Rows />
      <Toasts
        toasts={[
          { id: 1, text: 'Topic muted.', action: { label: t('common.undo'), onChoose: idle } },
          { id: 2, text: 'Not muted: the channel is archived.', isError: true },
        ]}
        onDismiss={idle}
      />
    </main>
  );
}

function Buttons() {
  return (
    <section>
      <h2>Buttons</h2>
      <div class="chips">
        <Button look="primary">Save changes</Button>
        <Button>Plain</Button>
        <Button look="ghost">Ghost</Button>
        <Button look="danger">Deactivate</Button>
        <Button pressed icon="follow">
          Following
        </Button>
        <Button small>Small</Button>
        <Button refusal="Only owners may do this.">Refused</Button>
        <Button look="primary" busy>
          Saving
        </Button>
        <IconButton icon="star" label="Star" keys="*" />
        <IconButton icon="star" label="Starred" pressed filled />
        <IconButton icon="trash" label="Delete" refusal="Only owners may do this." />
      </div>
      <Tabs
        label="Drafts and more"
        current="#drafts"
        tabs={[
          { label: 'Drafts', href: '#drafts', count: 3 },
          { label: 'Scheduled', href: '#scheduled' },
          { label: 'Reminders', href: '#reminders' },
        ]}
      />
      <Segments
        label="Look"
        value="a"
        onChange={idle}
        options={[
          { value: 'a', label: 'Side by side' },
          { value: 'b', label: 'Together' },
        ]}
      />
    </section>
  );
}

function Fields() {
  const [on, setOn] = useState(true);
  return (
    <section class="stack-v">
      <h2>Fields</h2>
      <Field label="Name" hint="As others see it." saved>
        {(names) => <TextInput {...names} value="Max Member" />}
      </Field>
      <Field label="Email" error="Enter a valid email address.">
        {(names) => <TextInput {...names} value="max@" type="email" />}
      </Field>
      <Field label="Find">{(names) => <TextInput {...names} icon="search" type="search" placeholder="Find" />}</Field>
      <Field label="They join as">
        {(names) => (
          <Select
            {...names}
            value="member"
            onChange={idle}
            options={[
              { value: 'member', label: 'Member' },
              { value: 'guest', label: 'Guest' },
            ]}
          />
        )}
      </Field>
      <Checkbox label="In this browser" hint="It asks for permission once you go on." checked={on} onChange={setOn} />
      <div>
        <Switch label="Desktop notifications" checked={on} onChange={setOn} />
        <Switch label="Sounds" checked={!on} onChange={idle} />
      </div>
    </section>
  );
}

function Marks() {
  return (
    <section>
      <h2>Marks</h2>
      <div class="chips">
        <Count count={3} />
        <Count count={1204} />
        <Count count={2} kind="you" />
        <Count count={1} kind="bare" word=" draft" />
        <Tag>Bot</Tag>
        <Tag kind="you">For you</Tag>
        <Tag kind="accent" icon="check">
          Joined
        </Tag>
        <Keys keys="Ctrl K" />
        <PresenceDot presence="active" />
        <PresenceDot presence="idle" />
        <PresenceDot presence="offline" />
        <Chip pressed onPress={idle}>
          Unread
        </Chip>
        <Chip pressed={false} onPress={idle}>
          Followed
        </Chip>
        <Chip removal={{ label: t('common.remove', { name: 'moderators' }), onRemove: idle }} icon="people">
          moderators
        </Chip>
        <Chip fault="not an address" removal={{ label: t('common.remove', { name: 'max@' }), onRemove: idle }}>
          max@
        </Chip>
        <Chip fixed icon="lock">
          Owners
        </Chip>
      </div>
    </section>
  );
}

function Faces() {
  return (
    <section>
      <h2>Faces</h2>
      <div class="chips">
        {FACES.map((face) => (
          <Avatar key={face.id} face={face} />
        ))}
        <Avatar face={mia} size={20} presence="active" />
        <Avatar face={mia} size={28} presence="idle" />
        <Avatar face={mia} size={64} presence="offline" />
        <AvatarPair faces={[mona, gus]} />
        <FaceStack faces={[mia, mona, olive, max]} more={3} />
      </div>
    </section>
  );
}

function Overlays() {
  const anchor = useRef<HTMLButtonElement>(null);
  const [open, setOpen] = useState<'menu' | 'dialog' | undefined>(() => opened());
  const close = () => setOpen(undefined);
  return (
    <section>
      <h2>Overlays</h2>
      <div class="chips">
        <Button elementRef={anchor} popup="menu" expanded={open === 'menu'} onPress={() => setOpen('menu')}>
          Open menu
        </Button>
        <Button popup="dialog" onPress={() => setOpen('dialog')}>
          Open dialog
        </Button>
      </div>
      {open === 'menu' && anchor.current && (
        <Menu
          label="Message"
          anchor={anchor.current}
          onClose={close}
          groups={[
            [
              { label: t('message.quote'), icon: 'reply', keys: '>' },
              { label: t('menu.forward'), icon: 'forward' },
              { label: t('message.star'), icon: 'star', checked: true },
            ],
            [{ label: t('menu.copyLink'), icon: 'link', keys: 'L' }],
            [{ label: t('menu.delete'), icon: 'trash', isBad: true }],
          ]}
        />
      )}
      {open === 'dialog' && (
        <Dialog
          title="Move 3 messages"
          onClose={close}
          onSubmit={close}
          foot={
            <>
              <Button look="primary" submit>
                Move 3 messages
              </Button>
              <Button look="ghost" onPress={close}>
                {t('common.cancel')}
              </Button>
            </>
          }
        >
          <Field label="Topic">{(names) => <TextInput {...names} value="New mark" />}</Field>
          <Checkbox label="Tell people where they went" checked onChange={idle} />
        </Dialog>
      )}
    </section>
  );
}

function opened(): 'dialog' | undefined {
  return new URL(location.href).searchParams.get('open') === 'dialog' ? 'dialog' : undefined;
}

function Icons() {
  return (
    <section>
      <h2>Icons</h2>
      <div class="icon-sheet">
        {Object.keys(ICONS)
          .filter(isIcon)
          .map((name) => (
            <span key={name}>
              <Icon name={name} />
              {name}
            </span>
          ))}
      </div>
    </section>
  );
}

function isIcon(name: string): name is IconName {
  return Object.hasOwn(ICONS, name);
}

const ITEMS = Array.from({ length: 5000 }, (_, index) => index);
const keyOf = (item: number) => String(item);

function Rows() {
  return (
    <section>
      <h2>5,000 rows</h2>
      <VirtualList
        class="sample-list"
        label="Rows"
        items={ITEMS}
        keyOf={keyOf}
        estimate={40}
        start="2500"
        render={(item) => <p class={`sample sample-${item % 5}`}>Row {item}</p>}
      />
    </section>
  );
}
