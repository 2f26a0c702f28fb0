// Builds dist/: each app as a development build (names and lines of its own code kept) and
// as a production build. `npm ci && npm run build`; dist is committed, so tests need no npm.
import { readFile, readdir, rm } from 'node:fs/promises';
import { build, transform } from 'esbuild';
import { angular, svelte, svelte4, vue } from './plugins.mjs';

/**
 * One row a family: its apps with the file each starts with, and what its framework needs
 * of esbuild. What a family's apps have in common is in chunks beside them.
 */
const families = [
  {
    name: 'react',
    mapped: true, // its stacks are the only source places it has
    apps: {
      'react-redux': 'src/react-redux/main.jsx',
      'react-zustand': 'src/react-zustand/main.jsx',
      'react-hooks': 'src/react-hooks/main.jsx',
    },
  },
  {
    name: 'vue',
    apps: { 'vue-pinia': 'src/vue-pinia/main.js' },
    plugins: [vue],
    define: { __VUE_OPTIONS_API__: 'true', __VUE_PROD_DEVTOOLS__: 'false', __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: 'false' },
  },
  { name: 'svelte', apps: { svelte: 'src/svelte/main.js' }, plugins: [svelte] },
  { name: 'svelte4', apps: { svelte4: 'src/svelte4/main.js' }, plugins: [svelte4], alias: { svelte: 'svelte4' } },
  { name: 'angular', apps: { angular: 'src/angular/main.ts' }, plugins: [angular] },
  { name: 'preact', apps: { preact: 'src/preact/main.jsx' }, jsxImportSource: 'preact' },
  { name: 'preact10', apps: { preact10: 'src/preact/main.jsx' }, jsxImportSource: 'preact', alias: { preact: 'preact10' } },
];

// Libraries are minified file by file (names of components stay), and an empty map of
// its own keeps each out of the bundle's map: that one has the app's lines alone.
const emptyMap = `data:application/json;base64,${btoa('{"version":3,"sources":[""],"mappings":"A"}')}`;
const libraries = {
  name: 'libraries',
  setup({ onLoad }) {
    onLoad({ filter: /node_modules.*\.[mc]?js$/ }, async ({ path }) => {
      const { code } = await transform(await readFile(path, 'utf8'), {
        minifyWhitespace: true,
        minifySyntax: true,
        minifyIdentifiers: /react-dom|scheduler/.test(path),
        define: { 'process.env.NODE_ENV': '"development"' },
        legalComments: 'none',
        target: 'chrome120',
      });
      return { contents: `${code}\n//# sourceMappingURL=${emptyMap}`, loader: 'js' };
    });
  },
};

const only = process.argv.slice(2);
for (const { name, apps, plugins = [], mapped = false, ...options } of families) {
  if (only.length > 0 && !only.includes(name)) continue;
  const make = (suffix, more) =>
    build({
      absWorkingDir: import.meta.dirname,
      entryPoints: Object.entries(apps).map(([app, file]) => ({ in: file, out: app + suffix })),
      outdir: 'dist',
      chunkNames: `${name}-[hash]${suffix}`,
      bundle: true,
      splitting: true,
      format: 'esm',
      target: 'chrome120',
      jsx: 'automatic',
      legalComments: 'none',
      logLevel: 'warning',
      ...options,
      ...more,
      define: { ...options.define, ...more.define },
    });
  for (const file of await readdir(`${import.meta.dirname}/dist`)) {
    if (file.startsWith(`${name}-`)) await rm(`${import.meta.dirname}/dist/${file}`);
  }
  await make('', {
    jsxDev: true,
    minifyWhitespace: true,
    keepNames: true,
    sourcemap: mapped && 'inline',
    sourcesContent: false,
    define: { 'process.env.NODE_ENV': '"development"' },
    plugins: [...plugins, libraries],
  });
  await make('.min', { minify: true, define: { 'process.env.NODE_ENV': '"production"' }, plugins });
}
