// Tables of WAI-ARIA 1.2 (with the 1.3 drafts that browsers ship) and HTML-AAM.

/** Every role that an author may give; abstract ones are left out, so that they fall through. */
export const roles: ReadonlySet<string> = new Set(
  (
    'alert alertdialog application article banner blockquote button caption cell checkbox code columnheader combobox ' +
    'comment complementary contentinfo definition deletion dialog directory document emphasis feed figure form generic ' +
    'grid gridcell group heading image img insertion link list listbox listitem log main mark marquee math menu menubar ' +
    'menuitem menuitemcheckbox menuitemradio meter navigation none note option paragraph presentation progressbar radio ' +
    'radiogroup region row rowgroup rowheader scrollbar search searchbox separator slider spinbutton status strong ' +
    'subscript suggestion superscript switch tab table tablist tabpanel term textbox time timer toolbar tooltip tree ' +
    'treegrid treeitem ' +
    'graphics-document graphics-object graphics-symbol ' +
    'doc-abstract doc-acknowledgments doc-afterword doc-appendix doc-backlink doc-biblioentry doc-bibliography ' +
    'doc-biblioref doc-chapter doc-colophon doc-conclusion doc-cover doc-credit doc-credits doc-dedication doc-endnote ' +
    'doc-endnotes doc-epigraph doc-epilogue doc-errata doc-example doc-footnote doc-foreword doc-glossary doc-glossref ' +
    'doc-index doc-introduction doc-noteref doc-notice doc-pagebreak doc-pagefooter doc-pageheader doc-pagelist doc-part ' +
    'doc-preface doc-prologue doc-pullquote doc-qna doc-subtitle doc-tip doc-toc'
  ).split(' '),
);

/** Roles of things that a person operates. */
export const widgetRoles: ReadonlySet<string> = new Set(
  (
    'button checkbox combobox gridcell link listbox menuitem menuitemcheckbox menuitemradio option radio scrollbar ' +
    'searchbox slider spinbutton switch tab textbox treeitem columnheader rowheader'
  ).split(' '),
);

// Cells and headers are widgets only in a grid, scrollbars and separators only when focusable:
// for those a tabindex (or being a native control) decides.
export const widgetWhenFocusable: ReadonlySet<string> = new Set(['gridcell', 'columnheader', 'rowheader', 'scrollbar', 'separator']);

/** Roles whose name may come from what is inside. */
export const nameFromContent: ReadonlySet<string> = new Set(
  (
    'button cell checkbox columnheader gridcell heading link menuitem menuitemcheckbox menuitemradio option radio row ' +
    'rowheader switch tab tooltip treeitem doc-backlink doc-biblioref doc-glossref doc-noteref'
  ).split(' '),
);

/** Roles that must not be named. */
export const nameProhibited: ReadonlySet<string> = new Set(
  (
    'caption code definition deletion emphasis generic insertion mark none paragraph presentation strong subscript ' +
    'suggestion superscript term time'
  ).split(' '),
);

/** Roles whose descendants are presentational: a button in a button is not one. */
export const childrenPresentational: ReadonlySet<string> = new Set(
  'button checkbox img image math menuitemcheckbox menuitemradio meter option progressbar radio scrollbar separator slider switch tab'.split(' '),
);

/** Global states and properties: any of them keeps an element from being presentational. */
export const globalAria: readonly string[] = (
  'aria-atomic aria-busy aria-controls aria-current aria-describedby aria-description aria-details aria-dropeffect ' +
  'aria-flowto aria-grabbed aria-keyshortcuts aria-label aria-labelledby aria-live aria-owns aria-relevant ' +
  'aria-roledescription aria-braillelabel aria-brailleroledescription'
).split(' ');

/** Roles that a presentational owner takes away from its required children. */
export const requiredOwner: ReadonlyMap<string, readonly string[]> = new Map([
  ['listitem', ['list', 'directory', 'menu']],
  ['row', ['table', 'grid', 'treegrid', 'rowgroup']],
  ['rowgroup', ['table', 'grid', 'treegrid']],
  ['cell', ['row']],
  ['gridcell', ['row']],
  ['columnheader', ['row']],
  ['rowheader', ['row']],
]);

/** Implicit roles that depend on the element's name alone (HTML-AAM). */
export const simpleRoles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    address: 'group',
    article: 'article',
    b: 'generic',
    bdi: 'generic',
    bdo: 'generic',
    blockquote: 'blockquote',
    body: 'generic',
    button: 'button',
    caption: 'caption',
    code: 'code',
    data: 'generic',
    datalist: 'listbox',
    dd: 'definition',
    del: 'deletion',
    details: 'group',
    dfn: 'term',
    dialog: 'dialog',
    div: 'generic',
    dt: 'term',
    em: 'emphasis',
    fieldset: 'group',
    figure: 'figure',
    h1: 'heading',
    h2: 'heading',
    h3: 'heading',
    h4: 'heading',
    h5: 'heading',
    h6: 'heading',
    hgroup: 'group',
    hr: 'separator',
    html: 'document',
    i: 'generic',
    ins: 'insertion',
    main: 'main',
    mark: 'mark',
    math: 'math',
    menu: 'list',
    meter: 'meter',
    nav: 'navigation',
    ol: 'list',
    optgroup: 'group',
    option: 'option',
    output: 'status',
    p: 'paragraph',
    pre: 'generic',
    progress: 'progressbar',
    q: 'generic',
    s: 'deletion',
    samp: 'generic',
    search: 'search',
    small: 'generic',
    span: 'generic',
    strong: 'strong',
    sub: 'subscript',
    // HTML-AAM gives summary no role; every browser exposes something that a person presses.
    summary: 'button',
    sup: 'superscript',
    table: 'table',
    tbody: 'rowgroup',
    textarea: 'textbox',
    tfoot: 'rowgroup',
    thead: 'rowgroup',
    time: 'time',
    tr: 'row',
    u: 'generic',
    ul: 'list',
  }),
);

/**
 * Roles of input types. HTML-AAM gives password, file, color and the dates no
 * role; an agent is told what a person meets: a field to fill or a button.
 */
export const inputRoles: ReadonlyMap<string, string> = new Map(
  Object.entries({
    button: 'button',
    checkbox: 'checkbox',
    color: 'button',
    date: 'textbox',
    'datetime-local': 'textbox',
    email: 'textbox',
    file: 'button',
    image: 'button',
    month: 'textbox',
    number: 'spinbutton',
    password: 'textbox',
    radio: 'radio',
    range: 'slider',
    reset: 'button',
    search: 'searchbox',
    submit: 'button',
    tel: 'textbox',
    text: 'textbox',
    time: 'textbox',
    url: 'textbox',
    week: 'textbox',
  }),
);

/** Input types whose `list` attribute makes them a combobox. */
export const listTypes: ReadonlySet<string> = new Set(['text', 'search', 'tel', 'url', 'email']);
