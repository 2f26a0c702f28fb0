import { atom, useAtom } from 'jotai';
import { makeAutoObservable } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { create } from 'zustand';
import { offerBurst } from '../shared/burst.js';

const useCart = create((set) => ({
  count: 0,
  todos: [{ id: 1, text: 'Buy rope', done: false }],
  add: () => set((state) => ({ count: state.count + 1 })),
  save: (text) => set((state) => ({ todos: [...state.todos, { id: state.todos.length + 1, text, done: false }] })),
}));

const themeAtom = atom('light');
themeAtom.debugLabel = 'theme';

class Timer {
  seconds = 0;
  constructor() {
    makeAutoObservable(this);
  }
  tick() {
    this.seconds += 1;
  }
}
const timer = new Timer();

function Counter() {
  const count = useCart((state) => state.count);
  const add = useCart((state) => state.add);
  return (
    <p>
      <output>{count}</output> <button onClick={add}>Add</button> <button onClick={() => window.burst(1000)}>Burst</button>
    </p>
  );
}

function TodoForm() {
  const [draft, setDraft] = useState('');
  const save = useCart((state) => state.save);
  return (
    <form onSubmit={(event) => { event.preventDefault(); save(draft); setDraft(''); }}>
      <input aria-label="New todo" value={draft} onChange={(event) => setDraft(event.target.value)} /> <button>Save</button>
    </form>
  );
}

function TodoList() {
  const todos = useCart((state) => state.todos);
  return <ul>{todos.map((todo) => <li key={todo.id}>{todo.text}</li>)}</ul>;
}

function Theme() {
  const [theme, setTheme] = useAtom(themeAtom);
  return <button onClick={() => setTheme(theme === 'light' ? 'dark' : 'light')}>Theme: {theme}</button>;
}

const Clock = observer(function Clock({ timer }) {
  return <button onClick={() => timer.tick()}>Seconds: {timer.seconds}</button>;
});

function App() {
  return (
    <main>
      <Counter />
      <TodoForm />
      <TodoList />
      <Theme /> <Clock timer={timer} />
    </main>
  );
}

offerBurst(() => useCart.getState().add());
createRoot(document.getElementById('root')).render(<App />);
