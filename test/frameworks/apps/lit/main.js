import { css, html, LitElement, nothing } from 'lit';
import { classMap } from 'lit/directives/class-map.js';
import { live } from 'lit/directives/live.js';
import { repeat } from 'lit/directives/repeat.js';

/** Contacts as custom elements: shadow roots, adopted style sheets, slots, events that cross the boundary, keyed lists. */
class ContactCard extends LitElement {
  static properties = { contact: { attribute: false }, edits: { state: true } };
  static styles = css`
    :host {
      display: block;
      border: 1px solid #ccc;
      padding: 4px;
    }
    .starred {
      font-weight: bold;
    }
  `;

  constructor() {
    super();
    this.edits = false;
  }

  #tell(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail, bubbles: true, composed: true }));
  }

  #save(event) {
    event.preventDefault();
    const data = new FormData(event.target);
    this.edits = false;
    this.#tell('contact-change', { ...this.contact, phone: String(data.get('phone')) });
  }

  render() {
    const { name, phone, starred } = this.contact;
    if (this.edits)
      return html`<form @submit=${this.#save}>
        <label>Phone of ${name} <input name="phone" .value=${live(phone)} /></label>
        <button>Save ${name}</button>
      </form>`;
    return html`<span class=${classMap({ starred })}><slot></slot> ${name}, ${phone}</span>
      <button aria-pressed=${starred} @click=${() => this.#tell('contact-change', { ...this.contact, starred: !starred })}>
        Star ${name}
      </button>
      <button @click=${() => (this.edits = true)}>Edit ${name}</button>
      <button @click=${() => this.#tell('contact-remove', this.contact)}>Remove ${name}</button>`;
  }
}
customElements.define('contact-card', ContactCard);

class ContactApp extends LitElement {
  static properties = {
    contacts: { state: true },
    search: { state: true },
    sort: { state: true },
    undo: { state: true },
  };

  constructor() {
    super();
    this.contacts = [
      { id: 1, name: 'Ada', phone: '030 111', starred: false },
      { id: 2, name: 'Bo', phone: '040 222', starred: true },
      { id: 3, name: 'Cem', phone: '089 333', starred: false },
    ];
    [this.search, this.sort, this.undo] = ['', 'name', null];
    this.addEventListener('contact-change', ({ detail }) => {
      this.contacts = this.contacts.map(contact => (contact.id === detail.id ? detail : contact));
    });
    this.addEventListener('contact-remove', ({ detail }) => {
      this.undo = detail;
      this.contacts = this.contacts.filter(contact => contact.id !== detail.id);
    });
  }

  #add(event) {
    event.preventDefault();
    const name = String(new FormData(event.target).get('name')).trim();
    if (name === '') return;
    const id = Math.max(0, ...this.contacts.map(contact => contact.id)) + 1;
    this.contacts = [...this.contacts, { id, name, phone: 'unknown', starred: false }];
    event.target.reset();
  }

  #restore() {
    this.contacts = [...this.contacts, this.undo];
    this.undo = null;
  }

  get shown() {
    const order = {
      name: (one, other) => one.name.localeCompare(other.name),
      starred: (one, other) => other.starred - one.starred,
    };
    return this.contacts
      .filter(({ name }) => name.toLowerCase().includes(this.search.toLowerCase()))
      .toSorted(order[this.sort]);
  }

  render() {
    return html`<h1>Contacts</h1>
      <label>Search <input type="search" .value=${this.search} @input=${event => (this.search = event.target.value)} /></label>
      <label>Order
        <select @change=${event => (this.sort = event.target.value)}>
          <option value="name">by name</option>
          <option value="starred">starred first</option>
        </select>
      </label>
      ${repeat(
        this.shown,
        ({ id }) => id,
        contact => html`<contact-card .contact=${contact}><span>${contact.starred ? '★' : '☆'}</span></contact-card>`,
      )}
      <form @submit=${this.#add}><label>Name <input name="name" /></label><button>Add contact</button></form>
      ${this.undo === null ? nothing : html`<p role="status">Removed ${this.undo.name}. <button @click=${this.#restore}>Undo</button></p>`}`;
  }
}
customElements.define('contact-app', ContactApp);
document.getElementById('root').append(document.createElement('contact-app'));
