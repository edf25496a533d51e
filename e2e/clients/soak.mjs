// Works until it is killed, and prints a line for each round: node soak.mjs KIND ENDPOINT SITE NAME

import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { equal } from './check.mjs';

const [kind, endpoint, site, name] = process.argv.slice(2);

async function withPlaywright() {
  const browser = await chromium.connectOverCDP(endpoint);
  return async (/** @type {string} */ text) => {
    const context = await browser.newContext();
    const page = await context.newPage();
    await page.goto(site);
    await page.fill('#name', text);
    await page.click('#button');
    equal(await page.inputValue('#name'), text);
    await context.close();
  };
}

async function withPuppeteer() {
  const { webSocketDebuggerUrl } = await (await fetch(endpoint + '/json/version')).json();
  const browser = await puppeteer.connect({ browserWSEndpoint: webSocketDebuggerUrl, defaultViewport: null });
  return async (/** @type {string} */ text) => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.goto(site);
    await page.type('#name', text);
    await page.click('#button');
    equal(await page.$eval('#name', (field) => field.value), text);
    await context.close();
  };
}

const round = await (kind === 'playwright' ? withPlaywright() : withPuppeteer());
for (let n = 1; ; n++) {
  await round(`${name} ${n}`);
  console.log(n);
}
