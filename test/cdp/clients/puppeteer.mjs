// What people do with Puppeteer over a DevTools address (connect).
import { writeFileSync } from 'node:fs';
import puppeteer from 'puppeteer-core';
import { assert, config, done, extension, png, refused, step, until } from './lib.mjs';

const { site, cross } = config;
const options = { browserWSEndpoint: config.ws, headers: config.headers, defaultViewport: null };
let browser, page;

async function body(html) {
  await page.goto(`${site}/page/body`);
  await page.evaluate((text) => void (document.body.innerHTML = text), html);
}

/** An event of the page, once. */
const once = (from, name, matches = () => true) =>
  new Promise((resolve) => {
    const hear = (about) => {
      if (!matches(about)) return;
      from.off(name, hear);
      resolve(about);
    };
    from.on(name, hear);
  });

const connected = await step('connect by WebSocket', async () => {
  browser = await puppeteer.connect(options);
  assert.match(await browser.version(), /Chrome\/\d+/);
  assert.match(await browser.userAgent(), /Mozilla/);
});
if (!connected) done();

await step('open pages are seen', async () => {
  const pages = await browser.pages();
  const urls = pages.map((each) => each.url());
  assert.ok(urls.includes(config.start), String(urls));
  if (extension) assert.deepEqual(urls, [config.start]);
  const seen = pages.find((each) => each.url() === config.start);
  assert.equal(await seen.title(), 'Start');
  assert.equal(await seen.$eval('h1', (heading) => heading.textContent), 'Start');
});

await step('newPage', async () => {
  const before = (await browser.pages()).length;
  page = await browser.newPage();
  page.setDefaultTimeout(40_000);
  assert.equal((await browser.pages()).length, before + 1);
  await page.goto(`${site}/page/fresh`);
  assert.equal(await page.title(), 'fresh');
});

await step('goto, back, forward, reload', async () => {
  assert.equal((await page.goto(`${site}/page/one`)).status(), 200);
  await page.goto(`${site}/page/two`, { waitUntil: 'networkidle0' });
  await page.goBack();
  assert.equal(await page.title(), 'one');
  await page.goForward();
  assert.equal(await page.title(), 'two');
  await page.evaluate(() => void (window.mark = 1));
  await page.reload();
  assert.equal(await page.evaluate(() => window.mark), undefined);
});

await step('redirect, status, a link', async () => {
  const answer = await page.goto(`${site}/redirect?to=/page/there`);
  assert.equal(page.url(), `${site}/page/there`);
  assert.deepEqual(answer.request().redirectChain().map((each) => each.url()), [`${site}/redirect?to=/page/there`]);
  assert.equal((await page.goto(`${site}/status/404`)).status(), 404);
  await body('<a href="/page/linked">go</a>');
  await Promise.all([page.waitForNavigation(), page.click('a')]);
  assert.equal(await page.title(), 'linked');
});

await step('an address that answers nothing', async () => {
  const other = await browser.newPage();
  await refused(other.goto('http://127.0.0.1:1/'), /ERR_/);
  await other.goto(`${site}/page/after`);
  assert.equal(await other.title(), 'after');
  await other.close();
});

await step('selectors and locators', async () => {
  await body(`<label>Name <input></label> <button>Save</button><ul><li>alpha<li>beta</ul><div id=h></div>
    <button id=late hidden>late</button>`);
  await page.evaluate(() => void (document.querySelector('#h').attachShadow({ mode: 'open' }).innerHTML = '<i class=deep>in the shadow</i>'));
  assert.equal((await page.$$('li')).length, 2);
  assert.deepEqual(await page.$$eval('li', (items) => items.map((item) => item.textContent)), ['alpha', 'beta']);
  assert.equal(await (await page.$('::-p-text(beta)')).evaluate((node) => node.tagName), 'LI');
  assert.equal(await (await page.$('::-p-aria([name="Save"][role="button"])')).evaluate((node) => node.textContent), 'Save');
  assert.equal(await (await page.$('::-p-xpath(//li[1])')).evaluate((node) => node.textContent), 'alpha');
  assert.equal(await (await page.$('#h >>> .deep')).evaluate((node) => node.textContent), 'in the shadow');
  await page.evaluate(() => {
    document.querySelector('#late').onclick = () => { document.title = 'came'; };
    setTimeout(() => document.querySelector('#late').removeAttribute('hidden'), 100);
  });
  await page.locator('#late').click();
  assert.equal(await page.title(), 'came');
  await page.locator('input').fill('by a locator');
  assert.equal(await page.$eval('input', (input) => input.value), 'by a locator');
});

await step('clicks', async () => {
  await body(`<button id=b>b</button> <input type=checkbox id=c> <select id=s><option>x<option>y</select>
    <div style="height:3000px"></div><button id=far>far</button>`);
  await page.evaluate(() => {
    window.seen = [];
    for (const type of ['click', 'dblclick', 'contextmenu', 'mouseover'])
      document.addEventListener(type, (event) => window.seen.push(`${type} ${event.target.id} ${event.isTrusted} ${event.button}`));
  });
  await page.click('#b');
  await page.click('#b', { count: 2 });
  await page.click('#b', { button: 'right' });
  await page.click('#c');
  assert.deepEqual(await page.select('#s', 'y'), ['y']);
  await page.click('#far');
  await page.hover('#b');
  const seen = await page.evaluate(() => window.seen);
  for (const want of ['click b true 0', 'dblclick b true 0', 'contextmenu b true 2', 'click c true 0', 'click far true 0', 'mouseover b true 0'])
    assert.ok(seen.includes(want), `${want} in ${seen}`);
});

await step('typing', async () => {
  await body('<input id=i><textarea id=t></textarea>');
  await page.type('#i', 'grüße 語');
  assert.equal(await page.$eval('#i', (input) => input.value), 'grüße 語');
  await page.focus('#t');
  await page.keyboard.type('Two\nlines');
  await page.keyboard.press('Home');
  await page.keyboard.down('Shift');
  await page.keyboard.press('End');
  await page.keyboard.up('Shift');
  await page.keyboard.sendCharacter('rows');
  assert.equal(await page.$eval('#t', (area) => area.value), 'Two\nrows');
});

await step('evaluate, handles', async () => {
  await body('<p id=p>text</p>');
  assert.deepEqual(await page.evaluate((a, b) => ({ sum: a + b, list: [1, 'x', null] }), 1, 2), { sum: 3, list: [1, 'x', null] });
  const handle = await page.evaluateHandle(() => ({ node: document.querySelector('#p') }));
  const node = (await handle.getProperty('node')).asElement();
  assert.equal(await node.evaluate((element, plus) => element.textContent + plus, '!'), 'text!');
  await handle.dispose();
  await refused(page.evaluate(() => { throw new TypeError('thrown here'); }), /thrown here/);
  await page.waitForFunction(() => document.querySelector('#p').textContent === 'text');
  assert.equal((await page.evaluate(() => 'x'.repeat(5_000_000))).length, 5_000_000);
});

await step('exposeFunction, new document script', async () => {
  await page.exposeFunction('addInNode', (a, b) => a + b);
  await page.evaluateOnNewDocument(() => { window.early = document.readyState; });
  await page.goto(`${site}/page/bound`);
  assert.equal(await page.evaluate(() => window.addInNode(2, 3)), 5);
  assert.equal(await page.evaluate(() => window.early), 'loading');
  await page.goto(`${cross}/page/bound`);
  assert.equal(await page.evaluate(() => window.addInNode(3, 4)), 7);
  await page.removeExposedFunction('addInNode');
});

await step('screenshots', async () => {
  await body('<div id=d style="width:120px;height:80px;background:rgb(200,30,10)"></div><div style="height:2000px">');
  await page.setViewport({ width: 640, height: 480 });
  assert.deepEqual(await page.evaluate(() => [innerWidth, innerHeight]), [640, 480]);
  const view = png(await page.screenshot());
  assert.deepEqual([view.width, view.height], [640, 480]);
  const part = png(await (await page.$('#d')).screenshot(), { x: 10, y: 10 });
  assert.deepEqual(part, { width: 120, height: 80, pixel: [200, 30, 10] });
  const [wide, tall] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  const whole = png(await page.screenshot({ fullPage: true }));
  assert.deepEqual([whole.width, whole.height], [wide, tall]);
});

await step('network events', async () => {
  await body('');
  const events = [];
  for (const name of ['request', 'response', 'requestfinished', 'requestfailed'])
    page.on(name, (about) => events.push(`${name} ${new URL(about.url()).pathname}`));
  const [answer] = await Promise.all([
    page.waitForResponse((each) => each.url().endsWith('/api/12')),
    page.evaluate(() => fetch('/api/12', { headers: { 'x-mine': 'yes' } }).then((r) => r.json())),
  ]);
  assert.deepEqual(await answer.json(), { id: 12 });
  assert.equal(answer.request().headers()['x-mine'], 'yes');
  await page.evaluate(() => fetch('http://127.0.0.1:1/').catch(() => {}));
  await until('the events', () => events.includes('requestfailed /') && events.includes('requestfinished /api/12'));
  assert.deepEqual(events.filter((each) => each.endsWith('/api/12')), ['request /api/12', 'response /api/12', 'requestfinished /api/12']);
});

await step('interception', async () => {
  await body('');
  await page.setRequestInterception(true);
  const handle = (request) => {
    const path = new URL(request.url()).pathname;
    if (path === '/api/made') return request.respond({ status: 201, contentType: 'application/json', body: '{"made":true}' });
    if (path === '/api/8') return request.continue({ url: `${site}/api/9` });
    if (path === '/api/blocked') return request.abort();
    return request.continue();
  };
  page.on('request', handle);
  const ask = (path) => page.evaluate((url) => fetch(url).then(async (r) => [r.status, await r.json()], (error) => error.name), path);
  assert.deepEqual(await ask('/api/made'), [201, { made: true }]);
  assert.deepEqual(await ask('/api/8'), [200, { id: 9 }]);
  assert.equal(await ask('/api/blocked'), 'TypeError');
  page.off('request', handle);
  await page.setRequestInterception(false);
  assert.deepEqual(await ask('/api/8'), [200, { id: 8 }]);
});

await step('frames of the same and of another process', async () => {
  // Puppeteer loses a frame within a frame of another process now and then, over the
  // browser's own port too, on a busy machine, or knows it and never
  // gets to its context: then another page is loaded.
  let framed;
  let hosts;
  for (let tries = 1; hosts === undefined; tries += 1) {
    framed = await browser.newPage();
    try {
      await framed.goto(`${site}/frames3`, { timeout: 12_000 });
      await until('five frames', () => framed.frames().length === 5 && framed.frames().every((frame) => /frames3/.test(frame.url())), 5_000);
      const all = Promise.all(framed.frames().map((frame) => frame.evaluate(() => location.origin)));
      all.catch(() => {});
      hosts = await Promise.race([all, new Promise((_, fail) => setTimeout(fail, 5_000, new Error('a frame has no context')))]);
    } catch (error) {
      await framed.close();
      if (tries === 5) throw error;
    }
  }
  assert.equal(hosts.filter((host) => host === cross).length, 2, String(hosts));
  const other = framed.frames().find((frame) => frame.parentFrame() === framed.mainFrame() && frame.url().startsWith(cross));
  await other.evaluate(() => {
    document.body.insertAdjacentHTML('afterbegin', '<button id=press>press</button><input id=into>');
    document.querySelector('#press').onclick = (event) => { document.title = `pressed ${event.isTrusted}`; };
  });
  await other.click('#press');
  assert.equal(await other.title(), 'pressed true');
  await other.type('#into', 'across');
  assert.equal(await other.$eval('#into', (input) => input.value), 'across');
  const element = await framed.$('iframe[title="other site"]');
  assert.equal(await element.contentFrame(), other);
  await framed.close();
});

await step('popups', async () => {
  await body(`<a href="/page/blank" target=_blank>blank</a><button onclick="window.open('/page/opened')">open</button>`);
  for (const [name, title] of [['button', 'opened'], ['a', 'blank']]) {
    const [popup] = await Promise.all([once(page, 'popup'), page.click(name)]);
    await until('its page', async () => (await popup.title().catch(() => '')) === title);
    const closed = once(popup, 'close');
    await popup.close();
    await closed;
  }
});

await step('dialogs', async () => {
  await body('<button id=a onclick="document.title = String(confirm(\'sure?\'))">ask</button>');
  const said = [];
  const answer = (deed) => page.once('dialog', (dialog) => { said.push(`${dialog.type()} ${dialog.message()}`); void deed(dialog); });
  answer((dialog) => dialog.accept());
  await page.evaluate(() => alert('hello'));
  answer((dialog) => dialog.dismiss());
  assert.equal(await page.evaluate(() => confirm('no?')), false);
  answer((dialog) => dialog.accept('typed'));
  assert.equal(await page.evaluate(() => prompt('what?', 'default')), 'typed');
  answer((dialog) => dialog.accept());
  await page.click('#a');
  assert.equal(await page.title(), 'true');
  assert.deepEqual(said, ['alert hello', 'confirm no?', 'prompt what?', 'confirm sure?']);
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
  await page.mouse.click(400, 400); // a page that nobody touched does not ask
  answer((dialog) => dialog.accept());
  await page.goto(`${site}/page/left`);
  assert.equal(await page.title(), 'left');
  assert.match(said.at(-1), /^beforeunload/);
});

await step('console and page errors', async () => {
  await body('');
  const lines = [];
  const errors = [];
  page.on('console', (line) => lines.push(line));
  page.on('pageerror', (error) => errors.push(error));
  await page.evaluate(() => {
    console.log('plain', 1);
    console.error('bad');
    setTimeout(() => { throw new RangeError('late'); });
  });
  await until('all of it', () => lines.length >= 2 && errors.length >= 1);
  assert.deepEqual(lines.map((line) => `${line.type()} ${line.text()}`), ['log plain 1', 'error bad']);
  assert.match(errors[0].message, /late/);
});

await step('files', async () => {
  await body('<input type=file id=f>');
  const path = `${config.dir}/upload.txt`;
  writeFileSync(path, 'of this computer');
  const input = await page.$('#f');
  if (extension) {
    await refused(input.uploadFile(path), /file/i);
    assert.equal(await input.evaluate((field) => field.files.length), 0);
    return;
  }
  const [chooser] = await Promise.all([page.waitForFileChooser(), input.click()]);
  await chooser.accept([path]);
  assert.equal(await input.evaluate((field) => field.files[0].text()), 'of this computer');
});

await step('contexts', async () => {
  if (extension) {
    await refused(browser.createBrowserContext(), /managed/);
    return;
  }
  const other = await browser.createBrowserContext();
  const alone = await other.newPage();
  await alone.goto(`${site}/page/alone`);
  await alone.evaluate(() => void (document.cookie = 'mine=1'));
  await page.goto(`${site}/page/shared`);
  assert.doesNotMatch(await page.evaluate(() => document.cookie), /mine/);
  await other.close();
});

await step('a DevTools session of its own', async () => {
  await page.goto(`${site}/page/session`);
  const session = await page.createCDPSession();
  assert.equal((await session.send('Runtime.evaluate', { expression: 'document.title' })).result.value, 'session');
  await session.detach();
  await refused(session.send('Runtime.evaluate', { expression: '1' }), /closed|detached/i);
  assert.equal(await page.evaluate(() => 1), 1);
});

await step('close, targets', async () => {
  const target = page.target();
  const gone = once(browser, 'targetdestroyed', (each) => each === target);
  await page.close();
  await gone;
  assert.ok(!browser.targets().includes(target));
});

await step('disconnect, connect again', async () => {
  await browser.disconnect();
  browser = await puppeteer.connect(options);
  const seen = (await browser.pages()).find((each) => each.url() === config.start);
  assert.equal(await seen.title(), 'Start');
  await browser.disconnect();
});

done();
