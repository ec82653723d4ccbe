import { useRef, useState } from 'preact/hooks';
import { showNotice, useClient } from '../../client/index.ts';
import type { Conversation } from '../../model/index.ts';
import { Dialog, Menu } from '../../ui/index.ts';
import { t } from '../../words/deferred.ts';
import { AskingFoot, useAsking } from '../feed/dialogs/asking.tsx';
import { closeOverlay } from '../overlays/open.ts';
import { timeStyle } from '../shown.ts';
import { shownTime, TimeField } from '../time-field.tsx';
import { noticeFailure } from '../notice-failure.ts';
import { timeChoices } from '../when.ts';

interface LaterProps {
  readonly anchor: HTMLElement;
  readonly conversation: Conversation;
  readonly text: string;
  readonly onDone: () => void;
}

type Client = ReturnType<typeof useClient>;

/** A menu of times at which a message may be sent, in words, or as a date and time. */
export function LaterMenu(props: LaterProps) {
  const client = useClient();
  const [isExact, setExact] = useState(false);
  // The menu closes before it reports the choice.
  const stays = useRef(false);
  const now = client.clock.now() / 1000;
  const style = timeStyle(client);
  const choose = (at: number) => {
    closeOverlay();
    void noticeFailure(client, schedule(client, props, at));
  };
  if (isExact) return <ExactDialog {...props} />;
  return (
    <Menu
      label={t('later.menu')}
      anchor={props.anchor}
      align="end"
      above
      onClose={() => queueMicrotask(() => stays.current || closeOverlay())}
      groups={[
        timeChoices(now).map(({ key, at }) => ({
          label: t(`when.${key}`),
          icon: 'clock',
          hint: shownTime(at, now, style),
          onChoose: () => choose(at),
        })),
        [{ label: t('later.choose'), icon: 'calendar', onChoose: () => setExact((stays.current = true)) }],
      ]}
    />
  );
}

async function schedule(client: Client, { conversation, text, onDone }: LaterProps, at: number): Promise<void> {
  const to =
    'people' in conversation
      ? { type: 'direct' as const, to: [...conversation.people] }
      : { type: 'stream' as const, to: conversation.channelId, topic: conversation.topic };
  const message = { ...to, content: text, scheduled_delivery_timestamp: at };
  await client.api.call('POST', '/scheduled_messages', message);
  onDone();
  const time = shownTime(at, client.clock.now() / 1000, timeStyle(client));
  showNotice(client, t('later.done', { time }), false);
}

function ExactDialog(props: LaterProps) {
  const client = useClient();
  const { fault, isBusy, run } = useAsking(closeOverlay);
  return <TimeDialog onTime={(at) => run(() => schedule(client, props, at))} isBusy={isBusy} fault={fault} />;
}

/** A dialog that changes the time of a scheduled message. */
export function RescheduleDialog({ id, at }: { readonly id: number; readonly at: number }) {
  const client = useClient();
  const { fault, isBusy, run } = useAsking(closeOverlay);
  const path = '/scheduled_messages/{scheduled_message_id}';
  const change = (time: number) =>
    run(() => client.api.call('PATCH', path, { scheduled_message_id: id, scheduled_delivery_timestamp: time }));
  return <TimeDialog first={at} onTime={change} isBusy={isBusy} fault={fault} />;
}

interface TimeDialogProps {
  readonly first?: number | undefined;
  readonly onTime: (at: number) => void;
  readonly isBusy: boolean;
  readonly fault: string | undefined;
}

function TimeDialog({ first, onTime, isBusy, fault }: TimeDialogProps) {
  const client = useClient();
  const now = client.clock.now() / 1000;
  const [at, setAt] = useState(() => first ?? timeChoices(now).find(({ key }) => key === 'tomorrow')?.at ?? now);
  return (
    <Dialog
      title={t('later.title')}
      onClose={closeOverlay}
      onSubmit={() => onTime(at)}
      foot={
        <AskingFoot
          label={t('later.do')}
          isBusy={isBusy}
          refusal={at <= now ? t('when.past') : undefined}
          onClose={closeOverlay}
        />
      }
    >
      <TimeField at={at} onAt={setAt} now={now} style={timeStyle(client)} error={fault} />
    </Dialog>
  );
}
