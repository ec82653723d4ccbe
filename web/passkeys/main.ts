import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from '@simplewebauthn/browser';

const CHALLENGE = '/accounts/passkeys/challenge/';

type Options = PublicKeyCredentialCreationOptionsJSON & PublicKeyCredentialRequestOptionsJSON;

/** The challenge that an authenticator signs, with the options for registering or for logging in. */
interface Challenge {
  readonly asked: string;
  readonly options: Options;
}

// Submits a form that only passes on a provider's message; without this script the person presses its button.
document.querySelector<HTMLFormElement>('form[data-carries-on]')?.submit();

// The pages work without this script; only the forms of passkeys need it, and they stay hidden without it.
if (browserSupportsWebAuthn()) {
  for (const part of document.querySelectorAll<HTMLElement>('[data-with-passkeys]')) part.hidden = false;
  for (const part of document.querySelectorAll<HTMLElement>('[data-without-passkeys]')) part.hidden = true;
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-passkey]'))
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void answer(form);
    });
}

/** Requests a challenge, has it signed, and submits the form with the result. */
async function answer(form: HTMLFormElement): Promise<void> {
  const button = form.querySelector('button');
  if (button) button.disabled = true;
  tell(form, undefined);
  try {
    const { asked, options } = await challengeFor(form);
    const signed = await sign(form, options);
    fill(form, 'asked', asked);
    fill(form, 'passkey', JSON.stringify(signed));
    // `submit()` fires no event, so this handler does not run again.
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

/** Shows the page's sentence about the failure; hides it for undefined. */
function tell(form: HTMLFormElement, why: 'refused' | 'known' | undefined): void {
  const said = form.querySelector<HTMLElement>('[role=alert]');
  if (!said?.parentElement) return;
  said.parentElement.hidden = why === undefined;
  said.textContent = why === undefined ? '' : (said.dataset[why] ?? '');
}
