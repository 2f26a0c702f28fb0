// Playwright and Puppeteer at once, each on a page of its own: neither hears the other's.
import { chromium } from 'playwright-core';
import puppeteer from 'puppeteer-core';
import { assert, config, done, refused, step, until } from './lib.mjs';

const { site } = config;
let one, two, mine, theirs;

await step('both connect', async () => {
  one = await chromium.connectOverCDP(config.ws);
  two = await puppeteer.connect({ browserWSEndpoint: config.ws, defaultViewport: null });
  mine = await one.contexts()[0].newPage();
  theirs = await two.newPage();
  await Promise.all([mine.goto(`${site}/page/mine`), theirs.goto(`${site}/page/theirs`)]);
});

await step('each hears its own page alone', async () => {
  const heard = { mine: [], theirs: [] };
  for (const [name, page] of Object.entries({ mine, theirs })) {
    page.on('console', (line) => heard[name].push(line.text()));
    page.on('request', (request) => {
      const { pathname } = new URL(request.url());
      if (pathname !== '/favicon.ico') heard[name].push(pathname);
    });
  }
  const act = (page, n) => page.evaluate((id) => { console.log(`line ${id}`); return fetch(`/api/${id}`).then((r) => r.json()); }, n);
  for (let round = 0; round < 10; round++)
    await Promise.all([act(mine, 100 + round), act(theirs, 200 + round)]);
  const want = (first) => Array.from({ length: 10 }, (_, n) => [`line ${first + n}`, `/api/${first + n}`]).flat().sort();
  await until('all of it', () => heard.mine.length >= 20 && heard.theirs.length >= 20);
  assert.deepEqual(heard.mine.sort(), want(100));
  assert.deepEqual(heard.theirs.sort(), want(200));
});

await step('one that leaves disturbs no other', async () => {
  await mine.route('**/api/1', (route) => route.abort());
  await mine.close();
  await one.close();
  assert.deepEqual(await theirs.evaluate(() => fetch('/api/1').then((r) => r.json())), { id: 1 });
  await theirs.click('#b');
});

const why = /not allowed|refused|wasn't found|managed|No target|is not loaded/;

// What a client of the person's Chrome may not do, through a session of a real one (N-25).
if (config.kind === 'extension')
  await step('refused with the reason', async () => {
    const session = await theirs.createCDPSession();
    for (const [method, params] of [
      ['Network.getAllCookies'], ['Network.getCookies', { urls: ['https://example.com/'] }],
      ['Network.setCookie', { name: 'a', value: 'b', url: site }], ['Storage.getCookies'],
      ['DOM.setFileInputFiles', { files: ['/etc/passwd'], nodeId: 1 }],
      ['Page.setDownloadBehavior', { behavior: 'allow', downloadPath: '/tmp' }],
      ['Browser.close'], ['Browser.crash'], ['SystemInfo.getInfo'], ['WebAuthn.enable'],
      ['Target.attachToTarget', { targetId: 'of-another', flatten: true }],
      ['Target.createBrowserContext'],
      ['Page.navigate', { url: 'file:///etc/passwd' }], ['Page.navigate', { url: 'chrome://settings' }],
      ['runtime.evaluate', { expression: '1' }], ['Runtime.evaluate ', { expression: '1' }], ['Runtime.Evaluate', { expression: '1' }],
    ])
      await refused(session.send(method, params ?? {}), why).catch((error) => assert.fail(`${method}: ${error.message}`));
    assert.equal((await session.send('Runtime.evaluate', { expression: '1 + 1' })).result.value, 2);
    assert.equal(theirs.url(), `${site}/page/theirs`);
  });

await step('leave', async () => {
  await theirs.close();
  await two.disconnect();
});
done();
