import { GroupPopover } from '../cards/group-popover.tsx';
import { PersonPopover } from '../cards/person-popover.tsx';
import { LaterMenu, RescheduleDialog } from '../composer/later-menu.tsx';
import { SnippetsPopover } from '../composer/snippets-popover.tsx';
import { MessageDialogView } from '../feed/dialogs/message-dialog.tsx';
import { KeysHelp } from '../keys/keys-help.tsx';
import { AboutDialog } from './about-dialog.tsx';
import { ChannelMenu } from './channel-menu.tsx';
import { DeleteTopicDialog } from './delete-topic-dialog.tsx';
import { EmojiPopover } from './emoji-popover.tsx';
import type { Overlay } from './open.ts';
import { PaletteView } from './palette-view.tsx';
import { PictureView } from './picture-view.tsx';
import { TopicMenu } from './topic-menu.tsx';

/** The view of the open overlay. */
export function OverlayView({ shown }: { readonly shown: NonNullable<Overlay> }) {
  if (shown === 'keys') return <KeysHelp />;
  if (shown === 'about') return <AboutDialog />;
  if (typeof shown === 'string') return <PaletteView kind={shown} />;
  switch (shown.what) {
    case 'emoji':
      return <EmojiPopover anchor={shown.anchor} onChoose={shown.onChoose} />;
    case 'person':
      return <PersonPopover anchor={shown.anchor} id={shown.id} />;
    case 'group':
      return <GroupPopover anchor={shown.anchor} id={shown.id} />;
    case 'channel':
      return <ChannelMenu anchor={shown.anchor} id={shown.id} />;
    case 'topic':
      return <TopicMenu anchor={shown.anchor} conversation={shown.conversation} />;
    case 'delete-topic':
      return <DeleteTopicDialog topic={shown} />;
    case 'picture':
      return <PictureView message={shown.message} src={shown.src} />;
    case 'snippets':
      return <SnippetsPopover {...shown} />;
    case 'later':
      return <LaterMenu {...shown} />;
    case 'reschedule':
      return <RescheduleDialog {...shown} />;
    case 'message':
      return <MessageDialogView {...shown} />;
  }
}
