// One hundred clicks by a locator, again and again; the Go benchmark compares endpoints.
// Lines on stdin start a round, so that endpoints take turns on one machine.
import { createInterface } from 'node:readline';
import { chromium } from 'playwright-core';
import { assert, config } from './lib.mjs';

const clicks = 100;
const browser = await chromium.connectOverCDP(config.ws);
const context = browser.contexts()[0];
const page = await context.newPage();
await page.goto(`${config.site}/page/clicks`);
await page.evaluate(() => {
  window.pressed = 0;
  document.querySelector('#b').onclick = () => window.pressed++;
});
const button = page.locator('#b');
await button.click(); // what is made once is not measured
const session = await context.newCDPSession(page);
await session.send('Runtime.evaluate', { expression: '1' });
console.log(JSON.stringify({ ready: true }));

for await (const what of createInterface({ input: process.stdin })) {
  const before = await page.evaluate(() => window.pressed);
  const begin = performance.now();
  if (what === 'clicks') for (let n = 0; n < clicks; n++) await button.click();
  else for (let n = 0; n < clicks; n++) await session.send('Runtime.evaluate', { expression: 'document.title', returnByValue: true });
  const ms = performance.now() - begin;
  if (what === 'clicks') assert.equal((await page.evaluate(() => window.pressed)) - before, clicks);
  console.log(JSON.stringify({ ms: ms / clicks }));
}
await page.close();
await browser.close();
process.exit();
