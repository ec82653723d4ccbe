// @ts-check
// The classes that clients know, by the scopes of the highlighter; a client that meets another class refuses the block.

/**
 * By scope without its prefix; "" for what is shown plain. See protocol/markdown#code-blocks. @type
 * {Readonly<Record<string, string>>}
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
 * The class of a span as the highlighter writes it (`hljs-title function_`); one that is not known keeps what is around it.
 * @param {string} written
 * @param {string} around
 */
export function classOf(written, around) {
  // Code of another language begins anew.
  if (written.startsWith('language-')) return '';
  const [scope = '', kind = ''] = written.replace('hljs-', '').split(' ');
  const exact = `${scope} ${kind.replace(/_+$/, '')}`;
  return CLASSES[exact] ?? CLASSES[scope] ?? around;
}
