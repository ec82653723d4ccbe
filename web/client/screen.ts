/** Shows a notification of the system where the person allows that. */
export function showNotification(title: string, body: string, tag: string, hash: string): void {
  if (!('Notification' in globalThis) || Notification.permission !== 'granted') return;
  try {
    const shown = new Notification(title, { body, tag, icon: '/favicon.ico', silent: true });
    shown.addEventListener('click', () => {
      window.focus();
      location.hash = hash;
      shown.close();
    });
  } catch {
    // Some phones show notifications of installed apps only.
  }
}

let audio: AudioContext | undefined;

/** Plays two short tones. Browsers play none before the person has used the page. */
export function chirp(): void {
  audio ??= new AudioContext();
  if (audio.state === 'suspended') return void audio.resume().catch(() => undefined);
  const start = audio.currentTime;
  for (const [at, pitch] of [
    [0, 880],
    [0.09, 1320],
  ] as const) {
    const [tone, volume] = [audio.createOscillator(), audio.createGain()];
    tone.frequency.value = pitch;
    volume.gain.setValueAtTime(0.0001, start + at);
    volume.gain.exponentialRampToValueAtTime(0.12, start + at + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + at + 0.16);
    tone.connect(volume).connect(audio.destination);
    tone.start(start + at);
    tone.stop(start + at + 0.18);
  }
}

/** The address shown in the focused tab of the account, stored by that tab. */
export class LookedAt {
  readonly #name: string;

  constructor(account: string) {
    this.#name = `roost-looked-at-${account}`;
    const tell = () => this.#tell();
    for (const sign of ['focus', 'blur', 'hashchange', 'pagehide']) addEventListener(sign, tell);
    tell();
  }

  get(): string | undefined {
    if (document.hasFocus()) return location.hash;
    try {
      return localStorage.getItem(this.#name) ?? undefined;
    } catch {
      return undefined;
    }
  }

  #tell(): void {
    try {
      if (document.hasFocus()) localStorage.setItem(this.#name, location.hash);
      else localStorage.removeItem(this.#name);
    } catch {
      // Without storage each tab knows only about itself.
    }
  }
}
