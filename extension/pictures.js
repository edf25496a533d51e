// Pictures of a whole page, its frames included, of which those of a site that the person refused are nobody's.

import { refused } from './children.js';
import { codes, Fault } from './fault.js';
import { anyRefused, siteOf } from './sites.js';

const ofPages = new Set(['Page.captureScreenshot', 'Page.captureSnapshot', 'Page.getAnnotatedPageContent', 'Page.printToPDF', 'Page.startScreencast', 'Tracing.start']);

/**
 * Whether a command may picture such a frame.
 * @param {{method: string, params: any}} does
 */
export function pictures({ method, params }) {
  if (!ofPages.has(method) || !anyRefused()) return false;
  return method !== 'Tracing.start' || /screenshot|[*?]|perfettoConfig/i.test(JSON.stringify(params ?? {}));
}

/**
 * Throws where it would.
 * @param {number} tabId
 * @param {string} method
 */
export async function permitPicture(tabId, method) {
  // What a trace pictures may come later.
  if (method === 'Tracing.start') throw new Fault('a trace with screenshots is refused: it may show a site that the person does not let agents use', codes.refused);
  const frames = (await chrome.webNavigation.getAllFrames({ tabId })) ?? [];
  const one = frames.find(({ url }) => refused(url));
  if (one) throw new Fault(`'${method}' is refused: it would show a frame of ${siteOf(one.url)}, which the person does not let agents use`, codes.refused);
}

/**
 * A frame is there. Nobody films it that may not.
 * @param {number} tabId
 * @param {string} url
 */
export function frameCame(tabId, url) {
  if (refused(url)) void chrome.debugger.sendCommand({ tabId }, 'Page.stopScreencast').catch(() => {}); // Not attached.
}
