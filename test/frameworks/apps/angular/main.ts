import {
  Component,
  computed,
  effect,
  inject,
  Injectable,
  input,
  output,
  provideZonelessChangeDetection,
  signal,
} from '@angular/core';
import { FormsModule } from '@angular/forms';
import { bootstrapApplication, Title } from '@angular/platform-browser';

/** Issues of a project: a service with signals, template forms, outputs, deferred and conditional blocks. */
interface Issue {
  readonly id: number;
  readonly title: string;
  readonly priority: string;
  readonly closed: boolean;
}

@Injectable({ providedIn: 'root' })
class Issues {
  readonly all = signal<readonly Issue[]>([
    { id: 1, title: 'Login fails on Mondays', priority: 'high', closed: false },
    { id: 2, title: 'Typo on the first page', priority: 'low', closed: true },
    { id: 3, title: 'Export is slow', priority: 'normal', closed: false },
  ]);
  readonly open = computed(() => this.all().filter(issue => !issue.closed));

  add(title: string, priority: string): void {
    this.all.update(all => [...all, { id: all.length + 1, title, priority, closed: false }]);
  }

  toggle(id: number): void {
    this.all.update(all => all.map(issue => (issue.id === id ? { ...issue, closed: !issue.closed } : issue)));
  }
}

@Component({
  selector: 'issue-row',
  template: `
    <span [class.closed]="issue().closed">#{{ issue().id }} {{ issue().title }}</span>
    @switch (issue().priority) {
      @case ('high') { <strong>urgent</strong> }
      @case ('low') { <em>some day</em> }
    }
    <button (click)="toggled.emit(issue().id)">{{ issue().closed ? 'Reopen' : 'Close' }} #{{ issue().id }}</button>
  `,
  styles: `.closed { text-decoration: line-through; }`,
})
class IssueRow {
  readonly issue = input.required<Issue>();
  readonly toggled = output<number>();
}

@Component({
  selector: 'app-root',
  imports: [FormsModule, IssueRow],
  template: `
    <h1>Issues</h1>
    <form (ngSubmit)="add()" #form="ngForm">
      <label>Title <input name="title" [(ngModel)]="title" required minlength="3" #field="ngModel" /></label>
      @if (field.invalid && (field.dirty || tried())) {
        <p role="alert">A title has three letters at least.</p>
      }
      <label>Priority
        <select name="priority" [(ngModel)]="priority">
          @for (each of priorities; track each) { <option [value]="each">{{ each }}</option> }
        </select>
      </label>
      <button>Report issue</button>
    </form>
    <label><input type="checkbox" name="hides" [ngModel]="hides()" (ngModelChange)="hides.set($event)" /> Hide closed</label>
    <input type="search" aria-label="Search" name="search" [ngModel]="search()" (ngModelChange)="search.set($event)" />
    <ul>
      @for (issue of shown(); track issue.id) {
        <li><issue-row [issue]="issue" (toggled)="issues.toggle($event)" /></li>
      } @empty {
        <li>Nothing to do.</li>
      }
    </ul>
    <p role="status">{{ issues.open().length }} open</p>
    <button (click)="showsChart.set(!showsChart())">Statistics</button>
    @if (showsChart()) {
      <dl>
        @for (row of counts(); track row.priority) { <dt>{{ row.priority }}</dt><dd>{{ row.count }}</dd> }
      </dl>
    }
  `,
})
class App {
  readonly issues = inject(Issues);
  readonly priorities = ['low', 'normal', 'high'];
  readonly hides = signal(false);
  readonly search = signal('');
  readonly showsChart = signal(false);
  readonly tried = signal(false);
  title = '';
  priority = 'normal';
  readonly shown = computed(() =>
    this.issues
      .all()
      .filter(
        ({ title, closed }) => !(this.hides() && closed) && title.toLowerCase().includes(this.search().toLowerCase()),
      ),
  );
  readonly counts = computed(() =>
    this.priorities.map(priority => ({
      priority,
      count: this.issues.open().filter(issue => issue.priority === priority).length,
    })),
  );

  constructor() {
    const page = inject(Title);
    effect(() => page.setTitle(`Issues (${this.issues.open().length})`));
  }

  add(): void {
    this.tried.set(true);
    if (this.title.trim().length < 3) return;
    this.issues.add(this.title.trim(), this.priority);
    this.title = '';
    this.tried.set(false);
  }
}

bootstrapApplication(App, { providers: [provideZonelessChangeDetection()] });
