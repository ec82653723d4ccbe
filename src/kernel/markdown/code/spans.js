// @ts-check

/** Writes pieces of code in spans behind each other: one span for neighbours of one class, none for what is plain. */
export class Spans {
  #html = '';
  #class = '';
  #blank = '';

  /**
   * @param {string} name its class; "" for none
   * @param {string} html the piece, escaped
   */
  add(name, html) {
    // White space looks the same in any class, and stands within a span only where that goes on.
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

  /** What was written, once all was added. */
  end() {
    this.#change('');
    return this.#html;
  }
}
