// Playwright's public API: node playwright.mjs ENDPOINT SITE

import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { chromium } from 'playwright-core';
import { equal, ok, refused, run } from './check.mjs';

const [endpoint, site] = process.argv.slice(2);
const browser = await chromium.connectOverCDP(endpoint);
const context = browser.contexts()[0];
context.setDefaultTimeout(10_000);

/** Gives a check a page of its own on the site, which closes with it.
 * @param {(page: import('playwright-core').Page) => unknown} check
 * @param {string} [path] */
const on = (check, path = '') => async () => {
  const page = await context.newPage();
  try {
    await page.goto(site + path);
    await check(page);
  } finally {
    await page.close();
  }
};

/** @param {import('playwright-core').Page} page @param {string} text */
const said = (page, text) => page.locator('#said').filter({ hasText: text }).waitFor();

await run({
  'version': async () => ok(/^\d+\./.test(browser.version())),
  'default context': async () => equal(browser.contexts().length, 1),
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
  'goto of what is not there': on(async (page) => equal((await page.goto(site + 'nothing')).status(), 404)),
  'goto that fails': on(async (page) => {
    const error = await page.goto('http://127.0.0.1:1/').catch(String);
    ok(/ERR_/.test(error), error);
  }),
  'title, url and content': on(async (page) => {
    equal([await page.title(), page.url()], ['Clients', site]);
    ok((await page.content()).includes('Press me'));
  }),
  'evaluate': on(async (page) => equal(await page.evaluate((n) => [n, { a: null }, 'é'], 7), [7, { a: null }, 'é'])),
  'evaluate that throws': on(async (page) => {
    const error = await page.evaluate(() => { throw new Error('thrown') }).catch(String);
    ok(error.includes('thrown'), error);
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
  'addInitScript': on(async (page) => {
    await page.addInitScript(() => { window.early = 'yes' });
    await page.reload();
    equal(await page.evaluate(() => window.early), 'yes');
  }),
  'addScriptTag and addStyleTag': on(async (page) => {
    await page.addScriptTag({ content: 'window.tagged = 1' });
    await page.addStyleTag({ content: '#top { color: rgb(1, 2, 3) }' });
    equal(await page.evaluate(() => [window.tagged, getComputedStyle(document.querySelector('#top')).color]), [1, 'rgb(1, 2, 3)']);
  }),
  'setContent': on(async (page) => {
    await page.setContent('<p>mine</p>');
    equal(await page.textContent('p'), 'mine');
  }),
  'click is trusted': on(async (page) => {
    await page.click('#button');
    await said(page, 'click true 1');
  }),
  'dblclick': on(async (page) => {
    await page.dblclick('#button');
    await said(page, 'twice');
  }),
  'right click': on(async (page) => {
    await page.click('#button', { button: 'right' });
    await said(page, 'menu');
  }),
  'click waits until it rests': on(async (page) => {
    await page.click('#moving');
    await said(page, 'moving');
  }),
  'click scrolls': on(async (page) => {
    await page.click('#bottom');
    await said(page, 'bottom');
  }),
  'hover': on(async (page) => {
    await page.hover('#hover');
    await page.locator('#menu').waitFor();
  }),
  'fill': on(async (page) => {
    await page.fill('#name', 'Ada');
    equal(await page.inputValue('#name'), 'Ada');
  }),
  'pressSequentially': on(async (page) => {
    await page.locator('#notes').pressSequentially('one\ntwo');
    equal(await page.inputValue('#notes'), 'one\ntwo');
  }),
  'keyboard with modifiers': on(async (page) => {
    await page.focus('#box');
    await page.keyboard.press('Shift+A');
    await said(page, 'A,true,false');
  }),
  'contenteditable': on(async (page) => {
    await page.fill('#paper', 'written');
    equal(await page.textContent('#paper'), 'written');
  }),
  'check and uncheck': on(async (page) => {
    await page.getByLabel('I agree').check();
    await said(page, 'agree true');
    await page.uncheck('#agree');
    await said(page, 'agree false');
  }),
  'selectOption': on(async (page) => {
    equal(await page.selectOption('#colour', { label: 'blue' }), ['blue']);
    await said(page, 'colour blue');
  }),
  'setInputFiles': on(async (page) => {
    await page.setInputFiles('#files', { name: 'a.txt', mimeType: 'text/plain', buffer: Buffer.from('hello') });
    await said(page, 'a.txt 5');
  }),
  'file chooser': on(async (page) => {
    const [chooser] = await Promise.all([page.waitForEvent('filechooser'), page.click('#files')]);
    ok(chooser.isMultiple());
    await chooser.setFiles([new URL('package.json', import.meta.url).pathname]);
    await said(page, 'package.json');
  }),
  'dragTo': on(async (page) => {
    await page.locator('#from').dragTo(page.locator('#to'));
    await said(page, 'dropped cargo');
  }),
  'mouse and wheel': on(async (page) => {
    const box = await page.locator('#box').boundingBox();
    await page.mouse.move(box.x + 5, box.y + 5);
    await page.mouse.wheel(0, 100);
    await said(page, 'wheel 100');
  }),
  'getBy role, text, placeholder, test id': on(async (page) => {
    equal(await page.getByRole('button', { name: 'Press me' }).count(), 1);
    equal(await page.getByText('Drop here').count(), 1);
    equal(await page.getByPlaceholder('Your name').count(), 1);
    equal(await page.getByTestId('the-button').count(), 1);
  }),
  'locators in shadow roots': on(async (page) => {
    await page.getByText('In the shadow').click();
    await said(page, 'shadow');
  }),
  'lists of locators': on(async (page) => {
    equal(await page.locator('.item').allTextContents(), ['One', 'Two', 'Three']);
    equal(await page.locator('.item').nth(1).textContent(), 'Two');
  }),
  'waits for what comes later': on(async (page) => {
    await page.click('#later');
    equal(await page.locator('#there').textContent(), 'there');
  }),
  'waitForFunction': on(async (page) => {
    await page.click('#later');
    await page.waitForFunction(() => document.querySelector('#there'));
  }),
  'visibility': on(async (page) => {
    ok(!(await page.isVisible('#covered')));
    await page.locator('#menu').waitFor({ state: 'hidden' });
  }),
  'screenshot': on(async (page) => {
    const picture = await page.screenshot();
    equal([picture.subarray(1, 4).toString(), picture.readUInt32BE(16)], ['PNG', page.viewportSize()?.width ?? await page.evaluate(() => innerWidth)]);
  }),
  'screenshot of all': on(async (page) => {
    ok((await page.screenshot({ fullPage: true })).readUInt32BE(20) > 3000);
  }),
  'screenshot of an element': on(async (page) => {
    const picture = await page.locator('#box').screenshot();
    equal([picture.readUInt32BE(16), picture.readUInt32BE(20)], [100, 100]);
  }),
  'pdf': on(async (page) => equal((await page.pdf()).subarray(0, 4).toString(), '%PDF')),
  'aria snapshot': on(async (page) => {
    ok((await page.locator('#form').ariaSnapshot()).includes('textbox "Name"'));
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
    const [message] = await Promise.all([page.waitForEvent('console'), page.reload()]);
    equal([message.text(), await message.args()[1].jsonValue()], ['ready 42', 42]);
  }),
  'page errors': on(async (page) => {
    const [error] = await Promise.all([page.waitForEvent('pageerror'),
      page.evaluate(() => { setTimeout(() => { throw new Error('uncaught') }) })]);
    equal(error.message, 'uncaught');
  }),
  'requests and responses': on(async (page) => {
    const [response] = await Promise.all([page.waitForResponse(/json$/), page.click('#fetch')]);
    equal(response.request().headers()['x-mine'], 'yes');
    equal((await response.json()).headers['X-Mine'], 'yes');
    await response.finished();
  }),
  'route: fulfil': on(async (page) => {
    await page.route('**/json', (route) => route.fulfill({ json: { made: 'up' } }));
    await page.click('#fetch');
    await said(page, '{"made":"up"}');
  }),
  'route: abort': on(async (page) => {
    await page.route('**/json', (route) => route.abort());
    equal(await page.evaluate(() => fetch('json').catch((e) => e.name)), 'TypeError');
  }),
  'route: other headers': on(async (page) => {
    await page.route('**/json', (route) => route.continue({ headers: { ...route.request().headers(), 'x-mine': 'changed' } }));
    await page.click('#fetch');
    await said(page, 'changed');
  }),
  'extra headers': on(async (page) => {
    await page.setExtraHTTPHeaders({ 'x-extra': 'more' });
    equal((await (await page.goto(site + 'json')).json()).headers['X-Extra'], 'more');
  }),
  'history': on(async (page) => {
    await page.click('#next');
    await page.waitForURL('**/next.html');
    await page.goBack({ waitUntil: 'commit' }); // a page that Chrome kept alive has no load event
    equal(await page.title(), 'Clients');
    await page.goForward({ waitUntil: 'commit' });
    equal(await page.title(), 'Next');
    await page.reload();
  }),
  'form sent': on(async (page) => {
    await page.fill('#name', 'Ada');
    await page.click('#send');
    await page.waitForURL('**/echo');
    ok((await page.textContent('body')).includes('name=Ada'));
  }),
  'frames': on(async (page) => {
    const near = page.frame('near');
    await near.click('text=Inside');
    equal(await near.textContent('#said'), 'pressed true');
  }, 'frames.html'),
  'frames of other sites, and in those': on(async (page) => {
    const deep = page.frameLocator('[name=far]').frameLocator('[name=deep]');
    await deep.getByRole('button').click();
    await deep.getByText('pressed true').waitFor();
    await deep.getByPlaceholder('Inner field').fill('deep');
    equal(page.frames().length, 4);
  }, 'frames.html'),
  'popup': on(async (page) => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.click('#pop')]);
    await popup.waitForLoadState();
    equal([await popup.title(), (await popup.opener()) === page], ['Popup', true]);
    await Promise.all([popup.waitForEvent('close'), popup.click('button').catch(() => {})]);
    await said(page, 'from the popup');
  }),
  'window.open': on(async (page) => {
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.evaluate(() => { window.open('next.html') })]);
    await popup.waitForURL('**/next.html');
    await popup.close();
  }),
  'download': on(async (page) => {
    const [download] = await Promise.all([page.waitForEvent('download'), page.click('#load')]);
    equal([download.suggestedFilename(), download.url(), await download.failure()], ['file.txt', site + 'file.txt', null]);
    const folder = await mkdtemp(join(tmpdir(), 'downloads-'));
    try {
      await download.saveAs(join(folder, 'saved.txt'));
      const text = await readFile(join(folder, 'saved.txt'), 'utf8');
      equal([text, await readFile(await download.path(), 'utf8')], ['What a file says.\n', text]);
    } finally {
      await rm(folder, { recursive: true });
    }
  }),
  'downloads refused in one context': async () => {
    const other = await browser.newContext({ acceptDownloads: false });
    try {
      const [mine, page] = [await context.newPage(), await other.newPage()];
      await Promise.all([mine.goto(site), page.goto(site)]);
      const [refused] = await Promise.all([page.waitForEvent('download'), page.click('#load')]);
      ok(await refused.failure(), 'it is not refused');
      const [download] = await Promise.all([mine.waitForEvent('download'), mine.click('#load')]);
      equal(await download.failure(), null);
      await mine.close();
    } finally {
      await other.close();
    }
  },
  'cookies': on(async (page) => {
    await context.addCookies([{ name: 'mine', value: 'pw', url: site }]);
    ok((await context.cookies(site)).some((c) => c.name === 'mine' && c.value === 'pw'));
    equal(await page.evaluate(() => document.cookie.includes('mine=pw')), true);
  }),
  'clearCookies of a name': on(async () => {
    await context.addCookies([{ name: 'gone', value: '1', url: site }]);
    await context.clearCookies({ name: 'gone' });
    ok(!(await context.cookies(site)).some((c) => c.name === 'gone'));
  }),
  'storageState': on(async (page) => {
    await page.evaluate(() => localStorage.setItem('kept', 'yes'));
    const state = await context.storageState();
    ok(state.origins.some((o) => o.localStorage.some((e) => e.name === 'kept')));
  }),
  'CDP session of a page': on(async (page) => {
    const session = await context.newCDPSession(page);
    equal((await session.send('Runtime.evaluate', { expression: '6 * 7' })).result.value, 42);
    await session.detach();
  }),
  'CDP session of the browser': async () => {
    const session = await browser.newBrowserCDPSession();
    ok((await session.send('Browser.getVersion')).product);
    await session.detach();
  },
  'emulateMedia': on(async (page) => {
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' });
    equal(await page.evaluate(() => [matchMedia('(prefers-color-scheme: dark)').matches, matchMedia('print').matches]), [true, true]);
  }),
  'setViewportSize': on(async (page) => {
    await page.setViewportSize({ width: 500, height: 400 });
    equal(await page.evaluate(() => [innerWidth, innerHeight]), [500, 400]);
    equal((await page.screenshot()).readUInt32BE(16), 500);
  }),
  'offline': on(async (page) => {
    await context.setOffline(true);
    equal(await page.evaluate(() => navigator.onLine), false);
    await context.setOffline(false);
    equal(await page.evaluate(() => navigator.onLine), true);
  }),
  'clock': on(async (page) => {
    await page.clock.install({ time: new Date('2030-01-01T00:00:00Z') });
    equal(await page.evaluate(() => new Date().getUTCFullYear()), 2030);
  }),
  'workers': on(async (page) => {
    await said(page, 'works');
    equal(await page.workers()[0].evaluate(() => self.answer), 42);
  }, 'worker.html'),
  'web sockets': on(async (page) => {
    const [socket] = await Promise.all([page.waitForEvent('websocket'),
      page.evaluate(() => new Promise((done) => {
        const s = new WebSocket(new URL('socket', location.href).href.replace('http', 'ws'));
        s.onopen = () => s.send('ping');
        s.onmessage = (e) => done(e.data);
      }))]);
    ok(socket.url().endsWith('/socket'));
  }),
  'bringToFront': on(async (page) => {
    await page.bringToFront();
    equal(await page.evaluate(() => document.visibilityState), 'visible');
  }),
  'tracing': on(async (page) => {
    await context.tracing.start({ screenshots: true, snapshots: true });
    await page.click('#button');
    await context.tracing.stop({ path: join(await mkdtemp(join(tmpdir(), 'trace-')), 'trace.zip') });
  }),
  'CSS coverage': on(async (page) => {
    await page.coverage.startCSSCoverage();
    await page.reload();
    ok((await page.coverage.stopCSSCoverage()).length > 0);
  }),
  'close with beforeunload': async () => {
    const page = await context.newPage();
    await page.goto(site);
    await page.click('#button');
    await page.evaluate(() => addEventListener('beforeunload', (e) => e.preventDefault()));
    page.once('dialog', (dialog) => dialog.accept());
    await Promise.all([page.waitForEvent('close'), page.close({ runBeforeUnload: true })]);
  },
  'a second client': async () => {
    const other = await chromium.connectOverCDP(endpoint);
    const page = await other.contexts()[0].newPage();
    await page.goto(site);
    await page.click('#button');
    await said(page, 'click true 1');
    await page.close();
    await other.close();
  },
  'newContext': async () => {
    const own = await browser.newContext();
    equal(browser.contexts().length, 2);
    const page = await own.newPage();
    await page.goto(site);
    await page.click('#button');
    await said(page, 'click true 1');
    equal([own.pages().length, page.context() === own], [1, true]);
    const [popup] = await Promise.all([own.waitForEvent('page', (p) => p !== page), page.click('#pop')]);
    equal(popup.context() === own, true);
    const closed = Promise.all([page.waitForEvent('close'), popup.waitForEvent('close')]);
    await own.close();
    await closed;
    equal(browser.contexts().length, 1);
  },
  'newContext with options': async () => {
    const own = await browser.newContext({
      viewport: { width: 400, height: 300 }, locale: 'de-DE', timezoneId: 'Asia/Tokyo', userAgent: 'Mine/1',
      colorScheme: 'dark', hasTouch: true, isMobile: true, deviceScaleFactor: 2,
    });
    const page = await own.newPage();
    await page.goto(site);
    equal(await page.evaluate(() => [navigator.language, Intl.DateTimeFormat().resolvedOptions().timeZone, navigator.userAgent, devicePixelRatio]),
      ['de-DE', 'Asia/Tokyo', 'Mine/1', 2]);
    await page.tap('#box');
    await said(page, 'touched');
    await own.close();
  },
  'newPage of the browser': async () => {
    const page = await browser.newPage();
    await page.goto(site + 'next.html');
    equal(await page.title(), 'Next');
    await page.close();
    equal(browser.contexts().length, 1);
  },
  // What an extension cannot do is refused at once, with the reason.
  'limit: permissions are the person\'s': async () => {
    await refused(context.grantPermissions(['geolocation'], { origin: new URL(site).origin }), /site settings/);
    await context.clearPermissions();
  },
  'limit: no profiler': on(async (page) => {
    await refused(page.coverage.startJSCoverage(), /Profiler/);
  }),
  'limit: no proxy for a context': async () => {
    await refused(browser.newContext({ proxy: { server: 'http://127.0.0.1:1' } }), /shares the profile's network/);
  },
  'limit: what the browser has no answer for': async () => {
    const session = await browser.newBrowserCDPSession();
    await refused(session.send('SystemInfo.getInfo'), /an extension/);
    await refused(session.send('Browser.getBrowserCommandLine'), /command line/);
    await session.detach();
  },
});
await browser.close();
process.exit(); // whatever a check that failed has left open
