/** A screenshot of the chosen page: when asked for, and again while ticked. */
'use strict';

/** The time from one screenshot to the next, at least. */
const EVERY_MS = 2_000;
/** A page in the background may have to be waited for. */
const SHOT_MS = 30_000;

class Shot {
  #page = null;
  #busy = false;
  #timer = 0;
  #url = '';
  #take = byId('shot-take');
  #repeat = byId('shot-repeat');
  #words = byId('shot-words');
  #link = byId('shot-link');
  #image = byId('shot');

  constructor() {
    this.#take.addEventListener('click', () => this.#shoot());
    this.#repeat.addEventListener('change', () => this.#again(0));
    document.addEventListener('visibilitychange', () => this.#again(0));
  }

  /** The page of which screenshots are; null: of none. */
  choose(page) {
    const other = page?.page !== this.#page?.page;
    this.#page = page;
    const able = Boolean(page?.connected);
    this.#take.disabled = this.#busy || !able;
    this.#repeat.disabled = !able;
    if (other) {
      this.#forget();
      this.#say(page ? [isolated(nameOfPage(page))] : ['Choose a page.']);
      this.#again(0);
    }
    if (!page) this.#repeat.checked = false;
  }

  #forget() {
    this.#link.hidden = true;
    this.#link.removeAttribute('href');
    this.#image.removeAttribute('src');
    if (this.#url) URL.revokeObjectURL(this.#url);
    this.#url = '';
  }

  #say(text, problem = false) {
    this.#words.replaceChildren(...text);
    this.#words.classList.toggle('problem', problem);
  }

  #again(ms) {
    clearTimeout(this.#timer);
    if (this.#repeat.checked && this.#page?.connected && !document.hidden) this.#timer = setTimeout(() => this.#shoot(), ms);
  }

  async #shoot() {
    if (this.#busy || !this.#page) return;
    const page = this.#page;
    const started = performance.now();
    this.#busy = true;
    this.#take.disabled = true;
    try {
      const blob = await (await ask('/v1/capture/screenshot', { page: page.page, session: page.session }, 'image/png, image/jpeg', SHOT_MS)).blob();
      if (this.#page?.page === page.page) await this.#show(page, blob);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (this.#page?.page === page.page) {
        this.#repeat.checked = false;
        this.#say([`No screenshot: ${oneLine(error.message, '', 500)}`], true);
      }
    } finally {
      this.#busy = false;
      this.#take.disabled = !this.#page?.connected;
      this.#again(Math.max(0, EVERY_MS - (performance.now() - started)));
    }
  }

  async #show(page, blob) {
    const before = this.#url;
    this.#url = URL.createObjectURL(blob);
    this.#image.src = this.#url;
    this.#image.alt = `Screenshot of ${nameOfPage(page)}`;
    this.#link.href = this.#url;
    this.#link.hidden = false;
    this.#say([isolated(nameOfPage(page)), `, ${timeText(new Date())}`]);
    try {
      await this.#image.decode();
    } catch {
      this.#say(['No screenshot: the answer is no picture.'], true);
    }
    if (before) URL.revokeObjectURL(before);
  }
}
