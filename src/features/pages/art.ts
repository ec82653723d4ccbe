import { type Html, html } from '#kernel/html';

const ROOK = html`<path fill="currentColor" d="M19.6 3.5c-4 0-7 2.8-7.3 6.6-.3 4-2.5 6.4-5.4 9.7L1.8 27c4.6-.2 8-1.3 10.7-3.2 6.9-.2 12.2-5 12.2-11.6V9c0-3.3-2.1-5.5-5.1-5.5Z"/>
<path fill="var(--beak)" d="M24.2 5.9 31 11.3c.3.3.1.7-.3.7l-6-.1Z"/><circle cx="20.3" cy="8.3" r="1.25" fill="var(--eye)"/>`;

/** A rook on a line, on 32 by 32. */
const PERCHED = html`${ROOK}
<path d="M14.5 23v5.5M18.2 22.2v6.3M2 29h28" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" fill="none"/>`;

/** The logo: it is dark by day and slate by night; the beak is its only warm spot. */
export const MARK = html`<svg class="mark" viewBox="0 0 32 32" aria-hidden="true">${PERCHED}</svg>`;

/**
 * The logo above a name, in the middle of the window, for a page that has no content yet. Its look needs no style sheet,
 * so it is there before one; the colour of the group is that of the beak until then.
 */
export const waiting = (
  name: string,
): Html => html`<svg class="waiting" role="img" aria-label="${name}" width="100%" height="90vh">
<svg x="50%" y="45%" overflow="visible"><g class="mark" transform="translate(-32 -64) scale(2)" fill="#f3b24e">${PERCHED}</g></svg>
<text x="50%" y="45%" dy="2em" text-anchor="middle" font-family="system-ui, sans-serif" font-size="18" font-weight="600" fill="currentColor">${name}</text></svg>`;

/** The logo as a file for tabs and home screens: the dark bird on an amber tile, legible on any background. */
export const ICON = html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 64 64" color="#1b2330"><style>:root{--beak:#fff3d6;--eye:#fff3d6}</style>
<rect width="64" height="64" rx="14" fill="#f3b24e"/><g transform="translate(10 11) scale(1.4)">${PERCHED}</g></svg>`;

/** Places of the rooks on the wires, and their sizes; a negative width makes one look to the left. */
const SITTING = [
  'translate(170 118.5) scale(1.5)',
  'translate(248 126.1) scale(-1.3 1.3)',
  'translate(420 136.5) scale(1.55)',
  'translate(930 119.7) scale(1.35)',
  'translate(1004 115.1) scale(-1.25 1.25)',
  'translate(1180 104.2) scale(-1.5 1.5)',
  'translate(640 165) scale(1.3)',
];

const FLYING = ['translate(690 30) scale(1.6)', 'translate(800 58)'];

/** Rooks on wires at dusk, at the foot of every page. */
export const WIRE = html`<svg class="wire" viewBox="0 0 1440 170" preserveAspectRatio="xMidYMax slice" aria-hidden="true">
<defs><g id="rook">${ROOK}<path d="M14.5 23v7M18.2 22.2V30" stroke="currentColor" stroke-width="1.6" fill="none"/></g>
<g id="flight"><path fill="currentColor" d="M0 9C5 7.6 9 8 12.5 10.5 15 4.5 20 1 27 .2c-1 2-2.2 3.4-3.6 4.6.9-.1 1.9-.1 2.9 0-1.7 2.6-4 4.7-6.7 6.5l1.7.3c2.2.3 4.2.2 6.2 1 1.2.5 2 1.2 2.4 1.9l-4.4.4c-2.5 1.2-5.5 1.7-9 1.3C10.5 15.5 5 13 0 9Z"/><path fill="var(--beak)" d="m29.9 14.5 4.1.8-4.6.9-3.9-.9z"/></g></defs>
<path class="line" d="M-20 92q380 62 740 40t740-46M-20 132q380 44 740 30t740-30"/>
${SITTING.map((place) => html`<use href="#rook" transform="${place} translate(-16 -30)"/>`)}
${FLYING.map((place) => html`<use href="#flight" opacity=".85" transform="${place}"/>`)}</svg>`;

const PATHS = {
  alert: 'M10 3.5 17.5 16h-15zM10 8.2v3.6M10 13.8v.01',
  check: 'm4.5 10.5 3.6 3.5 7.4-8',
  right: 'm8 5 5 5-5 5',
};

/** A small decorative icon beside a word with the same meaning. */
export function icon(name: keyof typeof PATHS): Html {
  return html`<svg class="i s" viewBox="0 0 20 20" aria-hidden="true"><path d="${PATHS[name]}"/></svg>`;
}
