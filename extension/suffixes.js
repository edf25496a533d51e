// Registrable domains: what stands before a public suffix, with the label before it. suffixes.txt is the list.

/** @type {Map<string, string>} top-level domain to the rules below it */
const below = new Map();
/** @type {Map<string, Set<string>>} of those that were asked for */
const rules = new Map();

/** Reads the list, once in a worker's life. */
export async function readSuffixes() {
  if (below.size > 0) return;
  const file = await fetch(chrome.runtime.getURL('suffixes.txt'));
  for (const line of (await file.text()).split('\n')) {
    const at = line.indexOf(' ');
    if (at > 0 && line[0] !== '#') below.set(line.slice(0, at), line.slice(at + 1));
  }
}

/**
 * The registrable domain of a host name; the host itself where it has none, as with an address of numbers.
 * @param {string} hostname as the URL interface has it
 */
export function registrable(hostname) {
  const host = hostname.replace(/\.$/, '');
  if (/^\[|^[\d.]+$/.test(host)) return host;
  const labels = host.split('.');
  const top = labels.at(-1) ?? '';
  const listed = rulesBelow(top);
  const part = (/** @type {number} */ n) => labels.slice(-n, -1).join('.');
  let suffix = 1;
  for (let n = 2; n <= labels.length; n++) {
    if (listed.has(`!${part(n)}`)) {
      suffix = n - 1;
      break;
    }
    const parent = part(n - 1);
    if (listed.has(part(n)) || listed.has(parent ? `*.${parent}` : '*')) suffix = n;
  }
  return labels.slice(-(suffix + 1)).join('.');
}

/** @param {string} top */
function rulesBelow(top) {
  let set = rules.get(top);
  if (!set) rules.set(top, set = new Set(below.get(top)?.split(' ')));
  return set;
}
