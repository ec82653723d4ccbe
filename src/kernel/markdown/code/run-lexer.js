// @ts-check
// Runs lexers that are given as tables. For each state, a table has the expressions that are tried in order, and for
// each of them the classes of the matched text and the states that follow. tools/markdown-data/lexer_tables.py makes
// the tables; they are interpreted as by the program from which they come.

/**
 * Another lexer that reads a part of a text, and the states in which it begins.
 * @typedef {{ by: string, in: readonly string[] }} Inner
 */
/**
 * What becomes of a matched text: it gets a class ("" if it is plain), or another lexer reads it, or nothing (null).
 * @typedef {string | Inner | null} Action
 */
/**
 * An expression, 1 if it ignores case, the action for the whole match or one for each of its groups, and the steps to
 * the next state. A negative number leaves that many states.
 * @typedef {readonly (string | number)[]} Steps
 * @typedef {readonly [source: string, cases: 0 | 1, action: Action | readonly Action[], steps: Steps]} Rule
 */
/**
 * The rules by lexer and state; the lexer of whole texts, and the states in which it begins.
 * @typedef {Readonly<Record<string, Readonly<Record<string, readonly Rule[]>>>>} Lexers
 * @typedef {{ readonly first: string, readonly begin: readonly string[], readonly lexers: Lexers }} Tables
 */
/**
 * Called with each piece that has a class: its index, its class and its text.
 * @typedef {(at: number, name: string, text: string) => void} OnPiece
 */
/**
 * Who gets the pieces, and how many lexers are around the one that reads.
 * @typedef {{ readonly onPiece: OnPiece, readonly depth: number }} Reader
 */

/** Deepest nesting of lexers in lexers; deeper text stays plain. */
const MAX_DEPTH = 20;
/** Most empty matches in a row; more would be an endless loop in a table. */
const MAX_EMPTY = 200;

/** @param {Tables} tables */
export function lexerOf({ first, begin, lexers }) {
  /** @type {Map<Rule, RegExp>} */
  const compiled = new Map();
  /**
   * Compiles a rule's expression on first use, because most texts never reach most states of their language.
   * @param {Rule} rule
   */
  const expressionOf = (rule) => {
    const known = compiled.get(rule);
    if (known) return known;
    const [source, cases, action] = rule;
    const expression = new RegExp(source, `uy${cases ? 'i' : ''}${typeof action === 'object' ? 'd' : ''}`);
    compiled.set(rule, expression);
    return expression;
  };

  /**
   * @param {readonly Rule[]} rules
   * @param {string} text
   * @param {number} at
   */
  const find = (rules, text, at) => {
    for (const rule of rules) {
      const expression = expressionOf(rule);
      expression.lastIndex = at;
      const match = expression.exec(text);
      if (match) return { rule, match };
    }
    return undefined;
  };

  /**
   * @param {string} name
   * @param {string} text
   * @param {readonly string[]} from
   * @param {Reader} reader
   */
  const run = (name, text, from, reader) => {
    const states = lexers[name] ?? {};
    let stack = [...from];
    let empty = 0;
    for (let at = 0; at <= text.length && empty < MAX_EMPTY; ) {
      const found = find(states[stack.at(-1) ?? ''] ?? [], text, at);
      if (!found) {
        if (text[at] === '\n') stack = ['root'];
        at += String.fromCodePoint(text.codePointAt(at) ?? 0).length;
        continue;
      }
      const [, , action, steps] = found.rule;
      const [whole] = found.match;
      if (whole !== '') applyToMatch(action, found.match, reader);
      for (const step of steps) follow(stack, step);
      at += whole.length;
      empty = whole === '' ? empty + 1 : 0;
    }
  };

  /**
   * @param {Action | readonly Action[]} action
   * @param {RegExpExecArray} match
   * @param {Reader} reader
   */
  const applyToMatch = (action, match, reader) => {
    if (!isGroups(action)) return apply(action, match.index, match[0], reader);
    for (const [index, one] of action.entries()) {
      const text = match[index + 1];
      if (text) apply(one, match.indices?.[index + 1]?.[0] ?? 0, text, reader);
    }
  };

  /**
   * @param {Action} action
   * @param {number} at
   * @param {string} text
   * @param {Reader} reader
   */
  const apply = (action, at, text, { onPiece, depth }) => {
    if (typeof action === 'string') onPiece(at, action, text);
    else if (action !== null && depth < MAX_DEPTH) {
      /** @type {OnPiece} */
      const onInner = (inner, name, part) => onPiece(at + inner, name, part);
      run(action.by, text, action.in, { onPiece: onInner, depth: depth + 1 });
    }
  };

  /**
   * Returns the whole text in adjacent pieces with their classes; plain ones have "".
   * @param {string} text
   */
  return (text) => {
    /** @type {[name: string, text: string][]} */
    const pieces = [];
    let done = 0;
    // Rules match up to a line end, so the last line needs one, too.
    run(first, `${text}\n`, begin, { onPiece: addPiece, depth: 0 });
    addPiece(text.length, '', '');
    return pieces;

    /** @type {OnPiece} */
    function addPiece(at, name, part) {
      if (at > done) pieces.push(['', text.slice(done, at)]);
      const own = text.slice(Math.max(at, done), at + part.length);
      if (own !== '') pieces.push([name, own]);
      done = Math.max(done, at + part.length);
    }
  };
}

/**
 * @param {Action | readonly Action[]} action
 * @returns {action is readonly Action[]}
 */
const isGroups = (action) => Array.isArray(action);

/**
 * Takes one step to the next state. The last state on the stack is never left.
 * @param {string[]} stack
 * @param {string | number} step
 */
function follow(stack, step) {
  if (typeof step === 'number') stack.splice(Math.max(1, stack.length + step));
  else if (step === '#pop') stack.splice(Math.max(1, stack.length - 1));
  else stack.push(step === '#push' ? (stack.at(-1) ?? 'root') : step);
}
