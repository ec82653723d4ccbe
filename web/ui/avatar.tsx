import { PresenceDot } from './marks.tsx';

/** The account that a picture shows. */
export interface Face {
  readonly id: number;
  readonly name: string;
  readonly isBot?: boolean | undefined;
  /** Address of the picture that the person uploaded. */
  readonly picture?: string | undefined;
}

export type FaceSize = 20 | 24 | 28 | 32 | 40 | 64 | 96;

interface AvatarProps {
  readonly face: Face;
  /** In px; the default is the size of pictures beside messages in the current density. */
  readonly size?: FaceSize | undefined;
  readonly presence?: 'active' | 'idle' | 'offline' | undefined;
}

/** A person as an egg, a bot as a box. Always stands beside the name, so screen readers skip it. */
export function Avatar({ face, size, presence }: AvatarProps) {
  const egg = <Egg face={face} {...(size && { size })} />;
  if (!presence) return egg;
  return (
    <span class="with-dot">
      {egg}
      <PresenceDot presence={presence} />
    </span>
  );
}

const SHELLS = 8;

function Egg({ face, size }: { readonly face: Face; readonly size?: FaceSize }) {
  const look = `egg${face.isBot ? ' bot' : ''}${size === undefined ? '' : ` x${size}`}`;
  if (face.picture !== undefined)
    return <img class={`${look} pic`} src={face.picture} alt="" loading="lazy" decoding="async" draggable={false} />;
  return (
    <span class={`${look} e${(face.id % SHELLS) + 1}`} aria-hidden="true">
      {initialsOf(face.name)}
    </span>
  );
}

/** The first two letters of a name; only the first in scripts without case, where two would be a word. */
export function initialsOf(name: string): string {
  const [first = '?', second = ''] = PLAIN.test(name) ? name.trim() : letters(name.trim());
  const hasCases = first.toLowerCase() !== first.toUpperCase();
  return hasCases ? first.toLocaleUpperCase() + second.toLocaleLowerCase() : first;
}

/** Names of ASCII characters, as most are, which need no segmentation into letters. */
const PLAIN = /^[\x20-\x7e]*$/;

function letters(name: string): readonly string[] {
  return [...new Intl.Segmenter().segment(name)].map(({ segment }) => segment);
}

/** Two of several people, overlapping. */
export function AvatarPair({ faces }: { readonly faces: readonly Face[] }) {
  return (
    <span class="duo">
      {faces.slice(0, 2).map((face) => (
        <Egg key={face.id} face={face} />
      ))}
    </span>
  );
}

interface FaceStackProps {
  readonly faces: readonly Face[];
  /** Number of further people. */
  readonly more?: number | undefined;
  /** Their names, for screen readers. */
  readonly label?: string | undefined;
}

/** Several people in a row. */
export function FaceStack({ faces, more = 0, label }: FaceStackProps) {
  return (
    <span class="stack" role={label === undefined ? undefined : 'img'} aria-label={label}>
      {faces.map((face) => (
        <Egg key={face.id} face={face} size={24} />
      ))}
      {more > 0 && <span class="plus">+{more}</span>}
    </span>
  );
}
