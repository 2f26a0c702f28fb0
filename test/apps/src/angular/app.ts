import { Component, Input, computed, inject, input, signal } from '@angular/core';
import { Errands, type Todo } from './errands';

@Component({
  selector: 'errand-counter',
  template: `<p><output>{{ errands.count() }}</output> <button (click)="add()">Add</button> <span>{{ sentence() }}</span>
    <button (click)="burst()">Burst</button></p>`,
})
export class ErrandCounter {
  readonly errands = inject(Errands);
  readonly step = input(1);
  readonly clicks = signal(0);
  readonly sentence = computed(() => `${this.clicks()} clicks`);

  add(): void {
    this.clicks.update((clicks) => clicks + this.step());
    this.errands.add();
  }

  burst(): void {
    (window as unknown as { burst(n: number): void }).burst(1000);
  }
}

@Component({
  selector: 'errand-form',
  template: `<form (submit)="save($event, field)"><input #field aria-label="New todo" [value]="draft" (input)="draft = field.value" /> <button>Save</button></form>`,
})
export class ErrandForm {
  draft = '';
  readonly #errands = inject(Errands);

  save(event: Event, field: HTMLInputElement): void {
    event.preventDefault();
    this.#errands.save(this.draft);
    field.value = this.draft = '';
  }
}

@Component({ selector: 'errand-item', template: `<li>{{ todo.text }}</li>` })
export class ErrandItem {
  @Input({ required: true }) todo!: Todo;
}

@Component({
  selector: 'errand-app',
  imports: [ErrandCounter, ErrandForm, ErrandItem],
  template: `<h1>{{ title() }}</h1><errand-counter [step]="1" /><errand-form />
    <ul>@for (todo of errands.todos(); track todo.id) { <errand-item [todo]="todo" /> }</ul>`,
})
export class App {
  readonly title = signal('Errands');
  readonly errands = inject(Errands);
}
