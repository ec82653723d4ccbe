import { parse, type DefaultTreeAdapterTypes } from 'parse5';

type Element = DefaultTreeAdapterTypes.Element;

/** Most redirects in a row. */
const MAX_HOPS = 12;

interface Cookie {
  readonly name: string;
  readonly value: string;
  readonly host: string;
  readonly path: string;
}

/**
 * A browser without a window that moves between servers over the network: it follows redirects, keeps cookies by host
 * and path, and sends the forms and follows the links of a page.
 */
export class HttpBrowser {
  url = '';
  status = 0;
  text = '';
  /** Addresses of the redirects to this page, and its own. */
  passed: readonly string[] = [];
  readonly #cookies = new Map<string, Cookie>();

  /** Opens an address; one for which `stopAt` is true is not requested but becomes `url`. */
  async open(address: string, stopAt?: (url: string) => boolean): Promise<void> {
    await this.#go(new URL(address, this.url === '' ? undefined : this.url), {}, stopAt);
  }

  /** Submits the form with these fields, or else the first, with its hidden fields. */
  async submit(fields: Readonly<Record<string, string>> = {}, stopAt?: (url: string) => boolean): Promise<void> {
    const forms = this.#elements('form').filter((one) => attribute(one, 'method')?.toLowerCase() === 'post');
    const hasAll = (one: Element) => {
      const names = new Set(elementsIn(one, 'input').map((input) => attribute(input, 'name')));
      return Object.keys(fields).every((name) => names.has(name));
    };
    const form = forms.find((one) => hasAll(one)) ?? forms[0];
    if (!form) throw new Error(`there is no form at ${this.url}:\n${this.text}`);
    const hidden = elementsIn(form, 'input').filter((one) => attribute(one, 'type') === 'hidden');
    const body = new URLSearchParams(
      hidden.map((one): [string, string] => [attribute(one, 'name') ?? '', attribute(one, 'value') ?? '']),
    );
    for (const [name, value] of Object.entries(fields)) body.set(name, value);
    const action = new URL(attribute(form, 'action') ?? '', this.url);
    await this.#go(action, { method: 'POST', body }, stopAt);
  }

  /** Follows the link with this text. */
  async follow(words: string): Promise<void> {
    const link = this.#elements('a').find((one) => textOf(one).includes(words));
    if (!link) throw new Error(`no link says "${words}" at ${this.url}:\n${this.text}`);
    await this.open(attribute(link, 'href') ?? '');
  }

  /** Returns a cookie of this browser. */
  cookie(name: string): string | undefined {
    return [...this.#cookies.values()].find((one) => one.name === name)?.value;
  }

  async #go(address: URL, first: RequestInit, stopAt: (url: string) => boolean = () => false): Promise<void> {
    const passed: string[] = [];
    let [next, request]: [URL, RequestInit] = [address, first];
    for (let hop = 0; hop < MAX_HOPS; hop++) {
      this.url = next.href;
      passed.push(next.href);
      this.passed = passed;
      if (stopAt(next.href)) return;
      const response = await fetch(next, {
        ...request,
        redirect: 'manual',
        headers: { cookie: this.#cookiesFor(next) },
      });
      for (const line of response.headers.getSetCookie()) this.#keep(line, next);
      [this.status, this.text] = [response.status, await response.text()];
      const location = response.headers.get('location');
      if (location === null || response.status < 300 || response.status >= 400) return;
      [next, request] = [new URL(location, next), {}];
    }
    throw new Error(`no end of redirects: ${passed.join(' ')}`);
  }

  #cookiesFor({ hostname, pathname }: URL): string {
    const fitting = [...this.#cookies.values()].filter(
      ({ host, path }) => host === hostname && (pathname === path || pathname.startsWith(path.replace(/\/?$/, '/'))),
    );
    return fitting.map(({ name, value }) => `${name}=${value}`).join('; ');
  }

  #keep(line: string, { hostname: host }: URL): void {
    const [pair = '', ...rest] = line.split('; ');
    const name = pair.slice(0, pair.indexOf('='));
    const value = pair.slice(pair.indexOf('=') + 1);
    const said = new Map(rest.map((one) => [one.split('=', 1)[0]?.toLowerCase(), one.slice(one.indexOf('=') + 1)]));
    const path = said.get('path') ?? '/';
    const ends = said.has('expires') && Date.parse(said.get('expires') ?? '') <= Date.now();
    const key = `${host} ${path} ${name}`;
    if (ends || said.get('max-age') === '0') this.#cookies.delete(key);
    else this.#cookies.set(key, { name, value, host, path });
  }

  #elements(name: string): readonly Element[] {
    return elementsIn(parse(this.text), name);
  }
}

function elementsIn(node: DefaultTreeAdapterTypes.Node, name: string): readonly Element[] {
  const children = 'childNodes' in node ? node.childNodes : [];
  return children.flatMap((child) => [
    ...('tagName' in child && child.tagName === name ? [child] : []),
    ...elementsIn(child, name),
  ]);
}

function attribute({ attrs }: Element, name: string): string | undefined {
  return attrs.find((one) => one.name === name)?.value;
}

function textOf(node: DefaultTreeAdapterTypes.Node): string {
  if ('value' in node) return node.value;
  return 'childNodes' in node ? node.childNodes.map(textOf).join('') : '';
}
