import { offerBurst } from '../shared/burst.js';
import App from './App.svelte';
import { errands } from './stores.js';

offerBurst(() => errands.update((now) => ({ ...now, count: now.count + 1 })));
new App({ target: document.getElementById('root'), props: { title: 'Errands' } });
