// Which computed values are read of which element, with the initial value of each: what
// is initial is not sent. Reading all of every element would take seconds on a large page.

type Table = readonly (readonly [property: string, initial: string])[];

const always: Table = [
  ['display', 'block'],
  ['position', 'static'],
  ['visibility', 'visible'],
  ['opacity', '1'],
  ['overflow-x', 'visible'],
  ['overflow-y', 'visible'],
  ['z-index', 'auto'],
  ['transform', 'none'],
  ['translate', 'none'],
  ['rotate', 'none'],
  ['scale', 'none'],
  ['filter', 'none'],
  ['backdrop-filter', 'none'],
  ['perspective', 'none'],
  ['will-change', 'auto'],
  ['contain', 'none'],
  ['isolation', 'auto'],
  ['mix-blend-mode', 'normal'],
  ['clip-path', 'none'],
  ['clip', 'auto'],
  ['mask-image', 'none'],
  ['container-type', 'normal'],
  ['content-visibility', 'visible'],
  ['pointer-events', 'auto'],
  ['background-color', 'rgba(0, 0, 0, 0)'],
  ['background-image', 'none'],
  ['float', 'none'],
];

const positioned: Table = [
  ['top', 'auto'],
  ['right', 'auto'],
  ['bottom', 'auto'],
  ['left', 'auto'],
  ['transition-property', 'all'],
];

const text: Table = [
  ['color', 'rgb(0, 0, 0)'],
  ['font-size', '16px'],
  ['font-weight', '400'],
  ['font-family', ''],
  ['line-height', 'normal'],
  ['text-overflow', 'clip'],
  ['white-space-collapse', 'collapse'],
  ['text-wrap-mode', 'wrap'],
  ['-webkit-line-clamp', 'none'],
  ['text-indent', '0px'],
  ['text-shadow', 'none'],
  ['-webkit-text-fill-color', ''],
  ['direction', 'ltr'],
  ['writing-mode', 'horizontal-tb'],
];

const flexContainer: Table = [
  ['flex-direction', 'row'],
  ['flex-wrap', 'nowrap'],
  ['justify-content', 'normal'],
  ['align-items', 'normal'],
  ['direction', 'ltr'],
  ['column-gap', 'normal'],
  ['row-gap', 'normal'],
];

const flexItem: Table = [
  ['flex-grow', '0'],
  ['flex-shrink', '1'],
  ['flex-basis', 'auto'],
  ['order', '0'],
  ['min-width', 'auto'],
  ['min-height', 'auto'],
  ['box-sizing', 'content-box'],
];

const gridContainer: Table = [
  ['grid-template-columns', 'none'],
  ['grid-template-rows', 'none'],
  ['grid-template-areas', 'none'],
  ['grid-auto-flow', 'row'],
  ['justify-content', 'normal'],
  ['align-items', 'normal'],
  ['column-gap', 'normal'],
  ['row-gap', 'normal'],
  ['direction', 'ltr'],
];

const gridItem: Table = [
  ['grid-column-start', 'auto'],
  ['grid-column-end', 'auto'],
  ['grid-row-start', 'auto'],
  ['grid-row-end', 'auto'],
  ['order', '0'],
];

const replaced: Table = [
  ['object-fit', 'fill'],
  ['aspect-ratio', 'auto'],
  ['image-rendering', 'auto'],
  ['padding-top', '0px'],
  ['padding-right', '0px'],
  ['padding-bottom', '0px'],
  ['padding-left', '0px'],
];

// Borders take part wherever something is clipped or has no size.
const box: Table = [
  ['border-top-width', '0px'],
  ['border-right-width', '0px'],
  ['border-bottom-width', '0px'],
  ['border-left-width', '0px'],
  ['box-sizing', 'content-box'],
];

// What becomes of text at the edge of a box that cuts it.
const cutting: Table = [
  ['text-overflow', 'clip'],
  ['-webkit-line-clamp', 'none'],
];

const masked: Table = [
  ['mask-size', 'auto'],
  ['mask-repeat', 'repeat'],
  ['mask-position', '0% 0%'],
];

// Of the target and what is around it.
const sized: Table = [
  ['width', 'auto'],
  ['height', 'auto'],
  ['min-width', 'auto'],
  ['min-height', 'auto'],
  ['max-width', 'none'],
  ['max-height', 'none'],
  ['margin-top', '0px'],
  ['margin-right', '0px'],
  ['margin-bottom', '0px'],
  ['margin-left', '0px'],
  ['padding-top', '0px'],
  ['padding-right', '0px'],
  ['padding-bottom', '0px'],
  ['padding-left', '0px'],
  ['align-self', 'auto'],
  ['justify-self', 'auto'],
  ['animation-name', 'none'],
  ['outline-style', 'none'],
  ['outline-width', '0px'],
  ['box-shadow', 'none'],
  ['user-select', 'auto'],
  ['direction', 'ltr'],
  ['writing-mode', 'horizontal-tb'],
];

const allTables = [always, masked, positioned, text, flexContainer, flexItem, gridContainer, gridItem, replaced, box, sized];

export const initial: Readonly<Record<string, string>> = Object.fromEntries(allTables.flat());

export interface Kind {
  text: boolean;
  replaced: boolean;
  /** The parent's display, through display: contents. */
  parentDisplay: string;
  /** The target, and what is around it. */
  close: boolean;
}

/** What is asked of every element, and of those with text. */
export interface Tables {
  always: Table;
  text: Table;
}

export const tables: Tables = { always, text };

/** Properties that the browser's own sheet gives no HTML element: initial where the page declares them nowhere. */
export const rare: ReadonlySet<string> = new Set([
  'visibility', 'opacity', 'z-index', 'transform', 'translate', 'rotate', 'scale', 'filter', 'backdrop-filter', 'perspective', 'will-change', 'contain',
  'isolation', 'mix-blend-mode', 'clip-path', 'clip', 'mask-image', 'container-type', 'content-visibility', 'pointer-events', 'background-image', 'float',
  'text-overflow', '-webkit-line-clamp', 'text-shadow', '-webkit-text-fill-color', 'writing-mode',
]);

/** The computed values of an element that are not initial. */
export function readStyles(style: CSSStyleDeclaration, kind: Kind, asked: Tables): Record<string, string> | undefined {
  const values: Record<string, string> = {};
  let some = false;
  const read = (table: Table): void => {
    for (const [property, usual] of table) {
      const value = style.getPropertyValue(property);
      if (value === usual || value === '') continue;
      values[property] = value.length > 200 ? value.slice(0, 200).toWellFormed() : value;
      some = true;
    }
  };
  read(asked.always);
  const { display } = style;
  if (style.position !== 'static') read(positioned);
  if (kind.text) read(asked.text);
  else if (style.overflowX !== 'visible' || style.overflowY !== 'visible') read(cutting);
  if (values['mask-image'] !== undefined) read(masked);
  if (display === 'flex' || display === 'inline-flex') read(flexContainer);
  else if (display === 'grid' || display === 'inline-grid') read(gridContainer);
  if (kind.parentDisplay.endsWith('flex')) read(flexItem);
  else if (kind.parentDisplay.endsWith('grid')) read(gridItem);
  if (kind.replaced) read(replaced);
  if (kind.close || kind.replaced || style.overflowX !== 'visible' || style.overflowY !== 'visible') read(box);
  if (kind.close) read(sized);
  return some ? values : undefined;
}

const typed = ['width', 'height', 'min-width', 'min-height', 'max-width', 'max-height', 'top', 'right', 'bottom', 'left', 'margin-left', 'margin-right', 'margin-top', 'margin-bottom', 'flex-basis'];
const typedAlways = ['width', 'height'];
const typedGrid = ['width', 'height', 'grid-template-columns', 'grid-template-rows'];

/** Sizes before layout (Typed OM), where they are not auto: "50%", "calc(100% - 20px)". */
export function readTyped(element: Element, close: boolean, grid: boolean): Record<string, string> | undefined {
  const map = element.computedStyleMap();
  let values: Record<string, string> | undefined;
  const wanted = close ? typed : grid ? typedGrid : typedAlways;
  for (const property of close && grid ? new Set([...typed, ...typedGrid]) : wanted) {
    const value = map.get(property)?.toString() ?? '';
    if (value === 'auto' || value === 'none' || value === '' || (property.startsWith('margin') && value === '0px')) continue;
    values ??= {};
    values[property] = value.slice(0, 100);
  }
  return values;
}
