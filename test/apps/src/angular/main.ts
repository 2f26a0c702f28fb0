import { bootstrapApplication } from '@angular/platform-browser';
import { provideZonelessChangeDetection } from '@angular/core';
import { offerBurst } from '../shared/burst.js';
import { App } from './app';
import { Errands } from './errands';

const host = document.createElement('errand-app');
document.getElementById('root')?.append(host);
void bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] }).then((app) => {
  const errands = app.injector.get(Errands);
  offerBurst(() => errands.add());
});
