// @ts-check

/** Writes pieces of code in adjacent spans: one span for neighbours with the same class, none for plain pieces. */
export class Spans {
  #html = '';
  #class = '';
  #blank = '';

  /**
   * @param {string} name The class of the piece; "" for none.
   * @param {string} html The escaped piece.
   */
  add(name, html) {
    // White space looks the same in any class, so it is inside a span only if the span continues after it.
    if (html.trim() === '') this.#blank += html;
    else {
      this.#change(name);
      this.#html += html;
    }
  }

  /** @param {string} wanted */
  #change(wanted) {
    const close = wanted !== this.#class && this.#class !== '' ? '</span>' : '';
    const begin = wanted !== this.#class && wanted !== '' ? `<span class="${wanted}">` : '';
    this.#html += close + this.#blank + begin;
    [this.#class, this.#blank] = [wanted, ''];
  }

  /** Closes the last span and returns the HTML. */
  end() {
    this.#change('');
    return this.#html;
  }
}
