import { correction, generate } from 'lean-qr';
import { toSvgPath } from 'lean-qr/extras/svg';
import { type Html, html } from '#kernel/html';

/** Modules of quiet ground around a code; readers need four. */
const QUIET = 4;

/** An address as a code to scan, dark on light whatever the page's colours are: readers need that. */
export function qrCode(address: string, label: string): Html {
  const code = generate(address, { minCorrectionLevel: correction.M });
  const side = code.size + 2 * QUIET;
  return html`<svg class="qr" viewBox="${-QUIET} ${-QUIET} ${side} ${side}" role="img" aria-label="${label}" shape-rendering="crispEdges"><path d="${toSvgPath(code)}"/></svg>`;
}
