import { writable } from 'svelte/store';

export const errands = writable({ count: 0, todos: [{ id: 1, text: 'Buy rope', done: false }] });
