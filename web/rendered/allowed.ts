/** Attributes of an element, by name. */
export type Attributes = Readonly<Record<string, string>>;

/** What happens to an element: keep it, keep only its content, or drop both. */
export type Verdict =
  | { readonly keep: Attributes; readonly styles?: Readonly<Record<string, string>> }
  | 'inside'
  | 'nothing';

const NAMES = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Elements of rendered messages. protocol/markdown#elements. */
const HTML = NAMES(
  'p br hr h1 h2 h3 h4 h5 h6 ul ol li blockquote table thead tbody tr th td pre code div span a img em strong del time audio video',
);
/** Elements of formulas in MathML, which browsers draw themselves. protocol/markdown#math. */
const MATH = NAMES(
  'math semantics mrow mi mn mo ms mtext mspace msup msub msubsup mfrac msqrt mroot mover munder munderover mtable mtr mtd mpadded mphantom mstyle menclose',
);
/** Elements whose content is not text for readers. */
const SILENT = NAMES('script style iframe object embed template noscript title textarea select option annotation svg');

const CLASSES = NAMES(
  'user-mention user-group-mention channel-wildcard-mention topic-mention silent stream stream-topic message-link emoji ' +
    'timestamp-error spoiler-block spoiler-header spoiler-content codehilite katex katex-display katex-mathml tex-error ' +
    'message_inline_image message_inline_video message_embed message_embed_image message_embed_title ' +
    'message_embed_description data-container youtube-video embed-video inline-image image-loading-placeholder highlight ' +
    'highlight_text_inserted highlight_text_deleted alert-word media-anchor-element',
);
/** Classes of highlighted code. protocol/markdown#code-blocks. */
const CODE = NAMES(
  'w err x esc k kc kd kn kp kr kt n na nb bp nc no nd ni ne nf fm py nl nn nx nt nv vc vg vi vm l ld s sa sb sc dl sd s2 se sh si ' +
    'sx sr s1 ss m mb mf mh mi il mo o ow p pm c ch cm cp cpf c1 cs g gd ge gr gh gi go gp gs gu ges gt',
);
/** The class that names an emoji's picture. */
const EMOJI_CLASS = /^emoji-[0-9a-f-]{1,60}$/;

const EVERYWHERE = NAMES('class title aria-label aria-hidden role');
const OWN: Readonly<Record<string, ReadonlySet<string>>> = {
  a: NAMES('href data-id data-stream-id'),
  img: NAMES(
    'src alt data-original-src data-original-dimensions data-original-content-type data-animated data-transcoded-image width height',
  ),
  audio: NAMES('src controls preload data-original-url'),
  video: NAMES('src controls preload data-original-url'),
  ol: NAMES('start'),
  li: NAMES('value'),
  span: NAMES('data-user-id data-user-group-id data-stream-id'),
  div: NAMES('data-code-language'),
  time: NAMES('datetime'),
  math: NAMES('display'),
  mo: NAMES('stretchy fence separator lspace rspace minsize maxsize symmetric largeop movablelimits accent'),
  mi: NAMES('mathvariant'),
  mspace: NAMES('width height depth'),
  mpadded: NAMES('width height depth lspace voffset'),
  mfrac: NAMES('linethickness'),
  mtable: NAMES('columnalign rowspacing columnspacing'),
  mstyle: NAMES('displaystyle scriptlevel'),
  mover: NAMES('accent'),
  munder: NAMES('accentunder'),
};
const ADDRESSES = NAMES('href src');
const ROLES = NAMES('img');
const LONGEST = 10_000;

/** Decides what happens to an element of server HTML. Whatever is not known to be harmless is dropped. */
export function judge(tag: string, attributes: Attributes, origin: string): Verdict {
  if (SILENT.has(tag)) return 'nothing';
  // KaTeX's HTML duplicate of a formula, which needs fonts of its own.
  if (classesOf(attributes).includes('katex-html')) return 'nothing';
  if (!HTML.has(tag) && !MATH.has(tag)) return 'inside';
  const keep = Object.fromEntries(
    Object.entries(attributes).flatMap(([name, value]) => {
      const allowed = value.length <= LONGEST ? attribute(tag, name, value, origin) : undefined;
      return allowed === undefined ? [] : [[name, allowed]];
    }),
  );
  if (tag === 'img' && keep['src'] === undefined) return 'nothing';
  const styles = stylesOf(tag, attributes, origin);
  return { keep: tag === 'a' ? linked(keep, origin) : keep, ...(styles && { styles }) };
}

function attribute(tag: string, name: string, value: string, origin: string): string | undefined {
  if (!EVERYWHERE.has(name) && OWN[tag]?.has(name) !== true) return undefined;
  if (name === 'class')
    return (
      classesOf({ class: value })
        .filter((one) => isClass(tag, one))
        .join(' ') || undefined
    );
  if (name === 'role') return ROLES.has(value) ? value : undefined;
  if (name === 'href') return linkTo(value, origin);
  if (ADDRESSES.has(name)) return fileAt(value, origin);
  return value;
}

const classesOf = (attributes: Attributes) => (attributes['class'] ?? '').split(/\s+/).filter((name) => name !== '');
const isClass = (tag: string, name: string) =>
  CLASSES.has(name) || EMOJI_CLASS.test(name) || (tag === 'span' && CODE.has(name));

const SCHEMES = NAMES('http: https: mailto: tel: xmpp: sip: sips: geo: irc: ircs: news: sms: magnet: bitcoin:');

/** Returns an address that a link may have, else undefined. */
function linkTo(value: string, origin: string): string | undefined {
  if (!URL.canParse(value, origin)) return undefined;
  return SCHEMES.has(new URL(value, origin).protocol) ? value : undefined;
}

/** Returns the address of a file of this server, else undefined: nothing is fetched from elsewhere. */
function fileAt(value: string, origin: string): string | undefined {
  if (!URL.canParse(value, origin)) return undefined;
  const url = new URL(value, origin);
  return url.origin === origin ? url.pathname + url.search : undefined;
}

/** Makes links to other sites open in a new tab and send no referrer. */
function linked(keep: Attributes, origin: string): Attributes {
  const { href } = keep;
  if (href === undefined || new URL(href, origin).origin === origin) return keep;
  return { ...keep, target: '_blank', rel: 'noopener noreferrer nofollow ugc' };
}

/** Keeps the two styles that messages have: alignment of table columns, and the picture of a link preview. */
function stylesOf(tag: string, attributes: Attributes, origin: string): Record<string, string> | undefined {
  const style = attributes['style'] ?? '';
  const align = /^text-align: ?(left|right|center);?$/.exec(style)?.[1];
  if (align !== undefined && (tag === 'td' || tag === 'th')) return { 'text-align': align };
  if (!classesOf(attributes).includes('message_embed_image')) return undefined;
  const address = /^background-image: ?url\("?([^"()\\\s]+)"?\);?$/.exec(style)?.[1];
  const file = address === undefined ? undefined : fileAt(address, origin);
  return file === undefined ? undefined : { 'background-image': `url("${encodeURI(decodeSafely(file))}")` };
}

function decodeSafely(text: string): string {
  try {
    return decodeURI(text);
  } catch {
    return text;
  }
}
