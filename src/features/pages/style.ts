/** The look of the pages: one column, the system's own letters, light and dark. */
export const STYLE = `:root {
  color-scheme: light dark;
  --ink: #1c2430; --soft: #5a6675; --paper: #f4f6f8; --card: #ffffff; --line: #c3ccd6; --accent: #1f5fbf; --on-accent: #ffffff;
  --bad: #a8201a; --bad-paper: #fdeceb; --good: #1d6b3a; --good-paper: #e8f5ec;
}
@media (prefers-color-scheme: dark) {
  :root {
    --ink: #e8edf3; --soft: #a3b0bf; --paper: #12171d; --card: #1b222b; --line: #4a5867; --accent: #8ab8ff; --on-accent: #0c1a2e;
    --bad: #ffb3ae; --bad-paper: #3b1715; --good: #9be0b2; --good-paper: #12301d;
  }
}
* { box-sizing: border-box; }
body {
  margin: 0; min-height: 100vh; display: grid; place-items: center; padding: 1.5rem;
  background: var(--paper); color: var(--ink); font: 1rem/1.5 system-ui, sans-serif;
}
main { width: 100%; max-width: 26rem; padding: 2rem; background: var(--card); border: 1px solid var(--line); border-radius: .75rem; }
header { color: var(--soft); font-weight: 600; overflow-wrap: anywhere; }
h1 { margin: .25rem 0 1rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere; }
form { display: grid; gap: 1rem; margin: 1rem 0 0; }
label { display: grid; gap: .25rem; font-weight: 600; }
label small { color: var(--soft); font-weight: 400; }
input {
  width: 100%; padding: .625rem .75rem; font: inherit; color: inherit; background: var(--card);
  border: 1px solid var(--line); border-radius: .375rem;
}
button {
  padding: .625rem 1rem; font: inherit; font-weight: 600; color: var(--on-accent); background: var(--accent);
  border: 0; border-radius: .375rem; cursor: pointer;
}
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; }
a { color: var(--accent); }
nav { margin-top: 1.25rem; display: flex; flex-wrap: wrap; gap: 1rem; }
.cards { display: grid; gap: 1rem; margin: 0; padding: 0; list-style: none; }
.cards li { padding: .75rem 1rem; border: 1px solid var(--line); border-radius: .375rem; overflow-wrap: anywhere; }
.cards small { display: block; color: var(--soft); }
.cards form { margin-top: .5rem; }
h2 { margin: 1.5rem 0 0; font-size: 1.125rem; }
.fault, .notice { margin: 0 0 1rem; padding: .75rem 1rem; border-radius: .375rem; overflow-wrap: anywhere; }
.fault { color: var(--bad); background: var(--bad-paper); }
.notice { color: var(--good); background: var(--good-paper); }
`;
