import { readFeatures } from '../feature.ts';

/** What pages keep in IndexedDB, by connections that stay and by those that are opened for each use. */
export const databases = readFeatures(
  'databases',
  String.raw`
# database-keyed
js: let $db; const $r = indexedDB.open('d$#', 1); $r.onupgradeneeded = () => { const s = $r.result.createObjectStore('s', { keyPath: 'id' }); s.createIndex('by', 'n'); s.put({ id: 1, n: 0 }) }; $r.onsuccess = () => { $db = $r.result; $all() }; let $shown = ''; const $s = mode => $db.transaction('s', mode).objectStore('s'); const $all = () => { $s().getAll().onsuccess = e => { $shown = JSON.stringify(e.target.result) } }
do: $s('readwrite').get(1).onsuccess = e => { const one = e.target.result ?? { id: 1, n: 10 }; one.n++; e.target.source.put(one).onsuccess = $all }
do: { const s = $s('readwrite'); s.count().onsuccess = e => { s.put({ id: e.target.result + 5, n: [1, { deep: '«a|b»' }] }); $all() } }
do: $s('readwrite').delete(«1|5|6»).onsuccess = $all
do: { const s = $s('readwrite'); s.clear(); s.transaction.oncomplete = $all }
show: $shown

# database-of-promises
js: const $done = r => new Promise((run, fail) => { r.onsuccess = () => run(r.result); r.onerror = () => fail(r.error) }); let $log = ''; const $open = async () => { const r = indexedDB.open('p$#', 1); r.onupgradeneeded = () => r.result.createObjectStore('s'); return $done(r) }
do: $open().then(async db => { const s = db.transaction('s', 'readwrite').objectStore('s'); const n = await $done(s.count()); await $done(s.put({ n, at: new Date(n) }, 'k' + n)); $log += n; db.close() })
do: $open().then(async db => { $log += (await $done(db.transaction('s').objectStore('s').getAllKeys())).join(); db.close() })
do: $open().then(async db => { await $done(db.transaction('s', 'readwrite').objectStore('s').delete('k0')); db.close() })
show: $log

# database-numbered
js: let $db, $log = ''; const $r = indexedDB.open('n$#', 1); $r.onupgradeneeded = () => $r.result.createObjectStore('s', { «autoIncrement: true|autoIncrement: true, keyPath: 'id'» }); $r.onsuccess = () => { $db = $r.result }
do: $db.transaction('s', 'readwrite').objectStore('s').add({ t: 1 }).onsuccess = e => { $log += e.target.result }
do: $db.transaction('s', 'readwrite').objectStore('s').clear()
do: { const t = $db.transaction('s', 'readwrite'); t.objectStore('s').add({ t: 2 }); t.onabort = () => { $log += 'x' }; t.abort() }
show: $log

# database-later
js: let $db = null, $log = ''
do: { const r = indexedDB.open('l$#', «1|2»); r.onupgradeneeded = () => { $log += 'up'; if (!r.result.objectStoreNames.contains('s')) r.result.createObjectStore('s') }; r.onsuccess = () => { $db = r.result; $log += 'open' }; r.onerror = () => { $log += 'no' } }
do: $db?.transaction('s', 'readwrite').objectStore('s').put($log, 1)
do: $db?.close()
do: indexedDB.deleteDatabase('l$#').onsuccess = () => { $log += 'gone' }
show: $log

# database-cursor
js: let $db, $log = ''; const $r = indexedDB.open('c$#', 1); $r.onupgradeneeded = () => { const s = $r.result.createObjectStore('s'); for (let i = 0; i < 4; i++) s.put({ i }, i) }; $r.onsuccess = () => { $db = $r.result }
do: $db.transaction('s', 'readwrite').objectStore('s').openCursor().onsuccess = e => { const c = e.target.result; if (!c) return; $log += c.key; if (c.key % 2) c.delete(); else c.update({ i: c.value.i + 10 }); c.continue() }
do: $db.transaction('s').objectStore('s').getAll(IDBKeyRange.bound(0, 2)).onsuccess = e => { $log += e.target.result.map(o => o.i) }
show: $log

# range-held
html: <p id="$p">some <b>bold</b> text</p>
js: const $range = document.createRange(); $range.selectNodeContents(document.getElementById('$p'))
do: $range.setStart(document.getElementById('$p').firstChild, «0|1|2»)
do: document.getElementById('$p').firstChild.remove()
do: document.getElementById('$p').prepend('more ')
do: $range.collapse(«true|false»)
do: getSelection().addRange($range)
show: $range.toString() + $range.startOffset + $range.endOffset
`,
);
