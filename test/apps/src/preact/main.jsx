import { computed, signal } from '@preact/signals';
import { Component, createContext, render } from 'preact';
import { useContext, useEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
import { offerBurst } from '../shared/burst.js';

const Harbour = createContext('Genoa');
const count = signal(0, { name: 'count' });
const doubled = computed(() => count.value * 2, { name: 'doubled' });

function reducer(todos, text) {
  return [...todos, { id: todos.length + 1, text, done: false }];
}

function ErrandCounter({ step }) {
  const [clicks, setClicks] = useState(0);
  const sentence = useMemo(() => `${clicks} clicks`, [clicks]);
  const add = () => {
    setClicks(clicks + step);
    count.value += step;
  };
  return (
    <p>
      <output>{count.value}</output> <button onClick={add}>Add</button> <span>{sentence}</span> <b>{doubled}</b>{' '}
      <button onClick={() => window.burst(1000)}>Burst</button>
    </p>
  );
}

function ErrandForm({ onSave }) {
  const [draft, setDraft] = useState('');
  const field = useRef(null);
  const save = (event) => {
    event.preventDefault();
    onSave(draft);
    setDraft('');
  };
  return (
    <form onSubmit={save}>
      <input aria-label="New todo" ref={field} value={draft} onInput={(event) => setDraft(event.currentTarget.value)} /> <button>Save</button>
    </form>
  );
}

function ErrandItem({ todo }) {
  return <li>{todo.text}</li>;
}

class ErrandLamp extends Component {
  state = { on: false };
  render({ label }, { on }) {
    return <button onClick={() => this.setState({ on: !on })}>{label}: {on ? 'on' : 'off'}</button>;
  }
}

function ErrandPlace() {
  return <p id="place">{useContext(Harbour)}</p>;
}

function App({ title }) {
  const [todos, save] = useReducer(reducer, [{ id: 1, text: 'Buy rope', done: false }]);
  useEffect(() => offerBurst(() => { count.value += 1; }), []);
  return (
    <Harbour.Provider value="Lisbon">
      <h1>{title}</h1>
      <ErrandCounter step={1} />
      <ErrandForm onSave={save} />
      <ul>{todos.map((todo) => <ErrandItem key={todo.id} todo={todo} />)}</ul>
      <ErrandLamp label="Lamp" />
      <ErrandPlace />
    </Harbour.Provider>
  );
}

render(<App title="Errands" />, document.getElementById('root'));
