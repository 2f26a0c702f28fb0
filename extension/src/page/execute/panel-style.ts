/** How a panel looks, by the person's choice of light or dark; not by the page's. */
const rules = `
.panel {
  --page: #ffffff; --text: #16191d; --muted: #58616d; --line: #dfe3e8; --strong: #848d99; --accent: #3a4fc4; --on: #ffffff;
  box-sizing: border-box; width: 100%; max-height: calc(100vh - 32px); overflow: auto; padding: 14px 16px 11px;
  border: 1px solid var(--line); border-top: 3px solid var(--accent); border-radius: 10px;
  background: var(--page); color: var(--text); color-scheme: light;
  font: 14px/1.45 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", Arial, sans-serif;
  box-shadow: 0 8px 28px rgb(0 0 0 / 22%); text-align: left; cursor: default;
}
@media (prefers-color-scheme: dark) {
  .panel { --page: #1b1d22; --text: #eceef1; --muted: #a5adb8; --line: #383d46; --strong: #828b98; --accent: #8b9cff; --on: #14172b; color-scheme: dark; }
}
.head { display: flex; align-items: center; justify-content: space-between; gap: 8px; margin-bottom: 4px; }
#heading { font-weight: 650; font-size: 13px; color: var(--muted); }
#text { margin-bottom: 10px; max-height: 40vh; overflow: auto; white-space: pre-wrap; overflow-wrap: anywhere; font-size: 15px; }
textarea {
  display: block; box-sizing: border-box; width: 100%; min-height: 46px; max-height: 30vh; margin: 0 0 10px; padding: 6px 9px; resize: vertical;
  border: 1px solid var(--strong); border-radius: 7px; background: var(--page); color: var(--text); font: inherit;
}
textarea::placeholder { color: var(--muted); opacity: 1; }
.row { display: flex; flex-wrap: wrap; gap: 8px; }
button {
  min-height: 34px; max-width: 100%; padding: 5px 14px; border: 1px solid var(--strong); border-radius: 8px; background: var(--page); color: var(--text);
  font: inherit; font-weight: 600; overflow-wrap: anywhere; cursor: pointer;
}
button.first { border-color: var(--accent); background: var(--accent); color: var(--on); }
button.move { min-height: 26px; padding: 0 7px; border-color: transparent; color: var(--muted); font-weight: 400; }
button:hover { border-color: var(--text); }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.panel:not(.armed) .row button { opacity: 0.75; cursor: progress; }
.from { margin-top: 9px; color: var(--muted); font-size: 12px; }
`;

let sheet: CSSStyleSheet | undefined;

/** A sheet that no policy of the page forbids. */
export function panelSheet(): CSSStyleSheet {
  if (sheet === undefined) {
    sheet = new CSSStyleSheet();
    sheet.replaceSync(rules);
  }
  return sheet;
}
