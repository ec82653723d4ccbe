// @ts-check

/**
 * The classes that clients know, by the highlighter's scopes without their prefix; "" for scopes that stay plain. A
 * client that gets another class refuses the whole block. See protocol/markdown#code-blocks.
 * @type {Readonly<Record<string, string>>}
 */
export const CLASSES = {
  addition: 'gi',
  attr: 'na',
  attribute: 'na',
  built_in: 'nb',
  bullet: 'k',
  'char escape': 'se',
  class: '',
  code: 's',
  comment: 'c',
  deletion: 'gd',
  doctag: 'cs',
  emphasis: 'ge',
  formula: 's',
  function: '',
  keyword: 'k',
  link: 'na',
  literal: 'kc',
  meta: 'cp',
  'meta prompt': 'gp',
  name: 'nt',
  number: 'm',
  operator: 'o',
  params: '',
  property: 'na',
  punctuation: 'p',
  quote: 'ge',
  regexp: 'sr',
  section: 'gh',
  'selector-attr': 'na',
  'selector-class': 'nc',
  'selector-id': 'nn',
  'selector-pseudo': 'nd',
  'selector-tag': 'nt',
  string: 's',
  strong: 'gs',
  subst: '',
  symbol: 'ss',
  tag: 'p',
  'template-tag': 'cp',
  'template-variable': 'nv',
  title: 'nf',
  'title class': 'nc',
  'title function': 'nf',
  type: 'kt',
  variable: 'nv',
  'variable constant': 'no',
  'variable language': 'bp',
};

/**
 * Returns the class for a span of the highlighter.
 * @param {string} written The span's own classes, such as `hljs-title function_`.
 * @param {string} around The class of the enclosing span, which an unknown scope gets.
 */
export function classOf(written, around) {
  // Embedded code of another language does not get the class of the enclosing span.
  if (written.startsWith('language-')) return '';
  const [scope = '', kind = ''] = written.replace('hljs-', '').split(' ');
  const exact = `${scope} ${kind.replace(/_+$/, '')}`;
  return CLASSES[exact] ?? CLASSES[scope] ?? around;
}
