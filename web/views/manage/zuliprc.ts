/** The credentials of a program. */
interface Login {
  readonly email: string;
  readonly key: string;
  readonly site: string;
}

/** Formats the file from which programs read their credentials. */
export function zuliprc({ email, key, site }: Login): string {
  return `[api]\nemail=${email}\nkey=${key}\nsite=${site}\n`;
}

/** Downloads a text as a file. */
export function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  URL.revokeObjectURL(url);
}
