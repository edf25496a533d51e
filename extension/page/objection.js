// Why the page script does not do what it was asked to do, as codes. The adapter has a sentence for each.

/**
 * @typedef {'none' | 'many' | 'gone' | 'gone-known' | 'gone-alike'
 *   | 'selector-empty' | 'selector-css' | 'selector-xpath' | 'selector-role' | 'selector-text' | 'selector-regex' | 'search-regex'
 *   | 'hidden' | 'never' | 'replaced' | 'clipped' | 'outside' | 'sizeless' | 'covered' | 'transparent' | 'moving' | 'disabled' | 'readonly' | 'inert'
 *   | 'no-option' | 'option-disabled' | 'one-option'
 *   | 'not-date' | 'not-datetime' | 'not-month' | 'not-week' | 'not-time' | 'not-color' | 'not-number'
 *   | 'index-missing' | 'item-none' | 'item-many' | 'item-unknown' | 'page-none' | 'item-moved' | 'item-without' | 'item-closed'} Code
 */

/**
 * @typedef {object} Objection
 * @property {Code} code
 * @property {string} [who] what was asked for, where whoever asked does not know it better
 * @property {string} [about] a selector, a text, an option, an element
 * @property {string} [why] in the browser's words
 * @property {string[]} [list] a few of those in question
 * @property {number} [count] all of them
 * @property {number} [index]
 * @property {boolean} [passing] it may be over in a moment
 */

/** An objection, on its way to whoever asked. */
export class Objected extends Error {
  /** @param {Code} code @param {Partial<Objection>} [more] */
  constructor(code, more) {
    super(code);
    /** @type {Objection} */
    this.objection = {code, ...more};
  }
}

/** What hinders an action now but may not for long. @param {Code} code @param {string} [about] */
export function hindered(code, about) {
  return new Objected(code, {about, passing: true});
}

/**
 * Wraps a function so that it throws an objection as text: of what is thrown, Chrome hands over the value only if that
 * is a primitive.
 * @template {any[]} A, R
 * @param {(...args: A) => R} ask
 * @returns {(...args: A) => R}
 */
export function objecting(ask) {
  /** @param {unknown} problem @returns {never} */
  const put = (problem) => {
    throw problem instanceof Objected ? JSON.stringify(problem.objection) : problem;
  };
  return (...args) => {
    try {
      const answer = ask(...args);
      return answer instanceof Promise ? /** @type {any} */ (answer.catch(put)) : answer;
    } catch (problem) {
      return put(problem);
    }
  };
}
