import type { Message } from '../../../messages/index.ts';
import { closeOverlay, type MessageDialog } from '../../overlays/open.ts';
import { ForwardDialog } from './forward-dialog.tsx';
import { HistoryDialog } from './history-dialog.tsx';
import { MoveDialog } from './move-dialog.tsx';
import { ReceiptsDialog } from './receipts-dialog.tsx';
import { RemindDialog } from './remind-dialog.tsx';
import { ReportDialog } from './report-dialog.tsx';
import { WhyDialog } from './why-dialog.tsx';

const DIALOGS = {
  forward: ForwardDialog,
  history: HistoryDialog,
  move: MoveDialog,
  receipts: ReceiptsDialog,
  remind: RemindDialog,
  report: ReportDialog,
  why: WhyDialog,
} as const;

interface MessageDialogViewProps {
  readonly dialog: MessageDialog;
  readonly message: Message;
  readonly isWhole?: boolean;
}

/** A dialog about one message. */
export function MessageDialogView({ dialog, ...about }: MessageDialogViewProps) {
  const Shown = DIALOGS[dialog];
  return <Shown {...about} onClose={closeOverlay} />;
}
