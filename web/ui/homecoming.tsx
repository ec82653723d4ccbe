import { Bird } from './rook.tsx';

const FLYING =
  'M0 9C5 7.6 9 8 12.5 10.5 15 4.5 20 1 27 .2c-1 2-2.2 3.4-3.6 4.6.9-.1 1.9-.1 2.9 0-1.7 2.6-4 4.7-6.7 6.5l1.7.3c2.2.3 4.2.2 6.2 1 1.2.5 2 1.2 2.4 1.9l-4.4.4c-2.5 1.2-5.5 1.7-9 1.3C10.5 15.5 5 13 0 9Z';
/** Where rooks sit in the scene of the empty inbox; one with a negative width looks to the left. */
const SITTING = [
  'translate(92 142.2) scale(1.45)',
  'translate(150 146.8) scale(-1.25 1.25)',
  'translate(194 148.1) scale(1.4)',
  'translate(262 146.7) scale(-1.3 1.3)',
];

/** The scene of the empty inbox: rooks come home at dusk. */
export function Homecoming() {
  return (
    <svg class="scene" viewBox="0 0 440 180" aria-hidden="true">
      <circle cx="330" cy="104" r="40" fill="var(--you-soft)" />
      <circle cx="330" cy="104" r="25" fill="var(--you-fill)" />
      <path d="M0 128q220 42 440-6" stroke="var(--line-ui)" stroke-width="1.6" fill="none" />
      <path d="M0 152q220 24 440-2" stroke="var(--line)" stroke-width="1.6" fill="none" />
      {SITTING.map((place) => (
        <g key={place} transform={`${place} translate(-16 -30)`}>
          <Bird eye={1.2} />
          <path d="M14.5 23v7M18.2 22.2V30" stroke="currentColor" stroke-width="1.6" fill="none" />
        </g>
      ))}
      <g transform="translate(360 28) scale(-1.2 1.2)">
        <path fill="currentColor" d={FLYING} />
        <path fill="var(--beak)" d="m29.9 14.5 4.1.8-4.6.9-3.9-.9z" />
      </g>
    </svg>
  );
}
