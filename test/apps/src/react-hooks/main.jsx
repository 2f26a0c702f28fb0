import { Component, createContext, forwardRef, memo, useContext, useEffect, useMemo, useReducer, useRef, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { offerBurst } from '../shared/burst.js';

const Harbour = createContext('Genoa');
Harbour.displayName = 'Harbour';

const amount = Number(new URLSearchParams(location.search).get('todos') ?? 1);
const errands = Array.from({ length: amount }, (_, i) => ({ id: i + 1, text: 'Buy rope', done: false }));

function reducer(state, action) {
  switch (action.type) {
    case 'add':
      return { ...state, count: state.count + 1 };
    case 'save':
      return { ...state, todos: [...state.todos, { id: state.todos.length + 1, text: action.text, done: false }] };
    default:
      return state;
  }
}

/** A custom hook with two hooks inside. */
function useDraft(initial) {
  const [draft, setDraft] = useState(initial);
  const edits = useRef(0);
  return [draft, (text) => { edits.current += 1; setDraft(text); }];
}

const Field = forwardRef(function Field({ value, onEdit }, ref) {
  return <input aria-label="New todo" ref={ref} value={value} onChange={(event) => onEdit(event.target.value)} />;
});

function TodoForm({ onSave }) {
  const [draft, setDraft] = useDraft('');
  const field = useRef(null);
  return (
    <form onSubmit={(event) => { event.preventDefault(); onSave(draft); setDraft(''); }}>
      <Field ref={field} value={draft} onEdit={setDraft} /> <button>Save</button>
    </form>
  );
}

const TodoItem = memo(function TodoItem({ todo, secret }) {
  return <li data-secret={secret === undefined}>{todo.text}</li>;
});

class Toggle extends Component {
  state = { on: false };
  render() {
    return <button onClick={() => this.setState({ on: !this.state.on })}>{this.props.label}: {this.state.on ? 'on' : 'off'}</button>;
  }
}

function Place() {
  const harbour = useContext(Harbour);
  return <p id="place">{harbour}</p>;
}

function App({ title }) {
  const [state, dispatch] = useReducer(reducer, { count: 0, todos: errands });
  const doubled = useMemo(() => state.count * 2, [state.count]);
  useEffect(() => offerBurst(() => dispatch({ type: 'add' })), []);
  return (
    <Harbour.Provider value="Lisbon">
      <h1>{title}</h1>
      <p>
        <output>{state.count}</output> <button onClick={() => dispatch({ type: 'add' })}>Add</button> <span>{doubled}</span>{' '}
        <button onClick={() => window.burst(1000)}>Burst</button>
      </p>
      <TodoForm onSave={(text) => dispatch({ type: 'save', text })} />
      <ul>{state.todos.map((todo) => <TodoItem key={todo.id} todo={todo} secret={todo.secret} />)}</ul>
      <Toggle label="Lamp" />
      <Place />
    </Harbour.Provider>
  );
}

createRoot(document.getElementById('root')).render(<App title="Errands" />);
