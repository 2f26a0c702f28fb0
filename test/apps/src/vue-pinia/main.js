import { createPinia } from 'pinia';
import { createApp } from 'vue';
import { createRouter, createWebHashHistory } from 'vue-router';
import { offerBurst } from '../shared/burst.js';
import App from './App.vue';
import ErrandDetails from './ErrandDetails.vue';
import ErrandHome from './ErrandHome.vue';
import { useCart } from './stores.js';

const router = createRouter({
  history: createWebHashHistory(),
  routes: [
    { path: '/', name: 'home', component: ErrandHome },
    { path: '/todos/:id', name: 'details', component: ErrandDetails },
  ],
});
const app = createApp(App, { title: 'Errands' });
app.use(createPinia()).use(router);
offerBurst(() => useCart().add());
app.mount('#root');
