// The texts of the extension's pages, from _locales.

/**
 * A text, with its arguments.
 * @param {string} key
 * @param {...(string|number)} args
 * @returns {string}
 */
export const text = (key, ...args) => chrome.i18n.getMessage(key, args.map(String));

/**
 * A text about a number of things: "key_one" or "key_many".
 * @param {string} key
 * @param {number} n
 * @returns {string}
 */
export const counted = (key, n) => text(n === 1 ? `${key}_one` : `${key}_many`, n.toLocaleString());

/** Puts the texts where the page names them: data-text, data-label, data-hint (placeholder). */
export function translate() {
  document.documentElement.lang = text('language');
  for (const node of /** @type {NodeListOf<HTMLElement>} */ (document.querySelectorAll('[data-text], [data-label], [data-hint]'))) {
    const { text: says, label, hint } = node.dataset;
    if (says) node.textContent = text(says);
    if (label) node.setAttribute('aria-label', text(label));
    if (hint) node.setAttribute('placeholder', text(hint));
  }
}
