// Runs checks one after the other and prints a line of JSON for each.

const only = process.env.CHECKS ? new RegExp(process.env.CHECKS) : /./;
const patience = 20_000; // ms; what hangs is told by its name

/**
 * @param {Record<string, () => Promise<unknown>>} checks by name
 */
export async function run(checks) {
  for (const [name, check] of Object.entries(checks)) {
    if (!only.test(name)) continue;
    const began = performance.now();
    let error;
    let timer;
    try {
      const late = new Promise((_, reject) => {
        timer = setTimeout(() => reject(new Error(`no end after ${patience} ms`)), patience);
      });
      await Promise.race([check(), late]);
    } catch (thrown) {
      error = String(thrown?.stack ?? thrown).slice(0, 2000);
    } finally {
      clearTimeout(timer);
    }
    console.log(JSON.stringify({ name, ms: Math.round(performance.now() - began), error }));
  }
}

/** @param {unknown} got @param {unknown} want */
export function equal(got, want) {
  const [g, w] = [JSON.stringify(got), JSON.stringify(want)];
  if (g !== w) throw new Error(`got ${g}, want ${w}`);
}

/** @param {unknown} fact @param {string} [what] */
export function ok(fact, what = 'not so') {
  if (!fact) throw new Error(what);
}

/** Expects a refusal whose text fits.
 * @param {Promise<unknown>} promise @param {RegExp} words */
export async function refused(promise, words) {
  let text;
  try {
    text = `no refusal but ${JSON.stringify(await promise)}`;
  } catch (thrown) {
    text = String(thrown);
    if (words.test(text)) return;
  }
  throw new Error(text);
}
