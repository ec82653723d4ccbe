// An ampersand that already starts something shaped like an entity stays (contract 0.1).
const textSpecials = /&(?!(?:[A-Za-z0-9]+|#[0-9]+|#[xX][0-9a-fA-F]+);)|[<>]/g;
const attributeSpecials = /&(?!(?:[A-Za-z0-9]+|#[0-9]+|#[xX][0-9a-fA-F]+);)|[<>"]/g;
// Most texts hold nothing to escape, and to see that costs a third of replacing nothing.
const mayNeedEscape = /[&<>"]/;
const codeSpecials = /[&<>]/g;
const quotedCodeSpecials = /[&<>"']/g;

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function toEntity(character: string): string {
  return entities[character] ?? character;
}

/** Escapes text; quotes stay raw and entities as written stay entities. */
export function escapeText(text: string): string {
  return mayNeedEscape.test(text) ? text.replace(textSpecials, toEntity) : text;
}

/** Escapes the value of an attribute in double quotes. */
export function escapeAttribute(value: string): string {
  return mayNeedEscape.test(value) ? value.replace(attributeSpecials, toEntity) : value;
}

/** Escapes code, where what looks like an entity is escaped too; quotes stay raw. */
export function escapeCode(code: string): string {
  return mayNeedEscape.test(code) ? code.replace(codeSpecials, toEntity) : code;
}

/** Escapes code of a block without a language word, where quotes are escaped too. */
export function escapePlainCode(code: string): string {
  return code.replace(quotedCodeSpecials, toEntity);
}
