// The gallery: every component of the web client in each state, for people who work on its design. `npx tsx tools/gallery.ts`
// serves it until it is interrupted, bundled again for every page.
import { createServer } from 'node:http';
import { build } from 'esbuild';

/** The content security policy of the client's own page, so that the gallery violates none of it. */
const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; require-trusted-types-for 'script'";

const PAGE = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>Gallery</title><link rel="icon" href="data:,"><link rel="stylesheet" href="/main.css"><link rel="stylesheet" href="/settings.css">
<link rel="stylesheet" href="/gallery.css"><script type="module" src="/gallery.js"></script></head>
<body><div id="app"></div></body></html>
`;

/** Returns the gallery's files by name. */
async function bundle(): Promise<ReadonlyMap<string, string>> {
  const { outputFiles } = await build({
    entryPoints: {
      gallery: 'web/gallery/main.tsx',
      'main.css': 'web/ui/main.css',
      'settings.css': 'web/ui/sheets/settings.css',
      'gallery.css': 'web/gallery/gallery.css',
    },
    outdir: 'gallery',
    bundle: true,
    format: 'esm',
    target: ['chrome123'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    conditions: ['source'],
    write: false,
  });
  return new Map(outputFiles.map(({ path, text }) => [path.replace(/^.*\//, '').replace('.css.css', '.css'), text]));
}

/** Serves the gallery on a port of this machine; 0 takes a free one. */
export async function serveGallery(
  port: number,
): Promise<{ readonly origin: string; readonly close: () => Promise<void> }> {
  let files = await bundle();
  const server = createServer((request, response) => {
    const name = (request.url ?? '/').split('?', 1)[0]?.slice(1) ?? '';
    void (async () => {
      if (name === '' && port !== 0) files = await bundle();
      const text = name === '' ? PAGE : files.get(name);
      const type = name.endsWith('.css') ? 'text/css' : name === '' ? 'text/html' : 'text/javascript';
      response.writeHead(text === undefined ? 404 : 200, {
        'content-type': `${type}; charset=utf-8`,
        'content-security-policy': POLICY,
      });
      response.end(text ?? '');
    })();
  });
  await new Promise<void>((resolve) => {
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  const taken = typeof address === 'object' ? address?.port : port;
  return {
    origin: `http://127.0.0.1:${taken}`,
    close: () => new Promise((resolve, reject) => server.close((error) => (error ? reject(error) : resolve()))),
  };
}

if (process.argv[1]?.endsWith('gallery.ts')) {
  const { origin } = await serveGallery(Number(process.argv[2] ?? 9380));
  process.stdout.write(`${origin}\n`);
}
