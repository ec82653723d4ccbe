import { SHORTCUTS } from '../../keyboard/index.ts';
import { t } from '../../words/deferred.ts';
import { KeyboardHelp } from '../overlays/keyboard-help.tsx';
import { closeOverlay } from '../overlays/open.ts';

/** The help screen of all keys, made from the table that binds them. */
export function KeysHelp() {
  const sections = SHORTCUTS.map(({ title, shortcuts }) => ({
    title: t(title),
    rows: shortcuts.map(({ command, keys }) => ({ what: t(`key.${command}`), keys })),
  }));
  return <KeyboardHelp sections={sections} onClose={closeOverlay} />;
}
