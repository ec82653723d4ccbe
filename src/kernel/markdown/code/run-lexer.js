// @ts-check
// Runs lexers that are tables: per state, expressions that are tried in turn, what each says of its text, and which state
// follows. The tables are made by tools/markdown-data/lexer_tables.py, and this reads them as their own program does.

/**
 * Another lexer, and the states in which it begins, for a part of a text.
 * @typedef {{ by: string, in: readonly string[] }} Turn
 * The class of a text (none: plain), what reads it, or null: nothing is said of it.
 * @typedef {string | Turn | null} Say
 * An expression, 1 where letter case does not count, what is said of the whole or of each of its groups, and steps: a
 * number below 0 leaves so many states.
 * @typedef {readonly [source: string, cases: 0 | 1, action: Say | readonly Say[], steps: readonly (string | number)[]]} Rule
 * @typedef {Readonly<Record<string, Readonly<Record<string, readonly Rule[]>>>>} Lexers
 * @typedef {{ readonly first: string, readonly begin: readonly string[], readonly lexers: Lexers }} Tables
 * @typedef {(at: number, name: string, text: string) => void} Hear
 */

/** Lexers within lexers; what is deeper is plain. */
const MAX_DEPTH = 20;
/** Matches of nothing behind each other; more would be a table that goes round. */
const MAX_EMPTY = 200;

/** @param {Tables} tables */
export function lexerOf({ first, begin, lexers }) {
  /** @type {Map<Rule, RegExp>} */
  const compiled = new Map();
  /**
   * Compiled when it is first tried: most states of a language are not met in a text.
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
   * @param {Hear} hear
   * @param {number} depth
   */
  const run = (name, text, from, hear, depth) => {
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
      if (whole !== '') tell(action, found.match, hear, depth);
      for (const step of steps) follow(stack, step);
      at += whole.length;
      empty = whole === '' ? empty + 1 : 0;
    }
  };

  /**
   * @param {Say | readonly Say[]} action
   * @param {RegExpExecArray} match
   * @param {Hear} hear
   * @param {number} depth
   */
  const tell = (action, match, hear, depth) => {
    if (!isGroups(action)) return say(action, match.index, match[0], hear, depth);
    for (const [index, one] of action.entries()) {
      const text = match[index + 1];
      if (text) say(one, match.indices?.[index + 1]?.[0] ?? 0, text, hear, depth);
    }
  };

  /**
   * @param {Say} action
   * @param {number} at
   * @param {string} text
   * @param {Hear} hear
   * @param {number} depth
   */
  const say = (action, at, text, hear, depth) => {
    if (typeof action === 'string') hear(at, action, text);
    else if (action !== null && depth < MAX_DEPTH)
      run(action.by, text, action.in, (inner, name, part) => hear(at + inner, name, part), depth + 1);
  };

  /**
   * The whole text in pieces behind each other, each with its class; plain ones have "".
   * @param {string} text
   */
  return (text) => {
    /** @type {[name: string, text: string][]} */
    const pieces = [];
    let done = 0;
    // Rules end at the end of a line, and so must the last.
    run(first, `${text}\n`, begin, hear, 0);
    hear(text.length, '', '');
    return pieces;

    /** @type {Hear} */
    function hear(at, name, part) {
      if (at > done) pieces.push(['', text.slice(done, at)]);
      const own = text.slice(Math.max(at, done), at + part.length);
      if (own !== '') pieces.push([name, own]);
      done = Math.max(done, at + part.length);
    }
  };
}

/**
 * @param {Say | readonly Say[]} action
 * @returns {action is readonly Say[]}
 */
const isGroups = (action) => Array.isArray(action);

/**
 * The last state is never left.
 * @param {string[]} stack
 * @param {string | number} step
 */
function follow(stack, step) {
  if (typeof step === 'number') stack.splice(Math.max(1, stack.length + step));
  else if (step === '#pop') stack.splice(Math.max(1, stack.length - 1));
  else stack.push(step === '#push' ? (stack.at(-1) ?? 'root') : step);
}
