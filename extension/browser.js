// Who this browser is, as told in the hello.

/** @typedef {{name: string, version: string, userAgent: string}} Browser */

/** @type {Record<string, string>} */
const short = { 'Google Chrome': 'Chrome', 'Microsoft Edge': 'Edge', HeadlessChrome: 'Chromium' };

/**
 * The brand that is neither the engine's nor the decoy ("Not A;Brand") names the product.
 * @returns {Promise<Browser>}
 */
export async function browser() {
  const userAgent = navigator.userAgent;
  const data = /** @type {any} */ (navigator).userAgentData;
  /** @type {{brand: string, version: string}[]} */
  let brands = data?.brands ?? [];
  try {
    brands = (await data.getHighEntropyValues(['fullVersionList'])).fullVersionList ?? brands;
  } catch {
    // Without client hints the user agent string has to do.
  }
  const real = brands.filter((b) => !/not.?a.?brand/i.test(b.brand.replace(/[^a-z]/gi, '.')));
  const best = real.find((b) => b.brand !== 'Chromium') ?? real[0];
  return {
    name: best ? (short[best.brand] ?? best.brand) : 'Chromium',
    version: best?.version ?? /Chrome\/(\S+)/.exec(userAgent)?.[1] ?? '',
    userAgent,
  };
}

/**
 * A name for this profile's installation that outlives browser and worker.
 * @returns {Promise<string>}
 */
export async function installId() {
  const kept = await chrome.storage.local.get('installId');
  if (typeof kept.installId === 'string') return kept.installId;
  const made = crypto.randomUUID();
  await chrome.storage.local.set({ installId: made });
  return made;
}

/**
 * What the person calls this profile, for agents to choose it by; empty: nothing.
 * @returns {Promise<string>}
 */
export async function label() {
  const kept = await chrome.storage.local.get('label');
  return typeof kept.label === 'string' ? kept.label : '';
}
