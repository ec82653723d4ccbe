import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

const CHALLENGE = '/accounts/passkeys/challenge/';

type Options = PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;

/** What the server wants an authenticator to sign; the options are those that the form is for. */
interface Challenge {
  readonly asked: string;
  readonly options: Options;
}

// A form that only carries a provider's message on: without this script its button does.
document.querySelector<HTMLFormElement>('form[data-carries-on]')?.submit();

// The pages work without this script; only the forms of passkeys need it, and stay hidden without.
if (browserSupportsWebAuthn()) {
  for (const part of document.querySelectorAll<HTMLElement>('[data-with-passkeys]')) part.hidden = false;
  for (const part of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) part.hidden = true;
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]'))
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void answer(form);
    });
}

/** Asks for a challenge, has it signed, and sends the form with the answer. */
async function answer(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button');
  if (button) button.disabled = true;
  tell(form, undefined);
  try {
    const { asked, options } = await challengeFor(form);
    const signed = await sign(form, options);
    fill(form, 'asked', asked);
    fill(form, 'passkey', JSON.stringify(signed));
    // Not as by the button: this handler would see it again.
    form.submit();
  } catch (error) {
    if (button) button.disabled = false;
    tell(form, error instanceof Error && error.name === 'InvalidStateError' ? 'known' : 'refused');
  }
}

async function challengeFor(form: HTMLFormElement): Promise<Challenge> {
  const body = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') body.set(name, value);
  body.set('use', form.dataset['passkey'] ?? '');
  const reply = await fetch(CHALLENGE, { method: 'POST', body });
  if (!reply.ok) throw new Error(`status ${reply.status}`);
  const found: unknown = await reply.json();
  if (!isChallenge(found)) throw new Error('the answer is no challenge');
  return found;
}

function isChallenge(value: unknown): value is Challenge {
  return typeof value === 'object' && value !== null && 'asked' in value && 'options' in value;
}

function sign(form: HTMLFormElement, options: Options): Promise<unknown> {
  return form.dataset['passkey'] === 'register'
    ? startRegistration({ optionsJSON: options })
    : startAuthentication({ optionsJSON: options });
}

function fill(form: HTMLFormElement, name: string, value: string): void {
  const input = form.elements.namedItem(name);
  if (input instanceof HTMLInputElement) input.value = value;
}

/** Shows why nothing came of it, in the words of the page; nothing for undefined. */
function tell(form: HTMLFormElement, why: 'refused' | 'known' | undefined): void {
  const said = form.querySelector<HTMLElement>('[role=alert]');
  if (!said?.parentElement) return;
  said.parentElement.hidden = why === undefined;
  said.textContent = why === undefined ? '' : (said.dataset[why] ?? '');
}
