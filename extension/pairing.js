// What the relay's owner wrote (pairing.json) and what the person chose (storage.local).

/**
 * @typedef {object} Pairing
 * @property {string} address host:port
 * @property {string} home the address that it was paired with
 * @property {string} id names the pairing; it is no secret
 * @property {string} key what both ends prove to hold
 * @property {'chosen'|'all'} share
 * @property {boolean} allSites agents may use every site that the person does not refuse
 * @property {string} launch
 */

/** @type {Pairing | null} */
let current = null;

/** The pairing that was read last; null: unpaired. */
export const pairing = () => current;

/**
 * Reads pairing.json again, so that a new one counts without reloading the extension.
 * @returns {Promise<Pairing | null>}
 */
export async function readPairing() {
  /** @type {any} */
  let file = null;
  try {
    const answer = await fetch(chrome.runtime.getURL('pairing.json'), { cache: 'no-store' });
    if (answer.ok) file = await answer.json();
  } catch {
    // No such file: unpaired.
  }
  if (!file || !/^[\w-]{36}$/.test(file.id) || !/^[\w-]{43}$/.test(file.key) || !(file.port >= 1 && file.port <= 65535)) return (current = null);
  const { relay } = await chrome.storage.local.get('relay');
  current = {
    address: (typeof relay === 'string' && loopback(relay)) || `127.0.0.1:${file.port}`,
    home: `127.0.0.1:${file.port}`,
    id: file.id,
    key: file.key,
    share: file.share === 'all' ? 'all' : 'chosen',
    allSites: file.allSites === true,
    launch: typeof file.launch === 'string' ? file.launch : '',
  };
  return current;
}

/**
 * A server address in the one form in which it is dialled and proved; empty: it is none on this computer. The name
 * localhost may mean two addresses, and who listens at the other one is not known.
 * @param {string} address
 * @returns {string}
 */
export function loopback(address) {
  const [, host, port] = /^(127\.0\.0\.1|localhost|\[::1\]):(\d{1,5})$/i.exec(address) ?? [];
  if (!host || Number(port) < 1 || Number(port) > 65535) return '';
  return `${host === '[::1]' ? host : '127.0.0.1'}:${Number(port)}`;
}

/**
 * Whether the person wants a connection; Disconnect in the popup says no until Connect.
 * @returns {Promise<boolean>}
 */
export async function wanted() {
  return (await chrome.storage.local.get('disconnected')).disconnected !== true;
}

/** @param {boolean} on */
export async function want(on) {
  await chrome.storage.local.set({ disconnected: !on });
}
