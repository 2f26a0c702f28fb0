// What people do with Playwright over a DevTools address (connectOverCDP).
import { writeFileSync } from 'node:fs';
import { chromium } from 'playwright-core';
import { assert, config, done, extension, png, refused, step, until } from './lib.mjs';

const { site, cross } = config;
let browser, context, page;

/** A fresh body: what the step needs, on a page that is loaded. */
async function body(html) {
  await page.goto(`${site}/page/body`);
  await page.evaluate((text) => void (document.body.innerHTML = text), html);
}

const connected = await step('connect over HTTP', async () => {
  browser = await chromium.connectOverCDP(config.http, { headers: config.headers });
  context = browser.contexts()[0];
  assert.match(browser.version(), /^\d+\.\d+/);
});
if (!connected) done();

await step('open pages are seen', async () => {
  const urls = await until('the page', () => {
    const all = context.pages().map((each) => each.url());
    return all.includes(config.start) && all;
  });
  // Over the extension the connected tabs are all that there is.
  if (extension) assert.deepEqual(urls, [config.start]);
  const seen = context.pages().find((each) => each.url() === config.start);
  assert.equal(await seen.title(), 'Start');
  assert.equal(await seen.evaluate(() => document.querySelector('h1').textContent), 'Start');
});

await step('newPage', async () => {
  const before = context.pages().length;
  page = await context.newPage();
  page.setDefaultTimeout(40_000);
  assert.equal(context.pages().length, before + 1);
  assert.equal(page.url(), 'about:blank');
  await page.goto(`${site}/page/fresh`);
  assert.equal(await page.title(), 'fresh');
});

await step('goto, back, forward, reload', async () => {
  const answer = await page.goto(`${site}/page/one`);
  assert.equal(answer.status(), 200);
  await page.goto(`${site}/page/two`, { waitUntil: 'networkidle' });
  // The document comes back as it was (back/forward cache): nothing loads again.
  await page.goBack({ waitUntil: 'commit' });
  await page.waitForURL('**/page/one', { waitUntil: 'commit' });
  assert.equal(await page.title(), 'one');
  await page.goForward({ waitUntil: 'commit' });
  await page.waitForURL('**/page/two', { waitUntil: 'commit' });
  assert.equal(await page.title(), 'two');
  await page.evaluate(() => void (window.mark = 1));
  await page.reload();
  assert.equal(await page.evaluate(() => window.mark), undefined);
  assert.equal(await page.title(), 'two');
});

await step('redirect, status, hash, a link', async () => {
  const answer = await page.goto(`${site}/redirect?to=/page/there`);
  assert.equal(page.url(), `${site}/page/there`);
  assert.equal(answer.request().redirectedFrom().url(), `${site}/redirect?to=/page/there`);
  assert.equal((await page.goto(`${site}/status/404`)).status(), 404);
  await page.goto(`${site}/page/hash`);
  await page.evaluate(() => void (location.hash = '#deep'));
  await page.waitForURL('**/page/hash#deep');
  await page.evaluate(() => void (document.body.innerHTML = '<a href="/page/linked">go</a>'));
  await page.getByRole('link', { name: 'go' }).click();
  await page.waitForURL('**/page/linked');
  assert.equal(await page.title(), 'linked');
});

await step('an address that answers nothing', async () => {
  const other = await context.newPage();
  await refused(other.goto('http://127.0.0.1:1/'), /ERR_/);
  await other.waitForURL('chrome-error://**'); // what Chrome shows instead
  await other.goto(`${site}/page/after`);
  assert.equal(await other.title(), 'after');
  await other.close();
});

await step('locators', async () => {
  await body(`<label>Name <input></label> <button>Save</button> <button disabled>Save all</button>
    <ul><li>alpha <b>1</b></li><li>beta <b>2</b></li></ul><p data-testid=note>a note</p><div id=h></div>`);
  await page.evaluate(() => void (document.querySelector('#h').attachShadow({ mode: 'open' }).innerHTML = '<i class=deep>in the shadow</i>'));
  assert.equal(await page.getByRole('button', { name: 'Save', exact: true }).count(), 1);
  assert.equal(await page.getByRole('button').count(), 2);
  assert.equal(await page.getByLabel('Name').count(), 1);
  assert.equal(await page.getByTestId('note').textContent(), 'a note');
  assert.equal(await page.getByRole('listitem').filter({ hasText: 'beta' }).locator('b').textContent(), '2');
  assert.equal(await page.locator('.deep').textContent(), 'in the shadow');
  assert.equal(await page.locator('//li[2]/b').innerText(), '2');
  assert.equal(await page.getByRole('button', { name: 'Save all' }).isDisabled(), true);
  await refused(page.locator('#nowhere').click({ timeout: 200 }), /Timeout/);
});

await step('clicks', async () => {
  await body(`<button id=b>b</button> <input type=checkbox id=c> <select id=s><option>x<option>y</select>
    <div style="height:3000px"></div><button id=far>far</button>`);
  await page.evaluate(() => {
    window.seen = [];
    for (const type of ['click', 'dblclick', 'contextmenu', 'mouseover'])
      document.addEventListener(type, (event) => window.seen.push(`${type} ${event.target.id} ${event.isTrusted} ${event.button}`));
  });
  await page.locator('#b').click();
  await page.locator('#b').dblclick();
  await page.locator('#b').click({ button: 'right', modifiers: ['Shift'] });
  await page.locator('#c').check();
  await page.locator('#s').selectOption('y');
  await page.locator('#far').click();
  await page.locator('#b').hover();
  const seen = await page.evaluate(() => window.seen);
  for (const want of ['click b true 0', 'dblclick b true 0', 'contextmenu b true 2', 'click c true 0', 'click far true 0', 'mouseover b true 0'])
    assert.ok(seen.includes(want), `${want} in ${seen}`);
  assert.equal(await page.locator('#c').isChecked(), true);
  assert.equal(await page.locator('#s').inputValue(), 'y');
});

await step('typing', async () => {
  await body('<input id=i><textarea id=t></textarea>');
  await page.locator('#i').fill('grüße');
  assert.equal(await page.locator('#i').inputValue(), 'grüße');
  await page.locator('#t').pressSequentially('Two\nlines');
  await page.locator('#t').press('Home');
  await page.keyboard.press('Shift+End');
  await page.keyboard.type('rows');
  await page.keyboard.insertText(' 語');
  assert.equal(await page.locator('#t').inputValue(), 'Two\nrows 語');
  await page.keyboard.press('Shift+Tab');
  assert.equal(await page.evaluate(() => document.activeElement.id), 'i');
});

await step('evaluate, handles', async () => {
  await body('<p id=p>text</p>');
  assert.deepEqual(await page.evaluate(([a, b]) => ({ sum: a + b, when: new Date(0), none: undefined, big: 10n }), [1, 2]), {
    sum: 3, when: new Date(0), none: undefined, big: 10n,
  });
  const handle = await page.evaluateHandle(() => ({ node: document.querySelector('#p'), n: 7 }));
  const node = (await handle.getProperty('node')).asElement();
  assert.equal(await node.textContent(), 'text');
  assert.equal(await page.evaluate(({ node, plus }) => node.textContent + plus, { node, plus: '!' }), 'text!');
  await handle.dispose();
  await refused(page.evaluate(() => { throw new TypeError('thrown here'); }), /TypeError: thrown here/);
  await page.waitForFunction(() => document.querySelector('#p').textContent === 'text');
  assert.equal((await page.evaluate(() => 'x'.repeat(5_000_000))).length, 5_000_000);
});

await step('exposeFunction, init script', async () => {
  await page.exposeFunction('addInNode', (a, b) => a + b);
  await page.exposeBinding('whoAsks', ({ frame }, what) => `${frame.url()} ${what}`);
  await page.addInitScript(() => { window.early = document.readyState; });
  await page.goto(`${site}/page/bound`);
  assert.equal(await page.evaluate(() => window.addInNode(2, 3)), 5);
  assert.equal(await page.evaluate(() => window.whoAsks('x')), `${site}/page/bound x`);
  assert.equal(await page.evaluate(() => window.early), 'loading');
  await page.goto(`${cross}/page/bound`);
  assert.equal(await page.evaluate(() => window.addInNode(3, 4)), 7);
});

await step('screenshots', async () => {
  await body('<div id=d style="width:120px;height:80px;background:rgb(200,30,10)"></div><div style="height:2000px">');
  await page.setViewportSize({ width: 640, height: 480 });
  assert.deepEqual(await page.evaluate(() => [innerWidth, innerHeight]), [640, 480]);
  const scale = await page.evaluate(() => devicePixelRatio);
  const view = png(await page.screenshot());
  assert.deepEqual([view.width, view.height], [640 * scale, 480 * scale]);
  const part = png(await page.locator('#d').screenshot(), { x: 10, y: 10 });
  assert.deepEqual(part, { width: 120 * scale, height: 80 * scale, pixel: [200, 30, 10] });
  const [wide, tall] = await page.evaluate(() => [document.documentElement.scrollWidth, document.documentElement.scrollHeight]);
  const whole = png(await page.screenshot({ fullPage: true }));
  assert.deepEqual([whole.width, whole.height], [wide * scale, tall * scale]);
  const jpeg = await page.screenshot({ type: 'jpeg', clip: { x: 0, y: 0, width: 50, height: 50 } });
  assert.equal(jpeg.readUInt16BE(0), 0xffd8);
});

await step('network events', async () => {
  await body('');
  const events = [];
  for (const name of ['request', 'response', 'requestfinished', 'requestfailed'])
    page.on(name, (about) => events.push(`${name} ${new URL(about.url()).pathname}`));
  const [answer] = await Promise.all([
    page.waitForResponse('**/api/12'),
    page.evaluate(() => fetch('/api/12', { method: 'GET', headers: { 'x-mine': 'yes' } }).then((r) => r.json())),
  ]);
  assert.deepEqual(await answer.json(), { id: 12 });
  assert.equal((await answer.request().allHeaders())['x-mine'], 'yes');
  assert.match((await answer.allHeaders())['content-type'], /json/);
  await page.evaluate(() => fetch('http://127.0.0.1:1/').catch(() => {}));
  await until('the events', () => events.includes('requestfailed /') && events.includes('requestfinished /api/12'));
  assert.deepEqual(events.filter((each) => each.endsWith('/api/12')), ['request /api/12', 'response /api/12', 'requestfinished /api/12']);
  page.removeAllListeners('request');
});

await step('route', async () => {
  await body('');
  await page.route('**/api/made', (route) => route.fulfill({ status: 201, json: { made: true } }));
  await page.route('**/api/7', async (route) => {
    const answer = await route.fetch().catch(() => null);
    // What Playwright fetches itself needs the browser's cookies, which the person's Chrome keeps.
    assert.equal(answer === null, extension);
    await (answer ? route.fulfill({ json: { ...(await answer.json()), more: 1 } }) : route.continue());
  });
  await page.route('**/api/8', (route) => route.continue({ url: `${site}/api/9` }));
  await page.route('**/api/blocked', (route) => route.abort());
  const ask = (path) => page.evaluate((url) => fetch(url).then(async (r) => [r.status, await r.json().catch(() => null)], (error) => error.name), path);
  assert.deepEqual(await ask('/api/made'), [201, { made: true }]);
  assert.deepEqual(await ask('/api/7'), [200, extension ? { id: 7 } : { id: 7, more: 1 }]);
  assert.deepEqual(await ask('/api/8'), [200, { id: 9 }]);
  assert.equal(await ask('/api/blocked'), 'TypeError');
  await page.unrouteAll();
  assert.deepEqual(await ask('/api/made'), [404, null]);
});

await step('frames of the same and of another process', async () => {
  await page.goto(`${site}/frames3`);
  await until('five frames', () => page.frames().length === 5);
  await until('their addresses', () => page.frames().every((frame) => /frames3/.test(frame.url())));
  const hosts = await Promise.all(page.frames().map((frame) => frame.evaluate(() => location.origin)));
  assert.equal(hosts.filter((host) => host === cross).length, 2, String(hosts));
  const other = page.frames().find((frame) => frame.parentFrame() === page.mainFrame() && frame.url().startsWith(cross));
  assert.equal(other.parentFrame(), page.mainFrame());
  await other.evaluate(() => {
    document.body.insertAdjacentHTML('afterbegin', '<button id=press>press</button><input id=into>');
    document.querySelector('#press').onclick = (event) => { document.title = `pressed ${event.isTrusted}`; };
  });
  const inside = page.frameLocator('iframe[title="other site"]');
  await inside.locator('#press').click();
  assert.equal(await other.evaluate(() => document.title), 'pressed true');
  await inside.locator('#into').fill('across');
  assert.equal(await inside.locator('#into').inputValue(), 'across');
  const same = page.frames().find((frame) => frame.parentFrame() === page.mainFrame() && frame.url().startsWith(site));
  assert.match(await same.evaluate(() => document.body.innerText), /\S/);
  // A frame that comes and goes between the processes.
  const element = await page.locator('iframe[title="same site"]').elementHandle();
  await element.evaluate((frame, url) => { frame.src = url; }, `${cross}/page/moved`);
  await until('the frame in another process', async () => (await element.contentFrame())?.url() === `${cross}/page/moved`);
  assert.equal(await (await element.contentFrame()).title(), 'moved');
  await element.evaluate((frame) => frame.remove());
  await until('the frame gone', () => page.frames().every((frame) => !frame.url().endsWith('/moved')));
});

await step('popups', async () => {
  await body(`<a href="/page/blank" target=_blank>blank</a><button onclick="window.open('/page/opened')">open</button>`);
  for (const [name, title] of [['button', 'opened'], ['a', 'blank']]) {
    const [popup] = await Promise.all([page.waitForEvent('popup'), page.locator(name).click()]);
    await popup.waitForLoadState();
    assert.equal(await popup.title(), title);
    assert.equal((await popup.evaluate(() => window.opener !== null)), name === 'button');
    assert.equal(await popup.opener(), page);
    await popup.close();
    assert.ok(!context.pages().includes(popup));
  }
});

await step('dialogs', async () => {
  await body('<button id=a onclick="document.title = String(confirm(\'sure?\'))">ask</button>');
  const said = [];
  const answer = (deed) => page.once('dialog', (dialog) => { said.push(`${dialog.type()} ${dialog.message()}`); return deed(dialog); });
  answer((dialog) => dialog.accept());
  await page.evaluate(() => alert('hello'));
  answer((dialog) => dialog.dismiss());
  assert.equal(await page.evaluate(() => confirm('no?')), false);
  answer((dialog) => dialog.accept('typed'));
  assert.equal(await page.evaluate(() => prompt('what?', 'default')), 'typed');
  answer((dialog) => dialog.accept());
  await page.locator('#a').click();
  assert.equal(await page.title(), 'true');
  assert.deepEqual(said, ['alert hello', 'confirm no?', 'prompt what?', 'confirm sure?']);
  // Without a listener Playwright dismisses by itself.
  assert.equal(await page.evaluate(() => confirm('nobody listens')), false);
  answer((dialog) => dialog.accept());
  await page.evaluate(() => addEventListener('beforeunload', (event) => event.preventDefault()));
  await page.locator('#a').click({ trial: true });
  await page.mouse.click(400, 400); // a page that nobody touched does not ask
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
    console.log('plain', 1, { a: [1, 2] });
    console.error('bad');
    setTimeout(() => { throw new RangeError('late'); });
    Promise.reject(new Error('unhandled'));
  });
  await until('all of it', () => lines.length >= 2 && errors.length >= 2);
  assert.deepEqual(lines.map((line) => `${line.type()} ${line.text()}`), ['log plain 1 {a: Array(2)}', 'error bad']);
  assert.deepEqual(await lines[0].args()[2].jsonValue(), { a: [1, 2] });
  assert.deepEqual(errors.map((error) => `${error.name}: ${error.message}`).sort(), ['Error: unhandled', 'RangeError: late']);
});

await step('emulation', async () => {
  await body('');
  await page.emulateMedia({ colorScheme: 'dark' });
  assert.equal(await page.evaluate(() => matchMedia('(prefers-color-scheme: dark)').matches), true);
  await page.emulateMedia({ colorScheme: null });
  await page.setExtraHTTPHeaders({ 'x-extra': 'there' });
  const request = await page.goto(`${site}/page/extra`).then((answer) => answer.request());
  assert.equal((await request.allHeaders())['x-extra'], 'there');
  await page.setExtraHTTPHeaders({});
});

await step('files', async () => {
  await body('<input type=file id=f>');
  const path = `${config.dir}/upload.txt`;
  writeFileSync(path, 'of this computer');
  // Playwright reads the file itself: a browser that it did not start gets what is in it.
  await page.locator('#f').setInputFiles(path);
  assert.equal(await page.locator('#f').evaluate((input) => input.files[0].text()), 'of this computer');
  await page.locator('#f').setInputFiles({ name: 'memory.txt', mimeType: 'text/plain', buffer: Buffer.from('in memory') });
  assert.equal(await page.locator('#f').evaluate((input) => input.files[0].text()), 'in memory');
});

await step('contexts', async () => {
  if (extension) {
    const why = await refused(browser.newContext(), /managed/);
    assert.match(why, /context/i);
    return;
  }
  const other = await browser.newContext({ viewport: { width: 500, height: 400 } });
  const alone = await other.newPage();
  await alone.goto(`${site}/page/alone`);
  await alone.evaluate(() => void (document.cookie = 'mine=1'));
  assert.deepEqual((await other.cookies()).map((each) => each.name), ['mine']);
  await page.goto(`${site}/page/shared`);
  assert.doesNotMatch(await page.evaluate(() => document.cookie), /mine/);
  assert.equal(await alone.evaluate(() => innerWidth), 500);
  await other.close();
  assert.equal(alone.isClosed(), true);
});

await step('a DevTools session of its own', async () => {
  await page.goto(`${site}/page/session`);
  const session = await context.newCDPSession(page);
  const { result } = await session.send('Runtime.evaluate', { expression: 'document.title' });
  assert.equal(result.value, 'session');
  const heard = [];
  session.on('Runtime.consoleAPICalled', (event) => heard.push(event.args[0].value));
  await session.send('Runtime.enable');
  await page.evaluate(() => console.log('heard'));
  await until('the event', () => heard.includes('heard'));
  await session.detach();
  await refused(session.send('Runtime.evaluate', { expression: '1' }), /closed|detached/);
  assert.equal(await page.evaluate(() => 1), 1);
});

await step('close', async () => {
  const closed = new Promise((resolve) => page.once('close', resolve));
  await page.close();
  await closed;
  assert.ok(!context.pages().includes(page));
});

await step('disconnect, connect by WebSocket', async () => {
  const gone = new Promise((resolve) => browser.once('disconnected', resolve));
  await browser.close();
  await gone;
  browser = await chromium.connectOverCDP(config.ws, { headers: config.headers });
  context = browser.contexts()[0];
  const seen = await until('the page', () => context.pages().find((each) => each.url() === config.start));
  assert.equal(await seen.title(), 'Start');
  await browser.close();
});

done();
