import { Injectable, computed, signal } from '@angular/core';

export interface Todo { id: number; text: string; done: boolean }

@Injectable({ providedIn: 'root' })
export class Errands {
  readonly count = signal(0);
  readonly todos = signal<Todo[]>([{ id: 1, text: 'Buy rope', done: false }]);
  readonly doubled = computed(() => this.count() * 2);

  add(): void {
    this.count.update((count) => count + 1);
  }

  save(text: string): void {
    this.todos.update((todos) => [...todos, { id: todos.length + 1, text, done: false }]);
  }
}
