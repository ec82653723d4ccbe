import type { UserSettings } from '#features/user-settings';

/** The settings that a command changes, and its answer. */
interface Command {
  readonly settings: Partial<UserSettings>;
  readonly said: string;
}

/** Values of `color_scheme`. See protocol/settings#settings. */
const ColorScheme = { dark: 2, light: 3 } as const;

/** Commands by name. See protocol/settings#small-operations. */
export const COMMANDS: ReadonlyMap<string, Command> = new Map([
  ['ping', { settings: {}, said: '' }],
  ['dark', { settings: { color_scheme: ColorScheme.dark }, said: 'The theme is dark now; `/light` makes it light.' }],
  ['light', { settings: { color_scheme: ColorScheme.light }, said: 'The theme is light now; `/dark` makes it dark.' }],
  [
    'fluid-width',
    { settings: { fluid_layout_width: true }, said: 'The layout fills the window now; `/fixed-width` bounds it.' },
  ],
  [
    'fixed-width',
    {
      settings: { fluid_layout_width: false },
      said: 'The layout has a fixed width now; `/fluid-width` fills the window.',
    },
  ],
]);
