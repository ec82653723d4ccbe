import { type Html, html } from '#kernel/html';

/** Modules of quiet zone around a code; readers need four. */
const QUIET = 4;

/** An address as a QR code, dark on light regardless of the page's colours, because readers need that. */
export async function qrCode(address: string, label: string): Promise<Html> {
  const { encode } = await import('uqr');
  const { data, size } = encode(address, { ecc: 'M', border: QUIET });
  const path = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  return html`<svg class="qr" viewBox="0 0 ${size} ${size}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${path}"/></svg>`;
}
