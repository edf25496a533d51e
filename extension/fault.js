/** Failures that the relay and its clients tell apart; relay/fault.go has the same numbers. */
export const codes = { taken: -32053, blocked: -32058, unshared: -32059, asked: -32062, refused: -32063, withheld: -32064, paused: -32065, over: -32066 };

/**
 * An error as the relay gets it: a numeric CDP code and a sentence.
 */
export class Fault extends Error {
  /**
   * @param {string} message
   * @param {number} [code]
   */
  constructor(message, code = -32000) {
    super(message);
    this.code = code;
  }
}

/**
 * Chrome packs the CDP error of a debugger command into its message, as JSON.
 * @param {unknown} thrown
 * @returns {Fault}
 */
export function fault(thrown) {
  if (thrown instanceof Fault) return thrown;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (message.startsWith('{')) {
    try {
      const cdp = JSON.parse(message);
      if (typeof cdp.message === 'string') {
        const detail = typeof cdp.data === 'string' ? `: ${cdp.data}` : '';
        return new Fault(cdp.message + detail, typeof cdp.code === 'number' ? cdp.code : -32000);
      }
    } catch {
      // Not JSON after all: the text itself is the message.
    }
  }
  return new Fault(message);
}
