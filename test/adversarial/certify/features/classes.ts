import { readFeatures } from '../feature.ts';

/** Members that only a class body can reach, and classes over natives. */
export const classes = readFeatures(
  'classes',
  String.raw`
# private-field
js: class $C { #n = 0; up() { this.#n++ } get n() { return this.#n } } const $o = new $C()
do: $o.up()
show: $o.n

# private-field-object
js: class $C { #all = []; add() { this.#all.push(this.#all.length) } get all() { return this.#all.join() } } const $o = new $C()
do: $o.add()
show: $o.all

# private-brand-in
js: class $C { #brand; static is(o) { return #brand in o } static put(o) { return new (class extends function () { return o } { #x = 1 })() } } let $o = {}
do: $o = new $C()
do: $o = {}
show: $C.is($o)

# private-brand-stamped
js: class $Base { constructor(o) { return o } } class $Stamp extends $Base { #mark = 1; static is(o) { return #mark in o } static up(o) { return #mark in o ? o.#mark++ : new $Stamp(o) } static get(o) { return #mark in o ? o.#mark : 'none' } } const $o = {}
do: $Stamp.up($o)
show: $Stamp.get($o)

# private-method-and-accessor
js: class $C { #n = 1; #double() { this.#n *= 2 } get #v() { return this.#n } set #v(v) { this.#n = v } go() { this.#double(); this.#v += 1 } see() { return this.#v } } const $o = new $C()
do: $o.go()
show: $o.see()

# static-private-field
js: class $C { static #n = 0; static up() { $C.#n++ } static get n() { return $C.#n } }
do: $C.up()
show: $C.n

# static-private-method-state
js: class $C { static #log = []; static #add(x) { this.#log.push(x) } static go() { this.#add(this.#log.length) } static see() { return this.#log.join() } }
do: $C.go()
show: $C.see()

# static-block-closure
js: let $see; class $C { static #n = 1; static { let extra = 5; $see = { up() { $C.#n++; extra += 2 }, get: () => $C.#n + '/' + extra } } }
do: $see.up()
show: $see.get()

# static-public-field
js: class $C { static n = 0; static list = [1]; }
do: $C.n++; $C.list.push($C.n)
show: $C.n + ':' + $C.list

# class-field-initialiser-counter
js: let $made = 0; class $C { id = ++$made }  let $last = new $C()
do: $last = new $C()
show: $made + ' ' + $last.id

# class-prototype-changed
js: class $C { hi() { return 'one' } } const $o = new $C()
do: $C.prototype.hi = function () { return 'two' }
do: Object.setPrototypeOf($o, { hi: () => 'three' })
show: $o.hi()

# class-accessor-pair
js: class $C { _n = 0; get n() { return this._n } set n(v) { this._n = v + 1 } } const $o = new $C()
do: $o.n = $o.n
show: $o.n + Object.keys($o)

# class-private-in-closure-of-instance
js: class $C { #n = 0; up = () => { this.#n += 3 }; get = () => this.#n } const { up: $up, get: $get } = new $C()
do: $up()
show: $get()

# class-private-holding-element
html: <span id="$e">e</span>
js: class $C { #el; constructor(el) { this.#el = el } mark() { this.#el.dataset.mark = (this.#el.dataset.mark ?? '') + 'x' } } const $o = new $C($e)
do: $o.mark()
show: $e.dataset.mark

# class-many-private-instances
js: class $C { #n; constructor(n) { this.#n = n } up() { this.#n++; return this } get n() { return this.#n } } let $all = [new $C(1), new $C(2)]
do: $all.push(new $C($all.length)); $all[0].up()
do: $all.shift()
show: $all.map(each => each.n)

# class-private-frozen-instance
js: class $C { #n = 0; up() { this.#n++ } get n() { return this.#n } } const $o = Object.freeze(new $C())
do: $o.up()
show: $o.n

# class-extends-map
js: class $M extends Map { get(k) { return super.get(k) ?? 0 } up(k) { return this.set(k, this.get(k) + 1) } } const $m = new $M()
do: $m.up('«a|b»')
do: $m.own = ($m.own ?? 0) + 1
show: [...$m] + '/' + $m.own

# class-extends-set
js: class $S extends Set { seen = 0; add(v) { this.seen = (this.seen ?? 0) + 1; return super.add(v) } } const $s = new $S([1])
do: $s.add($s.size)
show: [...$s] + '/' + $s.seen

# class-extends-date
js: class $D extends Date { calls = 0; tick() { this.calls++; this.setUTCDate(this.getUTCDate() + 1) } } const $d = new $D(86400000)
do: $d.tick()
show: $d.toISOString() + $d.calls

# class-extends-regexp
js: class $R extends RegExp { tried = 0; test(t) { this.tried++; return super.test(t) } } const $r = new $R('a', 'g')
do: $r.test('aaa')
show: $r.lastIndex + '/' + $r.tried

# class-extends-url
js: class $U extends URL { visits = 0; go() { this.visits++; this.searchParams.append('v', this.visits) } } const $u = new $U('http://x.test/?a=1')
do: $u.go()
show: $u.search + $u.visits

# class-extends-typed-array
js: class $T extends Uint8Array { sum() { return this.reduce((a, b) => a + b, 0) } } const $t = new $T(4)
do: $t[1] += 5; $t.note = $t.sum()
show: $t.sum() + '/' + $t.note

# class-extends-array-buffer
js: class $B extends ArrayBuffer { tag = 1 } const $b = new $B(4); const $v = new Uint8Array($b)
do: $v[0]++; $b.tag++
show: $v[0] + '/' + $b.tag

# class-extends-abort-controller
js: class $A extends AbortController { #n = 0; abort(why) { this.#n++; super.abort(why) } get n() { return this.#n } } let $a = new $A()
do: $a.abort('x')
do: $a = new $A()
show: $a.n + ' ' + $a.signal.aborted

# class-extends-error
js: class $E extends Error { constructor(m) { super(m); this.code = 1 } } const $e = new $E('first')
do: $e.code++; $e.message += '!'
show: $e.code + $e.message

# class-extends-array
js: class $L extends Array { top() { return this.at(-1) } static get [Symbol.species]() { return Array } } const $l = $L.from([1, 2])
do: $l.push($l.top() + 1)
do: $l.length = 1; $l.tag = 'cut'
show: $l + '/' + $l.tag + ($l.map(x => x) instanceof $L)

# class-extends-promise
js: class $P extends Promise { label = 'p' } let $p = new $P(done => done(1)), $got = 0
do: $p = $p.then(v => { $got = v; return v + 1 })
show: $got + $p.label

# class-extends-function
top
js: class $F extends Function { calls = 0 } const $f = new $F('return 1')
do: $f.calls += $f()
show: $f.calls

# class-extends-event-target
js: class $T extends EventTarget { n = 0 } const $t = new $T(); let $h = 0; $t.addEventListener('x', () => { $h++; $t.n += 2 })
do: $t.dispatchEvent(new Event('x'))
do: $t.addEventListener('x', () => { $h += 100 }, { once: true })
show: $h + '/' + $t.n

# class-extends-event
js: class $E extends CustomEvent { weight = 3 } let $n = 0; addEventListener('$e', e => { $n += e.weight + e.detail })
do: dispatchEvent(new $E('$e', { detail: 1 }))
show: $n

# class-extends-proxy-target
js: class $Base { constructor() { return new Proxy(this, { set: (t, k, v) => { t[k] = v + '*'; return true } }) } } class $C extends $Base { } const $o = new $C()
do: $o.x = ($o.x ?? '') + 'a'
show: $o.x

# class-extends-null-and-mixins
js: const $Mix = B => class extends B { #m = 0; mix() { return ++this.#m } }; const $o = new ($Mix($Mix(Object)))(); let $n = 0
do: $n = $o.mix()
show: $n

# class-extends-weak-map
js: class $W extends WeakMap { hits = 0; get(k) { this.hits++; return super.get(k) } } const $w = new $W(), $k = {}
do: $w.set($k, ($w.get($k) ?? 0) + 1)
show: $w.get($k) + '/' + $w.hits

# class-extends-blob
js: class $F extends Blob { n = 0 } let $b = new $F(['ab'])
do: $b.n++
do: $b = new $F([$b, 'c'])
show: $b.size + '/' + $b.n

# class-new-target-and-symbols
js: class $C { static [Symbol.hasInstance](o) { return o?.ok === $C.want } static want = 1 } const $o = { ok: 2 }
do: $C.want++
show: $o instanceof $C
`,
);
