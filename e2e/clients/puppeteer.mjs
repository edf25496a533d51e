// Puppeteer's public API: node puppeteer.mjs ENDPOINT SITE

import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import puppeteer from 'puppeteer-core';
import { equal, ok, refused, run } from './check.mjs';

const [endpoint, site] = process.argv.slice(2);

/** @param {string} address of HTTP or of a socket */
async function connect(address) {
  if (address.startsWith('ws')) return puppeteer.connect({ browserWSEndpoint: address, defaultViewport: null });
  const { webSocketDebuggerUrl } = await (await fetch(address.replace(/\/$/, '') + '/json/version')).json();
  return puppeteer.connect({ browserWSEndpoint: webSocketDebuggerUrl, defaultViewport: null });
}
const browser = await connect(endpoint);

/** Gives a check a page of its own on the site, which closes with it.
 * @param {(page: import('puppeteer-core').Page) => unknown} check
 * @param {string} [path] */
const on = (check, path = '') => async () => {
  const page = await browser.newPage();
  page.setDefaultTimeout(10_000);
  try {
    await page.goto(site + path);
    await check(page);
  } finally {
    await page.close();
  }
};

/** @param {import('puppeteer-core').Page | import('puppeteer-core').Frame} page @param {string} text */
const said = (page, text) => page.waitForFunction((t) => document.querySelector('#said').textContent.includes(t), {}, text);

/** @param {Uint8Array} png */
const size = (png) => [Buffer.from(png).readUInt32BE(16), Buffer.from(png).readUInt32BE(20)];

await run({
  'version': async () => ok(/Chrome/.test(await browser.version())),
  'userAgent': async () => ok(/Mozilla/.test(await browser.userAgent())),
  'targets and pages': on(async (page) => {
    ok(browser.targets().some((t) => t === page.target()));
    ok((await browser.pages()).includes(page));
    equal([page.target().type(), page.target().url()], ['page', site]);
  }),
  'newPage is seen and focused': on(async (page) => {
    equal(await page.evaluate(() => [document.visibilityState, document.hasFocus()]), ['visible', true]);
  }),
  'animation frames': on(async (page) => {
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
  }),
  'goto and its response': on(async (page) => {
    const response = await page.goto(site + 'json');
    equal([response.status(), response.headers()['content-type']], [200, 'application/json']);
    ok((await response.json()).headers);
  }),
  'goto until the network is idle': on(async (page) => {
    await page.goto(site + 'next.html', { waitUntil: 'networkidle0' });
    equal(await page.title(), 'Next');
  }),
  'title, url and content': on(async (page) => {
    equal([await page.title(), page.url()], ['Clients', site]);
    ok((await page.content()).includes('Press me'));
  }),
  'evaluate': on(async (page) => equal(await page.evaluate((n) => [n, { a: null }, 'é'], 7), [7, { a: null }, 'é'])),
  'evaluate that throws': on(async (page) => {
    await refused(page.evaluate(() => { throw new Error('thrown') }), /thrown/);
  }),
  'handles': on(async (page) => {
    const handle = await page.evaluateHandle(() => ({ list: [1, 2] }));
    equal(await (await handle.getProperty('list')).jsonValue(), [1, 2]);
    await handle.dispose();
  }),
  'exposeFunction': on(async (page) => {
    await page.exposeFunction('twice', (n) => 2 * n);
    equal(await page.evaluate(() => window.twice(21)), 42);
  }),
  'evaluateOnNewDocument': on(async (page) => {
    await page.evaluateOnNewDocument(() => { window.early = 'yes' });
    await page.reload();
    equal(await page.evaluate(() => window.early), 'yes');
  }),
  'setContent': on(async (page) => {
    await page.setContent('<p>mine</p>');
    equal(await page.$eval('p', (p) => p.textContent), 'mine');
  }),
  '$, $$ and $eval': on(async (page) => {
    ok(await page.$('#button'));
    equal((await page.$$('.item')).length, 3);
    equal(await page.$$eval('.item', (list) => list.map((e) => e.textContent)), ['One', 'Two', 'Three']);
  }),
  'click is trusted': on(async (page) => {
    await page.click('#button');
    await said(page, 'click true 1');
  }),
  'click twice': on(async (page) => {
    await page.click('#button', { count: 2 });
    await said(page, 'twice');
  }),
  'locator click': on(async (page) => {
    await page.locator('#button').click();
    await said(page, 'click true 1');
  }),
  'locator waits until it rests': on(async (page) => {
    await page.locator('#moving').click();
    await said(page, 'moving');
  }),
  'locator fill': on(async (page) => {
    await page.locator('#name').fill('Ada');
    equal(await page.$eval('#name', (e) => e.value), 'Ada');
  }),
  'locator scrolls': on(async (page) => {
    await page.locator('#bottom').click();
    await said(page, 'bottom');
  }),
  'locator hover and wait': on(async (page) => {
    await page.locator('#hover').hover();
    await page.waitForSelector('#menu', { visible: true });
    equal(await page.locator('#menu').map((e) => e.textContent).wait(), 'Item one');
  }),
  'aria selectors': on(async (page) => {
    await (await page.waitForSelector('aria/Press me')).click();
    await said(page, 'click true 1');
    ok(await page.$('::-p-aria(Name[role="textbox"])'));
  }),
  'text and pierce selectors': on(async (page) => {
    await page.locator('::-p-text(Press me)').click();
    await said(page, 'click true 1');
    await page.locator('>>> button ::-p-text(In the shadow), ::-p-text(In the shadow)').click();
    await said(page, 'shadow');
  }),
  'type and press': on(async (page) => {
    await page.type('#notes', 'one');
    await page.keyboard.press('Enter');
    await page.keyboard.type('two');
    equal(await page.$eval('#notes', (e) => e.value), 'one\ntwo');
  }),
  'keyboard with modifiers': on(async (page) => {
    await page.focus('#box');
    await page.keyboard.down('Shift');
    await page.keyboard.press('A');
    await page.keyboard.up('Shift');
    await said(page, 'A,true,false').catch(() => said(page, 'Shift'));
  }),
  'select': on(async (page) => {
    equal(await page.select('#colour', 'blue'), ['blue']);
    await said(page, 'colour blue');
  }),
  'uploadFile': on(async (page) => {
    await (await page.$('#files')).uploadFile(new URL('package.json', import.meta.url).pathname);
    await said(page, 'package.json');
  }),
  'file chooser': on(async (page) => {
    const [chooser] = await Promise.all([page.waitForFileChooser(), page.click('#files')]);
    ok(chooser.isMultiple());
    await chooser.accept([new URL('package.json', import.meta.url).pathname]);
    await said(page, 'package.json');
  }),
  'drag and drop': on(async (page) => {
    await (await page.$('#from')).drag(await page.$('#to'));
    await (await page.$('#to')).drop(await page.$('#from')).catch(() => {});
    await said(page, 'dropped');
  }),
  'mouse wheel': on(async (page) => {
    await page.hover('#box');
    await page.mouse.wheel({ deltaY: 100 });
    await said(page, 'wheel 100');
  }),
  'touch': on(async (page) => {
    await page.emulate({ viewport: { width: 400, height: 300, hasTouch: true }, userAgent: 'Mine/1' });
    await page.reload();
    await page.tap('#box');
    await said(page, 'touched');
  }),
  'waitForSelector': on(async (page) => {
    await page.click('#later');
    equal(await (await page.waitForSelector('#there', { visible: true })).evaluate((e) => e.textContent), 'there');
  }),
  'waitForFunction': on(async (page) => {
    await page.click('#later');
    await page.waitForFunction(() => document.querySelector('#there'));
    await page.waitForFunction(() => true, { polling: 'mutation' });
  }),
  'screenshot': on(async (page) => {
    equal(size(await page.screenshot())[0], await page.evaluate(() => innerWidth));
  }),
  'screenshot of all': on(async (page) => ok(size(await page.screenshot({ fullPage: true }))[1] > 3000)),
  'screenshot of an element': on(async (page) => {
    equal(size(await (await page.$('#box')).screenshot()), [100, 100]);
  }),
  'pdf': on(async (page) => equal(Buffer.from(await page.pdf()).subarray(0, 4).toString(), '%PDF')),
  'accessibility snapshot': on(async (page) => {
    ok(JSON.stringify(await page.accessibility.snapshot()).includes('Press me'));
  }),
  'dialogs': on(async (page) => {
    const seen = [];
    page.on('dialog', (dialog) => {
      seen.push(dialog.type() + ' ' + dialog.message());
      void dialog.accept(dialog.type() === 'prompt' ? 'five' : undefined);
    });
    await page.click('#dialogs');
    await said(page, 'true five');
    equal(seen, ['alert one', 'confirm two', 'prompt three']);
  }),
  'console': on(async (page) => {
    const message = new Promise((done) => page.once('console', done));
    await page.reload();
    equal([(await message).text(), await (await message).args()[1].jsonValue()], ['ready 42', 42]);
  }),
  'page errors': on(async (page) => {
    const error = new Promise((done) => page.once('pageerror', done));
    await page.evaluate(() => { setTimeout(() => { throw new Error('uncaught') }) });
    ok((await error).message.includes('uncaught'));
  }),
  'requests and responses': on(async (page) => {
    const [response] = await Promise.all([page.waitForResponse((r) => r.url().endsWith('json')), page.click('#fetch')]);
    equal(response.request().headers()['x-mine'], 'yes');
    equal((await response.json()).headers['X-Mine'], 'yes');
  }),
  'interception: respond, abort, go on': on(async (page) => {
    await page.setRequestInterception(true);
    page.on('request', (request) => {
      if (request.url().endsWith('json')) void request.respond({ contentType: 'application/json', body: '{"made":"up"}' });
      else if (request.url().endsWith('gone')) void request.abort();
      else void request.continue();
    });
    await page.click('#fetch');
    await said(page, '{"made":"up"}');
    equal(await page.evaluate(() => fetch('gone').catch((e) => e.name)), 'TypeError');
    ok((await page.goto(site + 'next.html')).status() < 400);
  }),
  'extra headers and user agent': on(async (page) => {
    await page.setExtraHTTPHeaders({ 'x-extra': 'more' });
    await page.setUserAgent({ userAgent: 'Mine/1' });
    const { headers } = await (await page.goto(site + 'json')).json();
    equal([headers['X-Extra'], headers['User-Agent']], ['more', 'Mine/1']);
  }),
  'history': on(async (page) => {
    await Promise.all([page.waitForNavigation(), page.click('#next')]);
    await page.goBack({ waitUntil: [] });
    await page.waitForFunction(() => document.title === 'Clients');
    await page.goForward({ waitUntil: [] });
    await page.waitForFunction(() => document.title === 'Next');
  }),
  'form sent': on(async (page) => {
    await page.type('#name', 'Ada');
    await Promise.all([page.waitForNavigation(), page.click('#send')]);
    ok((await page.content()).includes('name=Ada'));
  }),
  'frames': on(async (page) => {
    const near = page.frames().find((f) => f.url().endsWith('inner.html'));
    await near.click('button');
    await said(near, 'pressed true');
  }, 'frames.html'),
  'frames of other sites, and in those': on(async (page) => {
    const far = await (await page.waitForSelector('[name=far]')).contentFrame();
    const deep = await (await far.waitForSelector('[name=deep]')).contentFrame();
    await deep.locator('button').click();
    await said(deep, 'pressed true');
    await deep.type('input', 'deep');
    equal(await deep.$eval('input', (e) => e.value), 'deep');
    equal(page.frames().length, 4);
  }, 'frames.html'),
  'popup': on(async (page) => {
    const [popup] = await Promise.all([new Promise((done) => page.once('popup', done)), page.click('#pop')]);
    await popup.waitForSelector('h1');
    equal([await popup.title(), popup.target().opener() === page.target()], ['Popup', true]);
    const closed = new Promise((done) => popup.once('close', done));
    await popup.click('button').catch(() => {});
    await closed;
    await said(page, 'from the popup');
  }),
  'waitForTarget': on(async (page) => {
    await page.evaluate(() => { window.open('next.html') });
    const target = await browser.waitForTarget((t) => t.opener() === page.target() && t.url().endsWith('next.html'));
    await (await target.page()).close();
  }),
  'cookies': on(async (page) => {
    await browser.setCookie({ name: 'mine', value: 'pptr', url: site, domain: new URL(site).hostname });
    ok((await browser.cookies()).some((c) => c.name === 'mine' && c.value === 'pptr'));
    ok(await page.evaluate(() => document.cookie.includes('mine=pptr')));
  }),
  'CDP session': on(async (page) => {
    const session = await page.createCDPSession();
    equal((await session.send('Runtime.evaluate', { expression: '6 * 7' })).result.value, 42);
    await session.detach();
  }),
  'emulateMediaFeatures': on(async (page) => {
    await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: 'dark' }]);
    ok(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches));
  }),
  'emulateMediaType': on(async (page) => {
    await page.emulateMediaType('print');
    ok(await page.evaluate(() => matchMedia('print').matches));
  }),
  'setViewport': on(async (page) => {
    await page.setViewport({ width: 500, height: 400 });
    equal(await page.evaluate(() => [innerWidth, innerHeight]), [500, 400]);
    equal(size(await page.screenshot()), [500, 400]);
  }),
  'time zone and CPU': on(async (page) => {
    await page.emulateTimezone('Asia/Tokyo');
    await page.emulateCPUThrottling(2);
    equal(await page.evaluate(() => Intl.DateTimeFormat().resolvedOptions().timeZone), 'Asia/Tokyo');
  }),
  'offline': on(async (page) => {
    await page.setOfflineMode(true);
    equal(await page.evaluate(() => navigator.onLine), false);
    await page.setOfflineMode(false);
  }),
  'metrics': on(async (page) => ok((await page.metrics()).Nodes > 0)),
  'workers': on(async (page) => {
    await said(page, 'works');
    equal(await page.workers()[0].evaluate(() => self.answer), 42);
  }, 'worker.html'),
  'bringToFront': on(async (page) => {
    await page.bringToFront();
    equal(await page.evaluate(() => document.visibilityState), 'visible');
  }),
  'screencast of the client\'s own': on(async (page) => {
    const session = await page.createCDPSession();
    const frame = new Promise((done) => session.once('Page.screencastFrame', done));
    await session.send('Page.startScreencast', { format: 'jpeg', maxWidth: 100, maxHeight: 100 });
    ok((await frame).data);
    equal(size(await page.screenshot())[0], await page.evaluate(() => innerWidth));
    await session.send('Page.stopScreencast');
    await session.detach();
  }),
  'CSS coverage': on(async (page) => {
    await page.coverage.startCSSCoverage();
    await page.reload();
    ok((await page.coverage.stopCSSCoverage()).length > 0);
  }),
  'tracing': on(async (page) => {
    await page.tracing.start();
    await page.click('#button');
    ok((await page.tracing.stop()).length > 0);
  }),
  'download into a folder': on(async (page) => {
    const folder = await mkdtemp(join(tmpdir(), 'downloads-'));
    try {
      await browser.defaultBrowserContext().setDownloadBehavior({ policy: 'allow', downloadPath: folder });
      await page.click('#load');
      const late = Date.now() + 30_000;
      while (!(await readdir(folder)).includes('file.txt') && Date.now() < late) await page.evaluate(() => 1);
      equal(await readFile(join(folder, 'file.txt'), 'utf8'), 'What a file says.\n');
    } finally {
      await browser.defaultBrowserContext().setDownloadBehavior({ policy: 'default' });
      await rm(folder, { recursive: true });
    }
  }),
  'createBrowserContext': async () => {
    const context = await browser.createBrowserContext();
    const page = await context.newPage();
    await page.goto(site);
    equal([page.browserContext() === context, (await context.pages()).length], [true, 1]);
    ok(browser.browserContexts().includes(context));
    const closed = new Promise((done) => page.once('close', done));
    await context.close();
    await closed;
    ok(!browser.browserContexts().includes(context));
  },
  'a second client, and disconnecting': on(async (page) => {
    const other = await connect(endpoint);
    const same = (await other.pages()).find((p) => p.url() === page.url());
    equal(await same.title(), 'Clients');
    await other.disconnect();
    await page.locator('#button').click();
    await said(page, 'click true 1');
  }),
  // What an extension cannot do is refused at once, with the reason.
  'limit: permissions are the person\'s': async () => {
    await refused(browser.defaultBrowserContext().overridePermissions(new URL(site).origin, ['geolocation']), /site settings/);
    await browser.defaultBrowserContext().clearPermissionOverrides();
  },
  'limit: no profiler': on(async (page) => {
    await refused(page.coverage.startJSCoverage(), /Profiler/);
  }),
  'limit: no proxy for a context': async () => {
    await refused(browser.createBrowserContext({ proxyServer: 'http://127.0.0.1:1' }), /shares the profile's network/);
  },
});
await browser.disconnect();
process.exit(); // whatever a check that failed has left open
