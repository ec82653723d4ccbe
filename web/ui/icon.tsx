import { HEAVY, ICONS, type IconName } from './icons.ts';

interface IconProps {
  readonly name: IconName;
  /** 16 px beside small text, instead of 20 px. */
  readonly small?: boolean | undefined;
  readonly class?: string | undefined;
}

/** Icons that point the way of the text, and so the other way in right-to-left languages. */
const POINTING: ReadonlySet<IconName> = new Set(['back', 'left', 'right']);

/** An icon beside a word of the same meaning, or inside a control that has a name. */
export function Icon({ name, small = false, class: extra = '' }: IconProps) {
  return (
    <svg
      class={`i ${small ? 's ' : ''}${POINTING.has(name) ? 'pointing ' : ''}${extra}`}
      viewBox="0 0 20 20"
      aria-hidden="true"
    >
      <path d={ICONS[name]} stroke-width={HEAVY[name]} />
    </svg>
  );
}
