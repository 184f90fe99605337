import htmx from 'htmx.org';

/** Contacts that a server renders: tabs, rows that are edited in place, more rows on demand, a count out of band. */
document.getElementById('root').innerHTML = `
  <h1>Members</h1>
  <nav>
    <a href="/members/all" hx-get="/members/all" hx-target="#rows" hx-push-url="false">Everybody</a>
    <a href="/members/active" hx-get="/members/active" hx-target="#rows" hx-push-url="false">Active members</a>
  </nav>
  <table><tbody id="rows" hx-get="/members/all" hx-trigger="load"></tbody></table>
  <button hx-post="/members/invite" hx-target="#rows">Invite the next</button>
  <p role="status" id="count">…</p>
  <section aria-label="About" id="about"></section>
  <button hx-get="/about" hx-target="#about" hx-swap="innerHTML settle:20ms">About the club</button>`;
htmx.config.includeIndicatorStyles = false;
htmx.process(document.getElementById('root'));
document.body.addEventListener('htmx:afterSwap', ({ detail }) => {
  document.title = `Members (${detail.target.id})`;
});
