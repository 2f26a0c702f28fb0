import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query';
import { configureStore, createSlice } from '@reduxjs/toolkit';
import { StrictMode, memo, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Provider, useDispatch, useSelector } from 'react-redux';
import { RouterProvider, createMemoryRouter, useNavigate, useParams } from 'react-router';
import { offerBurst } from '../shared/burst.js';

const counter = createSlice({ name: 'counter', initialState: { value: 0 }, reducers: { added: (state) => { state.value += 1; } } });
const todos = createSlice({
  name: 'todos',
  initialState: [{ id: 1, text: 'Buy rope', done: false }],
  reducers: { saved: (state, { payload }) => { state.push({ id: state.length + 1, text: payload, done: false }); } },
});
const store = configureStore({ reducer: { counter: counter.reducer, todos: todos.reducer } });
const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
const router = createMemoryRouter([{ path: '/', Component: Home }, { path: '/todos/:id', Component: Details }]);

function Counter() {
  const value = useSelector((state) => state.counter.value);
  const dispatch = useDispatch();
  return (
    <p>
      <output>{value}</output> <button onClick={() => dispatch(counter.actions.added())}>Add</button>{' '}
      <button onClick={() => window.burst(1000)}>Burst</button>
    </p>
  );
}

const TodoItem = memo(function TodoItem({ todo }) {
  const navigate = useNavigate();
  return <li onClick={() => navigate(`/todos/${todo.id}`)}>{todo.text}</li>;
});

function TodoForm() {
  const [draft, setDraft] = useState('');
  const dispatch = useDispatch();
  const save = (event) => {
    event.preventDefault();
    dispatch(todos.actions.saved(draft));
    setDraft('');
  };
  return (
    <form onSubmit={save}>
      <input aria-label="New todo" value={draft} onChange={(event) => setDraft(event.target.value)} /> <button>Save</button>
    </form>
  );
}

function TodoList() {
  const list = useSelector((state) => state.todos);
  return <ul>{list.map((todo) => <TodoItem key={todo.id} todo={todo} />)}</ul>;
}

function Items() {
  const items = useQuery({ queryKey: ['items'], queryFn: () => fetch('/api/items').then((answer) => answer.json()) });
  return <p id="items">{items.data ? items.data.map((item) => item.name).join(', ') : items.status}</p>;
}

function Home() {
  return <TodoList />;
}

function Details() {
  const { id } = useParams();
  return <h2>Todo {id}</h2>;
}

function App() {
  return (
    <main>
      <Counter />
      <TodoForm />
      <RouterProvider router={router} />
      <Items />
    </main>
  );
}

offerBurst(() => store.dispatch(counter.actions.added()));
createRoot(document.getElementById('root')).render(
  <StrictMode>
    <Provider store={store}>
      <QueryClientProvider client={client}>
        <App />
      </QueryClientProvider>
    </Provider>
  </StrictMode>,
);
