/** Put into the page's own world: ahead of the page where a site connects by itself, else when a tab is connected. */
import { installApp } from './install.ts';

installApp();
