import type { PageAttack } from './hostile-site.ts';
import { script } from './requests.ts';

/** What the browser sends on behalf of a page, without its scripts. */
export const reportAttacks: readonly PageAttack[] = [
  {
    name: 'CSP report-uri',
    how: 'a policy whose breaches are reported to another port',
    files: ({ out }) => ({
      '/': {
        text: '<img src="data:,x">',
        headers: { 'content-security-policy': `img-src 'none'; report-uri ${out}/x` },
      },
    }),
  },
  {
    name: 'CSP report-only',
    how: 'the same for a policy that is not enforced',
    files: ({ out }) => ({
      '/': {
        text: '<img src="data:,x">',
        headers: { 'content-security-policy-report-only': `img-src 'none'; report-uri ${out}/x` },
      },
    }),
  },
  {
    name: 'Reporting API',
    how: 'Reporting-Endpoints and Report-To name another port',
    needs: 'collectors with HTTPS',
    files: ({ out }) => ({
      '/': {
        text: '<img src="data:,x">',
        headers: {
          'reporting-endpoints': `main="${out}/x", default="${out}/d"`,
          'report-to': JSON.stringify({ group: 'main', max_age: 60, endpoints: [{ url: `${out}/y` }] }),
          'content-security-policy': `img-src 'none'; report-to main`,
          'cross-origin-opener-policy': 'same-origin; report-to="main"',
        },
      },
    }),
  },
  {
    name: 'network error logging',
    how: 'NEL with another port as its collector',
    needs: 'sites with HTTPS',
    files: ({ out }) => ({
      '/': {
        text: script(`fetch('/missing')`),
        headers: {
          nel: '{"report_to":"main","max_age":60,"success_fraction":1.0}',
          'report-to': JSON.stringify({ group: 'main', max_age: 60, endpoints: [{ url: `${out}/y` }] }),
        },
      },
    }),
  },
  {
    name: 'source map',
    how: 'scripts and styles name a map on another port',
    needs: 'developer tools that are open',
    files: ({ out }) => ({
      '/': `<script src="/a.js"></script><style>h1 { color: red } /*# sourceMappingURL=${out}/s.map */</style>`,
      '/a.js': {
        text: `throw new Error('x')\n//# sourceMappingURL=${out}/x.map`,
        headers: { sourcemap: `${out}/y.map` },
      },
    }),
  },
  {
    name: 'payment manifest',
    how: 'a payment method that is described on another port',
    needs: 'a whole Chromium; the headless shell does nothing about it',
    files: ({ out }) => ({
      '/': `<button onclick="pay()">Pay</button>${script(`const total = { label: 'x', amount: { currency: 'EUR', value: '1' } };
        function pay() { const asked = new PaymentRequest([{ supportedMethods: '${out}/pay' }], { total });
          asked.canMakePayment().catch(() => 0); asked.show().catch(() => 0); } pay()`)}`,
    }),
  },
  {
    name: 'federated sign-in',
    how: 'FedCM asks another port who may sign in',
    files: ({ out }) => ({
      '/': `<button onclick="ask()">Sign in</button>${script(`function ask() { navigator.credentials.get({ identity:
        { mode: 'active', providers: [{ configURL: '${out}/fed.json', clientId: 'x' }] } }).catch(() => 0) } ask();
        navigator.credentials.get({ identity: { providers: [{ configURL: '${out}/fed.json', clientId: 'x' }] } }).catch(() => 0)`)}`,
    }),
  },
  {
    name: 'push, notification and presentation',
    how: 'services of the browser that look for something outside',
    needs: 'a whole Chromium; the headless shell does nothing about it',
    files: ({ out }) => ({
      '/': `<button onclick="all()">All</button>${script(`function all() {
        try { new Notification('x', { icon: '${out}/i.png', image: '${out}/j.png' }) } catch {}
        try { new PresentationRequest('${out}/x').start().catch(() => 0) } catch {}
        try { navigator.mediaSession.metadata = new MediaMetadata({ artwork: [{ src: '${out}/a.png' }] }) } catch {}
        navigator.serviceWorker.register('/s.js').then(held => held.pushManager.subscribe({ userVisibleOnly: true,
          applicationServerKey: new Uint8Array(65).fill(4) })).catch(() => 0);
        } all()`)}`,
      '/s.js': '',
    }),
  },
  {
    name: 'protocol handler',
    how: 'an address of a new scheme is handled by another port',
    needs: 'a whole Chromium; the headless shell does nothing about it',
    files: ({ out, own }) => ({
      '/': `<a id="a" href="web+x:y">x</a>
        ${script(`try { navigator.registerProtocolHandler('web+x', '${own}/%s') } catch {}
          try { navigator.registerProtocolHandler('web+y', '${out}/%s') } catch {}
          document.getElementById('a').click()`)}`,
    }),
  },
  {
    name: 'ad auction and shared storage',
    how: 'interfaces that load scripts and reports of others',
    files: ({ out, own }) => ({
      '/': script(`try { navigator.joinAdInterestGroup({ owner: '${own}', name: 'x', biddingLogicURL: '${out}/b.js',
          updateURL: '${out}/u', ads: [{ renderURL: '${out}/ad' }] }, 60).catch(() => 0) } catch {}
        try { navigator.runAdAuction({ seller: '${out}', decisionLogicURL: '${out}/d.js', interestGroupBuyers: ['${own}'] })
          .catch(() => 0) } catch {}
        try { sharedStorage.worklet.addModule('${out}/s.js').catch(() => 0) } catch {}
        try { fetch('${out}/t', { browsingTopics: true, mode: 'no-cors' }) } catch {}`),
    }),
  },
];
