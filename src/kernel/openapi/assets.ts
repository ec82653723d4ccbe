/** Style of the reference: the colours of the system's light or dark theme. */
export const STYLE = `:root { color-scheme: light dark; --ink: #1c2129; --paper: #fff; --quiet: #565f6d; --line: #d5dae1; --soft: #f3f5f8; --link: #1d5fa8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --paper: #14171c; --quiet: #a3adba; --line: #363d47; --soft: #1d2229; --link: #7db8f5; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem 1.25rem 4rem; max-width: 62rem; background: var(--paper); color: var(--ink); font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word; }
a { color: var(--link); }
h1 { font-size: 1.75rem; margin: 1rem 0 .5rem; } h2 { font-size: 1.25rem; margin: 2rem 0 .5rem; } h3 { font-size: 1rem; margin: 1.25rem 0 .25rem; }
nav a { margin-right: 1rem; }
.quiet { color: var(--quiet); }
code, pre, output { font: .875rem/1.5 ui-monospace, monospace; }
code { background: var(--soft); padding: .1em .25em; border-radius: .25em; }
pre, output { display: block; background: var(--soft); border: 1px solid var(--line); border-radius: .375rem; padding: .75rem; overflow-x: auto; white-space: pre-wrap; overflow-wrap: anywhere; }
pre.page { background: none; border: 0; padding: 0; }
th, td { overflow-wrap: anywhere; min-width: 4rem; }
table { border-collapse: collapse; width: 100%; } th, td { text-align: left; vertical-align: top; padding: .375rem .75rem .375rem 0; border-bottom: 1px solid var(--line); }
ul.operations { list-style: none; padding: 0; } ul.operations li { padding: .25rem 0; }
.method { display: inline-block; min-width: 4.5rem; font: 700 .8125rem ui-monospace, monospace; }
label { display: block; margin: .75rem 0 .25rem; font-weight: 600; }
input, textarea, button { font: inherit; color: inherit; background: var(--paper); border: 1px solid var(--quiet); border-radius: .375rem; padding: .375rem .625rem; width: 100%; max-width: 32rem; }
button { width: auto; margin-top: 1rem; cursor: pointer; }
:focus-visible { outline: 3px solid var(--link); outline-offset: 2px; }
[hidden] { display: none; }
`;

/** Behaviour of the reference: the filter, and forms that send only what was filled in. */
export const SCRIPT = `const filter = document.querySelector('#filter');
filter?.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  let shown = 0;
  for (const item of document.querySelectorAll('[data-words]')) {
    item.hidden = !words.every((word) => item.dataset.words.includes(word));
    if (!item.hidden) shown++;
  }
  for (const part of document.querySelectorAll('[data-part]')) part.hidden = !part.querySelector('[data-words]:not([hidden])');
  document.querySelector('#found').textContent = words.length === 0 ? '' : shown + ' found';
});
const form = document.querySelector('#try');
form?.addEventListener('submit', async (submitted) => {
  submitted.preventDefault();
  const { method, path } = form.dataset;
  let url = path;
  const sent = form.dataset.file === undefined ? new URLSearchParams() : new FormData();
  let whole;
  for (const field of form.querySelectorAll('[data-name]')) {
    const { name, as } = field.dataset;
    if (as === 'file') { if (field.files.length > 0) sent.set(name, field.files[0]); continue; }
    if (field.value === '') continue;
    if (as === 'path') url = url.replace('{' + name + '}', encodeURIComponent(field.value));
    else if (as === 'body') whole = field.value;
    else sent.set(name, field.value);
  }
  const headers = {};
  const email = form.querySelector('#email')?.value;
  const key = form.querySelector('#key')?.value;
  if (email) headers.Authorization = 'Basic ' + btoa(email + ':' + key);
  if (whole !== undefined) headers['Content-Type'] = 'application/json';
  const inQuery = method === 'GET' || whole !== undefined;
  if (inQuery && [...sent.keys()].length > 0) url += '?' + sent;
  const answer = document.querySelector('#answer');
  answer.hidden = false;
  answer.textContent = 'Sending …';
  try {
    const reply = await fetch(url, { method, headers, credentials: 'omit', ...(method !== 'GET' && { body: whole ?? sent }) });
    const text = await reply.text();
    let shown = text;
    try { shown = JSON.stringify(JSON.parse(text), null, 2); } catch {}
    answer.textContent = reply.status + ' ' + reply.statusText + '\\n' + shown.slice(0, 100000);
  } catch (error) {
    answer.textContent = 'No answer: ' + error.message;
  }
});
`;
