/** Small pictures of the client under a choice, drawn with the colours of that scheme. */

const LINES = ['8,12,28', '8,24,22', '8,34,26', '68,18,58', '68,28,72', '68,52,46'];

function Sheet() {
  return (
    <>
      <rect class="sky" width="160" height="84" />
      <rect class="sheet" x="46" y="6" width="108" height="72" rx="4" />
      <Words lines={LINES} />
    </>
  );
}

function Words({ lines }: { readonly lines: readonly string[] }) {
  return (
    <g class="ink">
      {lines.map((line) => {
        const [x, y, width] = line.split(',');
        return <rect key={line} x={x} y={y} width={width} height="4" rx="2" />;
      })}
    </g>
  );
}

/** Preview of a light or dark theme, or half of each. */
export function ThemePreview({ theme }: { readonly theme: 'system' | 'light' | 'dark' }) {
  const look = { system: 'mini sys', light: 'mini lt', dark: 'mini dk' }[theme];
  return (
    <svg class={look} viewBox="0 0 160 84" aria-hidden="true">
      <Sheet />
      {theme === 'system' && (
        <g class="half">
          <Sheet />
        </g>
      )}
    </svg>
  );
}

const DENSITY = {
  comfortable: ['34,16,60', '34,26,100', '34,36,84', '34,56,52', '34,66,92'],
  compact: ['34,8,60', '34,17,100', '34,26,92', '34,38,52', '34,47,92', '34,56,70', '34,68,64', '34,77,88'],
};

/** Preview of how densely messages are set. */
export function DensityPreview({ density }: { readonly density: 'comfortable' | 'compact' }) {
  return (
    <svg class="mini" viewBox="0 0 160 84" aria-hidden="true">
      <rect class="sheet" width="160" height="84" />
      <Words lines={DENSITY[density]} />
    </svg>
  );
}
