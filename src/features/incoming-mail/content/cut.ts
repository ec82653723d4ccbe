/** A line between a reply and the mail it quotes; and the most characters of the words in such a line. */
const RULE = /^(?:_{10,}|-{20,})$/;
const MAX_RULE_WORDS = 62;
/** The header of a quoted mail ("From: …", then date, recipient, subject), in the languages of common mail programs. */
const FROM = /^\*?(?:From|Von|De|Da|Van|Från|Fra|Od|От|Kimden|差出人|发件人|寄件者|보낸 사람)\s?[:：]\*?\s*\S/;
const TO =
  /^\*?(?:Sent|Date|To|Subject|Gesendet|Datum|An|Betreff|Envoyé|À|Objet|Enviado|Para|Asunto|Assunto|Inviato|Data|A|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|Wysłano|Do|Temat|Отправлено|Кому|Тема|送信日時|宛先|件名|发送时间|收件人|主题)\s?[:：]\*?/;
/** Last lines that phones add, such as "Sent from my phone". */
const SENT_FROM =
  /^(?:Sent (?:from|with|via) |Get Outlook for |Von meinem .{1,40} gesendet|Gesendet (?:von|mit) |Envoyé (?:de|depuis) |Enviado (?:desde|do|de) |Inviato da |Verstuurd vanaf |Skickat från )\S+(?: \S+){0,3}$/i;
/** How a line such as "On Monday, Olive wrote:" begins, in the languages of common mail programs. */
const LEAD_WORD = /^(?:On|Am|Le|El|Il|Op|Em|Den|Dnia|W dniu|På|Pada|Vào|Tarihinde|\d{4}[年/.-])\s?\S/;
/** Most lines over which "On Monday, Olive wrote:" is broken. */
const MAX_LEAD = 4;

/** Removes the signature that RFC 3676 §4.3 marks, and the line that phones add. */
export function withoutFooter(text: string): string {
  const lines = text.split('\n');
  const mark = lines.findIndex((line) => /^-- ?$/.test(line));
  const body = (mark < 0 ? lines : lines.slice(0, mark)).join('\n').trimEnd();
  const last = body.slice(body.lastIndexOf('\n') + 1);
  return SENT_FROM.test(last.trim()) ? body.slice(0, body.length - last.length).trimEnd() : body;
}

/**
 * Removes the mail that is being answered. Quotations between the author's own lines stay, because those lines refer to
 * them.
 */
export function withoutQuotes(text: string): string {
  const lines = text.split('\n');
  const own = withoutTail(lines.slice(0, endOf(lines)));
  return withoutHead(own).join('\n').trim();
}

/** Returns the line at which the quoted mail begins, if a rule or a header marks it; otherwise the number of lines. */
function endOf(lines: readonly string[]): number {
  const found = lines.findIndex((line, at) => {
    const next = lines.slice(at + 1, at + 4);
    if (isRule(line)) return lines.slice(at + 1, at + 8).some((other) => FROM.test(other.replace(/^[>\s]+/, '')));
    return FROM.test(line) && next.filter((other) => TO.test(other)).length >= 2;
  });
  return found < 0 ? lines.length : found;
}

/**
 * Whether a line is a rule, or words between dashes. Written without a regular expression for the dashes, so that no
 * input takes more than linear time.
 */
function isRule(line: string): boolean {
  const said = line.replace(/^[>\s]+/, '').trimEnd();
  if (RULE.test(said)) return true;
  if (!said.startsWith('--') || !said.endsWith('--')) return false;
  let [first, end] = [0, said.length];
  while (said[first] === '-') first++;
  while (end > first && said[end - 1] === '-') end--;
  const { length } = said.slice(first, end).trim();
  return length > 2 && length <= MAX_RULE_WORDS;
}

const isQuote = (line: string | undefined) => line !== undefined && /^\s*>/.test(line);
const isEmpty = (line: string | undefined) => line !== undefined && line.trim() === '';

/** Removes a quotation at the end, and the line that introduces it. */
function withoutTail(lines: readonly string[]): readonly string[] {
  let end = lines.length;
  while (end > 0 && isEmpty(lines[end - 1])) end--;
  const last = end;
  while (end > 0 && (isQuote(lines[end - 1]) || isEmpty(lines[end - 1]))) end--;
  const hasQuote = lines.slice(end, last).some(isQuote);
  return hasQuote ? lines.slice(0, end - leadBefore(lines, end)) : lines.slice(0, leadOnly(lines, last));
}

/**
 * Returns the line at which an introduction begins that has no quotation after it: some programs omit the quotation.
 */
function leadOnly(lines: readonly string[], end: number): number {
  const lead = leadBefore(lines, end);
  const said = lines.slice(end - lead, end).join(' ');
  return lead > 0 && /<[^<>\s]+@[^<>\s]+>/.test(said) && /\d/.test(said) ? end - lead : end;
}

/** Removes a quotation at the beginning if text follows it and nothing else is quoted. */
function withoutHead(lines: readonly string[]): readonly string[] {
  const first = lines.findIndex(isQuote);
  if (first < 0 || first > MAX_LEAD + 1) return lines;
  const lead = leadBefore(lines, first);
  if (!lines.slice(0, first - lead).every(isEmpty)) return lines;
  let end = first;
  while (end < lines.length && (isQuote(lines[end]) || isEmpty(lines[end]))) end++;
  const rest = lines.slice(end);
  return rest.some(isQuote) || rest.length === 0 ? lines : rest;
}

/**
 * Counts the lines of an introduction ("On …, … wrote:") before a line: it ends in a colon and has a digit or an
 * address.
 */
function leadBefore(lines: readonly string[], before: number): number {
  let end = before;
  while (end > 0 && isEmpty(lines[end - 1])) end--;
  if (!/[:：]\s*$/.test(lines[end - 1] ?? '')) return 0;
  let first = end - 1;
  while (first > 0 && end - first < MAX_LEAD && !isEmpty(lines[first - 1]) && !isQuote(lines[first - 1])) first--;
  const begins = Array.from({ length: end - first }, (_, index) => end - 1 - index);
  const leads = begins.filter((begin) => isLead(lines.slice(begin, end)));
  const begin = leads.find((at) => LEAD_WORD.test(lines[at] ?? '')) ?? leads[0];
  return begin === undefined ? 0 : before - begin;
}

function isLead(lines: readonly string[]): boolean {
  const said = lines.join(' ');
  return /\d{1,4}[./:-]\d{1,2}|\d{4}|@/.test(said) && /^\S/.test(lines[0] ?? '') && said.length < 400;
}
