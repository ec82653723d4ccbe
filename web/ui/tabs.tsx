import { useEffect } from 'preact/hooks';
import { formatNumber } from '../words/index.ts';
import { useRoving } from './roving.ts';

interface Tab {
  readonly label: string;
  readonly href: string;
  readonly count?: number | undefined;
}

interface TabsProps {
  /** Name of the tab list. */
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** Address of the current tab. */
  readonly current: string;
}

/** Tabs that each have an address. */
export function Tabs({ label, tabs, current }: TabsProps) {
  const ref = useRoving<HTMLElement>({ items: 'a', axis: 'horizontal' });
  // A narrow window has room for some of them.
  useEffect(
    () => ref.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest', inline: 'center' }),
    [current],
  );
  return (
    <nav ref={ref} class="tabs" aria-label={label}>
      {tabs.map(({ label: text, href, count }) => (
        <a key={href} href={href} aria-current={href === current ? 'page' : undefined}>
          {text}
          {count !== undefined && count > 0 && <span class="n"> {formatNumber(count)}</span>}
        </a>
      ))}
    </nav>
  );
}

interface SegmentsProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A choice of two or three ways to show the same thing. */
export function Segments<Value extends string>({ label, options, value, onChange }: SegmentsProps<Value>) {
  return (
    <div class="seg" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
