import type { IssueType } from './state.ts';

/** The words of the seeded data. Strings are shared between worlds, so they cost memory once. */
interface ProjectWords {
  readonly id: string;
  readonly name: string;
  readonly sprint: string;
  readonly labels: readonly string[];
  readonly goals: readonly string[];
  readonly titles: Readonly<Record<IssueType, readonly string[]>>;
}

export const projectWords: readonly ProjectWords[] = [
  {
    id: 'CORE',
    name: 'Core Platform',
    sprint: 'Core',
    labels: ['api', 'database', 'performance', 'security', 'billing'],
    goals: ['Cut the p95 of the search endpoint', 'Close the audit findings', 'Invoices without manual steps'],
    titles: {
      Bug: [
        'Webhook retries stop after the first timeout',
        'Invoice totals are off by one cent for split payments',
        'Session token survives a password change',
        'Nightly export leaves empty files for suspended accounts',
        'Rate limiter counts health checks',
        'Duplicate rows after a failed bulk import',
        'Search index lags behind deletes by ten minutes',
        'Timezone of scheduled jobs shifts in daylight saving',
        'Audit log drops entries with emoji in the name',
        'Deadlock when two refunds hit the same order',
        'Pagination cursor breaks on equal timestamps',
        'Permission cache is not cleared when a role changes',
      ],
      Story: [
        'Rotate API keys without downtime',
        'Let admins export the audit log as CSV',
        'Usage-based billing for storage',
        'Single sign-on with SAML for enterprise accounts',
        'Soft delete for customer records',
        'Signed URLs for attachments',
        'Per-tenant encryption keys',
        'Bulk archive endpoint for orders',
        'Self-service refund within fourteen days',
        'Read-only mode during maintenance',
      ],
      Task: [
        'Upgrade PostgreSQL to version 17',
        'Split the billing worker from the monolith',
        'Remove the deprecated v1 endpoints',
        'Add an index for the invoice lookup',
        'Move secrets to the vault',
        'Document the retry policy',
        'Set up canary deploys for the gateway',
        'Trim the base container image',
        'Backfill the country column',
      ],
      Spike: [
        'Compare queue brokers for the event pipeline',
        'Estimate the cost of multi-region reads',
        'Try partial indexes on the events table',
        'Evaluate gRPC for internal calls',
      ],
    },
  },
  {
    id: 'WEB',
    name: 'Web App',
    sprint: 'Web',
    labels: ['accessibility', 'design', 'forms', 'onboarding', 'browser'],
    goals: ['A first run without support tickets', 'Keyboard users reach everything', 'Checkout in three steps'],
    titles: {
      Bug: [
        'Date picker ignores the first day of the week',
        'Focus is lost after closing the filter drawer',
        'Upload button stays disabled after a failed upload',
        'Chart legend overlaps the axis on small screens',
        'Back button empties the search form',
        'Dark theme shows black text in tooltips',
        'Table header scrolls away in Safari',
        'Toast messages are not read by screen readers',
        'Password field rejects pasted values',
        'Drag handle jumps when the page is zoomed',
        'Empty state flashes before results load',
        'Currency symbol wraps to a second line',
      ],
      Story: [
        'Guided tour for new workspaces',
        'Save and share dashboard layouts',
        'Keyboard shortcuts for the inbox',
        'Inline editing of customer notes',
        'Compare two reports side by side',
        'Invite teammates from the welcome page',
        'Undo for bulk actions',
        'Remember column widths per user',
        'Offline banner with automatic retry',
        'Custom colours for project tags',
      ],
      Task: [
        'Replace the icon font with SVG sprites',
        'Raise colour contrast of secondary buttons',
        'Migrate the settings pages to the new form kit',
        'Delete the unused onboarding experiment',
        'Add visual regression tests for the header',
        'Lazy-load the reporting bundle',
        'Translate the error pages into Spanish',
        'Turn on strict content security policy',
        'Publish the component guidelines',
      ],
      Spike: [
        'Measure hydration time on low-end laptops',
        'Prototype a command palette',
        'Check server components for the report pages',
        'Find out why the bundle grew in January',
      ],
    },
  },
  {
    id: 'MOB',
    name: 'Mobile Apps',
    sprint: 'Mobile',
    labels: ['android', 'ios', 'offline', 'push', 'crash'],
    goals: ['Crash-free sessions above 99.8 percent', 'Sync that survives the subway', 'Ready for the spring release'],
    titles: {
      Bug: [
        'App crashes when the camera permission is revoked',
        'Push notification opens the wrong conversation',
        'Badge count stays after reading all messages',
        'Photos rotate after upload on Pixel phones',
        'Login screen hides behind the keyboard',
        'Background sync drains the battery overnight',
        'Barcode scanner freezes on the second scan',
        'Map pins disappear after switching tabs',
        'Voice notes stop when the screen locks',
        'Deep links fail from the mail app',
        'Swipe to archive triggers twice',
        'Text is cut off at the largest font size',
      ],
      Story: [
        'Work offline on checklists',
        'Unlock with fingerprint or face',
        'Home screen widget for today',
        'Scan receipts into expenses',
        'Share files from other apps',
        'Tablet layout with two panes',
        'Quiet hours for notifications',
        'Switch accounts without logging out',
        'Nearby sites on a map',
        'Signature capture on delivery',
      ],
      Task: [
        'Raise the minimum iOS version to 17',
        'Move crash reports to the new collector',
        'Cut the cold start below one second',
        'Adopt the new photo picker',
        'Remove the legacy sync engine',
        'Automate the store screenshots',
        'Sign builds on the new runners',
        'Add end-to-end tests for checkout',
        'Update the privacy manifest',
      ],
      Spike: [
        'Compare local databases for offline mode',
        'Try predictive back navigation',
        'Measure the memory use of long lists',
        'Look into satellite connectivity limits',
      ],
    },
  },
];

export const people: readonly string[] = [
  'Amara Osei',
  'Bjorn Halvorsen',
  'Carmen Ruiz',
  'Dmitri Volkov',
  'Elif Kaya',
  'Farid Mansour',
  'Greta Lindqvist',
  'Hiro Tanaka',
  'Isla MacLeod',
  'Jonas Weber',
  'Keiko Mori',
  'Luca Ferrari',
  'Mina Rahimi',
  'Noah Fischer',
  'Olivia Grant',
  'Pavel Novak',
  'Quentin Dubois',
  'Rosa Delgado',
  'Samir Patel',
  'Tessa Vermeer',
  'Umar Siddiqui',
  'Vera Kowalski',
  'Wei Zhang',
  'Ximena Castro',
  'Yara Haddad',
  'Zoe Papadakis',
];

export const roles = ['Engineer', 'Senior engineer', 'Designer', 'QA analyst', 'Product manager', 'Tech lead'] as const;

export const descriptions: readonly string[] = [
  'Reported by two customers this week.',
  'Steps to reproduce are in the support thread.',
  'Needs a short design note before we start.',
  'Behind a flag until the release.',
  'Agreed in the last planning meeting.',
  'Follow-up from the incident review.',
  'Sales asked for this before the renewal.',
  'Small, but it annoys everybody.',
  '',
];

export const remarks: readonly string[] = [
  'I can reproduce this on staging.',
  'Could not reproduce, do we have logs?',
  'The fix is up for review.',
  'Blocked until the vendor answers.',
  'Let us keep the scope small here.',
  'Support got another ticket about this today.',
  'I will pair with QA tomorrow.',
  'Numbers look good after the change.',
  'Please add a test for the empty case.',
  'Moved the design to the shared board.',
  'This also fixes the flaky build.',
  'We agreed to ship it behind a flag.',
  'Rebased and ready to merge.',
  'The customer confirmed that it works now.',
];

export const filterNames = ['Urgent and open', 'Unassigned backlog', 'In review now', 'Security watch'] as const;

/** Material for tasks: none of it is in the seeded data. */
export const newTitles: readonly string[] = [
  'Export reports as spreadsheet',
  'Login loop after an expired invite',
  'Show the release number in the footer',
  'Avatar upload fails for large pictures',
  'Add a health page for partners',
  'Reminder mails go out twice',
  'Sort the changelog by date',
  'Warn before leaving unsaved changes',
  'Collect feedback after onboarding',
  'Slow first paint on the start page',
  'Archive inactive workspaces',
  'Wrong plural in the cart summary',
];
export const newRemarks: readonly string[] = [
  'Please attach the server log.',
  'Tested on the release branch, works for me.',
  'Waiting for the copy from marketing.',
  'Can we ship this before the freeze?',
  'Legal has approved the wording.',
  'Rolled back in production at noon.',
  'The beta group sees this every day.',
  'Let us split this before planning.',
];
export const newLabels: readonly string[] = [
  'customer-request',
  'quick-win',
  'regression',
  'compliance',
  'paper-cut',
  'needs-design',
  'observability',
  'localisation',
  'tech-debt',
];

const days = (month: string, from: number, to: number): string[] =>
  Array.from({ length: to - from + 1 }, (_, index) => `${month}-${String(from + index).padStart(2, '0')}`);

export const createdDays: readonly string[] = [...days('2026-01', 5, 30), ...days('2026-02', 1, 28)];
export const remarkDays: readonly string[] = days('2026-03', 2, 15);
export const dueDays: readonly string[] = [...days('2026-03', 18, 31), ...days('2026-04', 1, 30)];
