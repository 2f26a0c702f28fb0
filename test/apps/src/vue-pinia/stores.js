import { defineStore } from 'pinia';
import { computed, ref } from 'vue';

/** A store of options. */
export const useCart = defineStore('cart', {
  state: () => ({ count: 0, coupon: { code: 'HARBOUR', off: 10 } }),
  getters: { doubled: (state) => state.count * 2 },
  actions: { add() { this.count += 1; } },
});

/** A store of refs. */
export const useTodos = defineStore('todos', () => {
  const list = ref([{ id: 1, text: 'Buy rope', done: false }]);
  const open = computed(() => list.value.filter((todo) => !todo.done).length);
  const save = (text) => list.value.push({ id: list.value.length + 1, text, done: false });
  return { list, open, save };
});
