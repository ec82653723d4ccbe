/** The rook's body, beak and eye, wherever it sits. */
const BODY =
  'M19.6 3.5c-4 0-7 2.8-7.3 6.6-.3 4-2.5 6.4-5.4 9.7L1.8 27c4.6-.2 8-1.3 10.7-3.2 6.9-.2 12.2-5 12.2-11.6V9c0-3.3-2.1-5.5-5.1-5.5Z';
const BEAK = 'M24.2 5.9 31 11.3c.3.3.1.7-.3.7l-6-.1Z';

/** The product's mark, never below 20 px and never rotated. */
export function Mark() {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <Bird eye={1.25} />
      <path
        d="M14.5 23v5.5M18.2 22.2v6.3M2 29h28"
        stroke="currentColor"
        stroke-width="1.8"
        stroke-linecap="round"
        fill="none"
      />
    </svg>
  );
}

/** The rook that sits on the unread line. */
export function PerchedRook() {
  return (
    <svg class="bird" viewBox="0 0 32 30" aria-hidden="true">
      <Bird eye={1.5} />
      <path d="M14.5 23v7M18.2 22.2V30" stroke="currentColor" stroke-width="2" fill="none" />
    </svg>
  );
}

/** The bird itself, without what it stands on. */
export function Bird({ eye }: { readonly eye: number }) {
  return (
    <>
      <path fill="currentColor" d={BODY} />
      <path fill="var(--beak)" d={BEAK} />
      <circle cx="20.3" cy="8.3" r={eye} fill="var(--eye)" />
    </>
  );
}
