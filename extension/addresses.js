// The addresses at which a tab may be worked with.

let fileAccess = false;

/** @param {boolean} allowed whether the person allows the extension file: URLs */
export function allowFiles(allowed) {
  fileAccess = allowed;
}

/** @returns {boolean} */
export const filesAllowed = () => fileAccess;

/** @param {string} url */
export function eligible(url) {
  if (url === '' || url === 'about:blank' || url.startsWith('about:blank#')) return true;
  return /^(https?|data|blob):/i.test(url) || (fileAccess && /^file:/i.test(url));
}

/**
 * Whether the person may share a tab: its address is known, and agents may work there.
 * @param {{url?: string, pendingUrl?: string} | undefined} tab
 */
export function shareable(tab) {
  const url = tab?.url || tab?.pendingUrl;
  return !!url && eligible(url);
}

/**
 * Pages of the browser itself and of extensions, this one's included: nobody but the person works there.
 * @param {string} url
 */
export function forbidden(url) {
  return /^(chrome|chrome-extension|chrome-search|chrome-untrusted|devtools|edge|brave|opera|vivaldi|view-source):/i.test(url) || (!fileAccess && /^file:/i.test(url));
}
