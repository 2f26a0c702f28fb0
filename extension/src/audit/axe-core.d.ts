/** The minified file is the one that is bundled; its types are the package's. */
declare module 'axe-core/axe.min.js' {
  import axe = require('axe-core');
  export default axe;
}
