// Before anything else is said, both ends of the socket show that they hold the pairing's key. Whoever merely listens
// on the port learns nothing, and nothing that they say is done.

/** The version of the wire between relay and extension. */
export const protocol = 2;

const nonceBytes = 32;
const nonceForm = /^[\w-]{43}$/; // 32 bytes, as base64 for addresses
const longest = 1000;

/**
 * @typedef {object} Proof
 * @property {CryptoKey} key
 * @property {string} address host:port that was dialled; a proof given at another one is none here
 * @property {string} mine
 * @property {string} theirs the relay's nonce; empty: it has not come
 */

/** The relay does not show that it holds the key. */
export class Stranger extends Error {}

/** The relay speaks another version of the protocol. */
export class OtherProtocol extends Error {}

/**
 * @param {string} key as in pairing.json
 * @param {string} address
 * @returns {Promise<Proof>}
 */
export async function newProof(key, address) {
  const raw = bytes(key);
  return {
    key: await crypto.subtle.importKey('raw', raw, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign', 'verify']),
    address,
    mine: text(crypto.getRandomValues(new Uint8Array(nonceBytes))),
    theirs: '',
  };
}

/**
 * Takes the relay's frames until it has proved itself.
 * @param {Proof} proof
 * @param {unknown} frame
 * @returns {Promise<{say: string, proven: boolean}>}
 */
export async function hear(proof, frame) {
  const { method, params } = read(frame);
  if (method === 'prove' && !proof.theirs && nonceForm.test(params.nonce)) {
    const [first, last] = Array.isArray(params.protocol) ? params.protocol : [];
    if (!(first <= protocol && protocol <= last)) {
      throw new OtherProtocol(last < protocol ? 'The tabrelay program is older than this extension: update it.'
        : 'The tabrelay program is newer than this extension: run “tabrelay extension” again, then reload the extension.');
    }
    proof.theirs = params.nonce;
    return { say: JSON.stringify({ method: 'prove', params: { protocol, nonce: proof.mine } }), proven: false };
  }
  if (method === 'proof' && proof.theirs && nonceForm.test(params.mac)) {
    if (await crypto.subtle.verify('HMAC', proof.key, bytes(params.mac), over(proof, 'relay'))) {
      const mac = await crypto.subtle.sign('HMAC', proof.key, over(proof, 'extension'));
      return { say: JSON.stringify({ method: 'proof', params: { mac: text(new Uint8Array(mac)) } }), proven: true };
    }
  }
  throw new Stranger(`The program at ${proof.address} is not the tabrelay this extension is paired with, so nothing was sent to it. If you replaced the keys, run “tabrelay extension” again and reload the extension.`);
}

/**
 * @param {unknown} frame
 * @returns {{method: unknown, params: any}}
 */
function read(frame) {
  const nothing = { method: '', params: {} };
  if (typeof frame !== 'string' || frame.length > longest) return nothing;
  try {
    const { method, params } = JSON.parse(frame);
    return { method, params: params ?? {} };
  } catch {
    return nothing;
  }
}

/**
 * What a proof is over. No part can hold a line end, so one text cannot be read as another.
 * @param {Proof} proof
 * @param {'relay'|'extension'} role
 */
function over(proof, role) {
  return new TextEncoder().encode(['tabrelay', role, proof.address, proof.theirs, proof.mine].join('\n'));
}

/** @param {string} base64 */
function bytes(base64) {
  return Uint8Array.from(atob(base64.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
}

/** @param {Uint8Array} bytes */
function text(bytes) {
  return btoa(String.fromCharCode(...bytes)).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}
