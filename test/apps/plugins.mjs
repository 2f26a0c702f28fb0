// What esbuild needs to read the files of frameworks that have a compiler of their own.
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { transform } from 'esbuild';

const here = import.meta.dirname;
const isProduction = ({ initialOptions }) => initialOptions.define['process.env.NODE_ENV'] === '"production"';

/** Single-file components as Vite's plugin makes them: the template within setup() in production only. */
export const vue = {
  name: 'vue',
  setup(build) {
    const production = isProduction(build);
    build.onLoad({ filter: /\.vue$/ }, async ({ path }) => {
      const { compileScript, compileTemplate, parse } = await import('vue/compiler-sfc');
      const filename = relative(here, path);
      const id = basename(path, '.vue');
      const { descriptor } = parse(await readFile(path, 'utf8'), { filename });
      let script = 'const component = {};';
      let bindings;
      let inline = false;
      if (descriptor.script || descriptor.scriptSetup) {
        inline = production && descriptor.scriptSetup !== null;
        const made = compileScript(descriptor, { id, isProd: production, inlineTemplate: inline, genDefaultAs: 'component' });
        script = made.content;
        bindings = made.bindings;
      }
      const parts = [script];
      if (!inline) {
        const template = compileTemplate({
          id, filename, source: descriptor.template.content, isProd: production, compilerOptions: { bindingMetadata: bindings },
        });
        parts.push(template.code, 'component.render = render;');
      }
      if (!production) parts.push(`component.__file = ${JSON.stringify(filename)};`);
      return { contents: [...parts, 'export default component;'].join('\n'), loader: 'js' };
    });
  },
};

/** Svelte by the name that a version of it has here. */
const svelteOf = (version) => ({
  name: version,
  setup(build) {
    const production = isProduction(build);
    build.initialOptions.conditions = ['svelte', 'browser', production ? 'production' : 'development'];
    build.onLoad({ filter: /\.svelte$/ }, async ({ path }) => {
      const { compile } = await import(`${version}/compiler`);
      const place = version === 'svelte4' ? { filename: relative(here, path) } : { filename: path, rootDir: here };
      const made = compile(await readFile(path, 'utf8'), { ...place, dev: !production, css: 'injected' });
      return { contents: made.js.code, loader: 'js' };
    });
  },
});
export const svelte = svelteOf('svelte');
export const svelte4 = svelteOf('svelte4');

const quiet = () => undefined;
const logger = { level: 3, debug: quiet, info: quiet, warn: quiet, error: (...text) => { throw new Error(text.join(' ')); } };

/** Ahead-of-time compilation, and the linker for Angular's own packages: no compiler in the bundle. */
export const angular = {
  name: 'angular',
  setup(build) {
    const sources = join(here, 'src/angular');
    const production = isProduction(build);
    if (production) Object.assign(build.initialOptions.define, { ngDevMode: 'false', ngJitMode: 'false', ngI18nClosureMode: 'false' });
    let output;
    build.onStart(async () => {
      const { performCompilation } = await import('@angular/compiler-cli');
      output = await mkdtemp(join(tmpdir(), 'angular-'));
      const { diagnostics } = performCompilation({
        rootNames: [join(sources, 'main.ts')],
        options: {
          basePath: here, rootDir: join(here, 'src'), outDir: output, target: 9, module: 99, moduleResolution: 100, lib: ['lib.es2022.d.ts', 'lib.dom.d.ts'],
          strict: true, allowJs: true, skipLibCheck: true, types: [], experimentalDecorators: true, useDefineForClassFields: false,
        },
      });
      return { errors: diagnostics.map(({ messageText }) => ({ text: typeof messageText === 'string' ? messageText : messageText.messageText })) };
    });
    build.onEnd(() => rm(output, { recursive: true, force: true }));
    build.onLoad({ filter: /src\/angular\/.*\.ts$/ }, async ({ path }) => {
      const made = join(output, relative(join(here, 'src'), path).replace(/\.ts$/, '.js'));
      return { contents: await readFile(made, 'utf8'), loader: 'js' };
    });
    build.onLoad({ filter: /@angular\/.*\.mjs$/ }, async ({ path }) => {
      const [{ transformAsync }, { createEs2015LinkerPlugin }] = await Promise.all([
        import('@babel/core').then((module) => module.default), import('@angular/compiler-cli/linker/babel'),
      ]);
      const linked = await transformAsync(await readFile(path, 'utf8'), {
        filename: path, compact: false, configFile: false, babelrc: false,
        plugins: [createEs2015LinkerPlugin({ fileSystem: { resolve, dirname, relative }, logger })],
      });
      const { code } = await transform(linked.code, { minify: !production, target: 'chrome120' });
      return { contents: code, loader: 'js' };
    });
  },
};
