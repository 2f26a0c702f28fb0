/** Registered at document_start in the page's own world for sites that connect by themselves. */
import { installMainHook } from './hook.ts';

installMainHook('');
