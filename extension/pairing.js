// What the relay's owner wrote (pairing.json) and what the person chose (storage.local).

/**
 * @typedef {object} Pairing
 * @property {string} relay host:port
 * @property {string} secret
 * @property {'chosen'|'all'} share
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
  if (!file || typeof file.secret !== 'string' || !file.secret) return (current = null);
  const { relay } = await chrome.storage.local.get('relay');
  current = {
    relay: typeof relay === 'string' && relay ? relay : String(file.relay || '127.0.0.1:8765'),
    secret: file.secret,
    share: file.share === 'all' ? 'all' : 'chosen',
    launch: typeof file.launch === 'string' ? file.launch : '',
  };
  return current;
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
