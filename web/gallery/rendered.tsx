/** Output of the server's renderer with the client's wrappers, written as elements. */

export const CODE = (
  <div class="codehilite" data-code-language="TypeScript">
    <div class="bar">
      <span class="grow">TypeScript</span>
      <button class="btn ghost small" type="button">
        Copy
      </button>
    </div>
    <pre tabIndex={0}>
      <code>
        <span class="c1">// A rook is a bird.</span>
        {'\n'}
        <span class="k">export</span> <span class="k">const</span> <span class="nx">rook</span> <span class="o">=</span>{' '}
        <span class="p">{'{'}</span> <span class="nx">eggs</span>: <span class="mi">3</span>,{' '}
        <span class="nx">says</span>: <span class="s1">'kraa'</span> <span class="p">{'}'}</span>
        <span class="p">;</span>
        {'\n'}
        <span class="gd">- removed</span>
        {'\n'}
        <span class="gi">+ inserted</span>
      </code>
    </pre>
  </div>
);

export const TABLE = (
  <div class="table-wrap" tabIndex={0} role="region" aria-label="Table">
    <table>
      <thead>
        <tr>
          <th>Size</th>
          <th>Where it lives</th>
        </tr>
      </thead>
      <tbody>
        <tr>
          <td>16 px</td>
          <td>In a tab, at night, in a hurry</td>
        </tr>
        <tr>
          <td>512 px</td>
          <td>On its way</td>
        </tr>
      </tbody>
    </table>
  </div>
);

/** A picture that needs no server. */
export const PICTURE =
  'data:image/svg+xml,%3Csvg xmlns=%27http://www.w3.org/2000/svg%27 viewBox=%270 0 600 400%27%3E%3Crect width=%27600%27 height=%27400%27 fill=%27%2316505f%27/%3E%3Ccircle cx=%27300%27 cy=%27200%27 r=%27150%27 fill=%27%231d6373%27/%3E%3C/svg%3E';

export const IMAGES = (
  <div class="gallery">
    {['On a branch', 'In flight', 'On three grounds'].map((name) => (
      <div class="message_inline_image" key={name}>
        <a href="#lightbox" title={name}>
          <img alt={name} src={PICTURE} />
        </a>
      </div>
    ))}
  </div>
);
