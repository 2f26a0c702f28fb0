// chrome-remote-interface: the protocol itself, and the HTTP lists.
import CDP from 'chrome-remote-interface';
import { assert, config, done, extension, png, refused, step, until } from './lib.mjs';

const { site } = config;
const base = new URL(config.http);
const prefix = base.pathname.replace(/\/$/, '');
// The prefix of a key in the path goes before each path that the client makes itself.
const options = {
  host: base.hostname, port: Number(base.port), useHostName: true,
  alterPath: (path) => (path.startsWith(prefix) ? path : prefix + path),
};
let client, target;

await step('lists over HTTP', async () => {
  const version = await CDP.Version(options);
  assert.match(version.Browser, /Chrome\/\d+/);
  assert.equal(version['Protocol-Version'], '1.3');
  assert.match(version.webSocketDebuggerUrl, /^ws:\/\/.+\/devtools\/browser\//);
  const list = await CDP.List(options);
  const start = list.find((each) => each.url === config.start);
  assert.equal(start.type, 'page');
  assert.match(start.webSocketDebuggerUrl, /\/devtools\/page\//);
  if (extension) assert.equal(list.length, 1);
  const protocol = await CDP.Protocol(options);
  assert.ok(protocol.domains.some((domain) => domain.domain === 'Runtime'));
});

await step('a page of its own', async () => {
  target = await CDP.New({ ...options, url: `${site}/page/made` });
  assert.ok(target.webSocketDebuggerUrl);
  client = await CDP({ ...options, target });
  await client.Page.enable();
  await client.Page.navigate({ url: `${site}/page/went` });
  await until('the page', async () => (await client.Runtime.evaluate({ expression: 'document.title' })).result.value === 'went');
});

await step('events', async () => {
  const lines = [];
  client.Runtime.consoleAPICalled(({ args }) => lines.push(args[0].value));
  await client.Runtime.enable();
  await client.Runtime.evaluate({ expression: `console.log('heard')` });
  await until('the line', () => lines.includes('heard'));
  await client.Network.enable();
  const seen = [];
  client.Network.responseReceived(({ response, requestId }) => seen.push([response.url, requestId]));
  await client.Runtime.evaluate({ expression: `fetch('/api/5').then((r) => r.text())`, awaitPromise: true });
  const [, requestId] = await until('the answer', () => seen.find(([url]) => url.endsWith('/api/5')));
  const { body } = await client.Network.getResponseBody({ requestId });
  assert.deepEqual(JSON.parse(body), { id: 5 });
});

await step('DOM, input, screenshot', async () => {
  const { root } = await client.DOM.getDocument();
  const { nodeId } = await client.DOM.querySelector({ nodeId: root.nodeId, selector: '#b' });
  const { model } = await client.DOM.getBoxModel({ nodeId });
  await client.Runtime.evaluate({ expression: `document.querySelector('#b').onclick = (event) => { window.pressed = event.isTrusted; }` });
  const [x, y] = [(model.content[0] + model.content[2]) / 2, (model.content[1] + model.content[5]) / 2];
  for (const type of ['mousePressed', 'mouseReleased']) await client.Input.dispatchMouseEvent({ type, x, y, button: 'left', clickCount: 1 });
  assert.equal((await client.Runtime.evaluate({ expression: 'window.pressed' })).result.value, true);
  const { data } = await client.Page.captureScreenshot({ clip: { x: 0, y: 0, width: 100, height: 60, scale: 1 } });
  const { width, height } = png(Buffer.from(data, 'base64'));
  const { result } = await client.Runtime.evaluate({ expression: 'devicePixelRatio' });
  assert.deepEqual([width, height], [100 * result.value, 60 * result.value]);
});

await step('what is wrong', async () => {
  await refused(client.send('Page.nonsense'), /wasn't found|unknown|no such/i);
  await refused(client.send('Runtime.evaluate', { expression: 5 }), /Invalid parameters|expression/);
  assert.equal((await client.Runtime.evaluate({ expression: '1 + 1' })).result.value, 2);
});

await step('close', async () => {
  const gone = new Promise((resolve) => client.once('disconnect', resolve));
  await CDP.Close({ ...options, id: target.id });
  await gone;
  await until('the end', async () => !(await CDP.List(options)).some((each) => each.id === target.id));
});

done();
