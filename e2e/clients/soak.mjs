// Works until it is killed, and prints a line for each round: node soak.mjs KIND ENDPOINT SITE NAME
// In some rounds a worker of its page dies, or the page; a person may close its tab in any.

import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { equal } from './check.mjs';

const [kind, endpoint, site, name] = process.argv.slice(2);

/** Registers a service worker and takes it away. Others do the same meanwhile.
 * @param {{evaluate: (f: () => unknown) => Promise<unknown>}} page */
const serviceWorker = (page) => page.evaluate(async () => {
  const registration = await navigator.serviceWorker.register('sw.js').catch(() => undefined);
  await registration?.unregister();
});

/** @param {string} event @param {{once: (event: string, f: (what: any) => void) => void}} from */
const hears = (event, from) => new Promise((done) => from.once(event, done));

async function withPlaywright() {
  const browser = await chromium.connectOverCDP(endpoint);
  /** @type {Record<string, (page: import('playwright-core').Page) => Promise<unknown>>} */
  const deaths = {
    none: async () => {},
    serviceWorker,
    worker: async (page) => {
      const [worker] = await Promise.all([page.waitForEvent('worker'), page.evaluate(() => { window.worker = new Worker('worker.js') })]);
      equal(await worker.evaluate(() => 6 * 7), 42);
      await Promise.all([worker.waitForEvent('close'), page.evaluate(() => window.worker.terminate())]);
    },
    crash: async (page) => {
      const session = await page.context().newCDPSession(page);
      const crashed = page.waitForEvent('crash');
      session.send('Page.crash').catch(() => {}); // nobody is left to answer
      await crashed;
    },
  };
  return {
    deaths,
    open: async () => {
      const context = await browser.newContext();
      return { context, page: await context.newPage() };
    },
    /** @param {import('playwright-core').Page} page @param {string} text */
    work: async (page, text) => {
      await page.goto(site);
      await page.fill('#name', text);
      await page.click('#button');
      equal(await page.inputValue('#name'), text);
    },
  };
}

async function withPuppeteer() {
  const { webSocketDebuggerUrl } = await (await fetch(endpoint + '/json/version')).json();
  const browser = await puppeteer.connect({ browserWSEndpoint: webSocketDebuggerUrl, defaultViewport: null });
  /** @type {Record<string, (page: import('puppeteer-core').Page) => Promise<unknown>>} */
  const deaths = {
    none: async () => {},
    serviceWorker,
    worker: async (page) => {
      const [worker] = await Promise.all([hears('workercreated', page), page.evaluate(() => { window.worker = new Worker('worker.js') })]);
      equal(await worker.evaluate(() => 6 * 7), 42);
      await Promise.all([hears('workerdestroyed', page), page.evaluate(() => window.worker.terminate())]);
    },
    crash: async (page) => {
      const session = await page.createCDPSession();
      const crashed = hears('error', page);
      session.send('Page.crash').catch(() => {});
      await crashed;
    },
  };
  return {
    deaths,
    open: async () => {
      const context = await browser.createBrowserContext();
      return { context, page: await context.newPage() };
    },
    /** @param {import('puppeteer-core').Page} page @param {string} text */
    work: async (page, text) => {
      await page.goto(site);
      await page.type('#name', text);
      await page.click('#button');
      equal(await page.$eval('#name', (field) => field.value), text);
    },
  };
}

const { deaths, open, work } = await (kind === 'playwright' ? withPlaywright() : withPuppeteer());
for (let n = 1; ; n++) {
  const { context, page } = await open();
  const closed = hears('close', page);
  let [what] = Object.keys(deaths).sort(() => Math.random() - 0.5);
  try {
    await work(page, `${name} ${n}`);
    await deaths[what](page);
  } catch (error) {
    // The tab may be closed by the person; all else is a disturbance.
    const late = new Promise((_, reject) => setTimeout(() => reject(new Error(`${what}: ${error.stack}`)), 10_000).unref());
    await Promise.race([closed, late]);
    what = 'closed';
  }
  await context.close();
  console.log(what);
}
