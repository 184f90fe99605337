const tags = `
  a area audio base blockquote body br button canvas caption col data datalist del details dialog div dl embed
  fieldset font form frame h1 head hr html iframe img input label legend li link map marquee menu meta meter object
  ol optgroup option output p param picture pre progress q script select slot source span style summary table tbody
  td template textarea time title tr track ul video`;

const inputTypes = `
  text checkbox radio number range date time color file email url password search tel month week datetime-local
  hidden submit image reset button`;

const detached = 'div input img a form template canvas select textarea link style';

const svgTags = `
  a animate animateMotion animateTransform circle clipPath defs desc ellipse feBlend filter foreignObject g image
  line linearGradient marker mask path pattern polygon polyline radialGradient rect script set stop style svg switch
  symbol text textPath title tspan use view`;

const table = '<table><caption>c</caption><colgroup><col></colgroup><tbody><tr><td>x</td></tr></tbody></table>';
const choices = '<select><optgroup label=g><option>A<option>B<option>C</optgroup></select>';

/** What surrounds an element of a tag, or is in it. */
const insides: Readonly<Record<string, string>> = {
  caption: table,
  col: table,
  tbody: table,
  tr: table,
  td: table,
  table,
  select: choices,
  optgroup: choices,
  option: choices,
  form: '<form><input name=n value=v><input type=checkbox name=c></form>',
  details: '<details><summary>S</summary>text</details>',
  script: '<script type=text/plain>x<\\/script>',
};

const namesIn = (text: string): readonly string[] => text.trim().split(/\s+/);

/** Scripts that make one object each, by name. Elements stand in `place`. A page holds the object and uses its members. */
export const heldObjects: ReadonlyMap<string, string> = new Map([
  ...elements(),
  ...Object.entries({
    document: 'document',
    window: 'window',
    history: 'history',
    navigator: 'navigator',
    screen: 'screen',
    orientation: 'screen.orientation',
    performance: 'performance',
    fonts: 'document.fonts',
    viewport: 'visualViewport',
    selection: '(() => { const s = getSelection(); s.selectAllChildren(place); return s; })()',
    customElements: 'customElements',
    crypto: 'crypto',
    local: 'localStorage',
    session: 'sessionStorage',
    implementation: 'document.implementation',
    timeline: 'document.timeline',
    navigation: 'navigation',
    clipboard: 'navigator.clipboard',
    scheduler: 'scheduler',
    scheduling: 'navigator.scheduling',
    trusted: 'trustedTypes',
    cookies: 'cookieStore',
    caches: 'caches',
    idb: 'indexedDB',
    speech: 'speechSynthesis',
    permissions: 'navigator.permissions',
    mediaDevices: 'navigator.mediaDevices',
    storageManager: 'navigator.storage',
    locks: 'navigator.locks',
    highlights: 'CSS.highlights',
    css: 'CSS',
    styleSheets: 'document.styleSheets',
    sheet:
      '(() => { const s = document.createElement("style"); s.textContent = "b { color: red } @media (min-width: 1px) { i { color: blue } } @keyframes k { from { top: 0 } } @font-face { font-family: q }"; document.head.append(s); return s.sheet; })()',
    rule: '(() => { const s = document.createElement("style"); s.textContent = "b { color: red }"; document.head.append(s); return s.sheet.cssRules[0]; })()',
    mediaRule:
      '(() => { const s = document.createElement("style"); s.textContent = "@media (min-width: 1px) { i { color: blue } }"; document.head.append(s); return s.sheet.cssRules[0]; })()',
    keyframes:
      '(() => { const s = document.createElement("style"); s.textContent = "@keyframes k { from { top: 0 } to { top: 1px } }"; document.head.append(s); return s.sheet.cssRules[0]; })()',
    mediaList:
      '(() => { const s = document.createElement("style"); s.textContent = "@media (min-width: 1px) { i { color: blue } }"; document.head.append(s); return s.sheet.cssRules[0].media; })()',
    madeSheet:
      '(() => { const s = new CSSStyleSheet(); s.replaceSync("b { color: red }"); document.adoptedStyleSheets = [s]; return s; })()',
    looseSheet: '(() => { const s = new CSSStyleSheet(); s.replaceSync("b { color: red }"); return s; })()',
    declaration: 'place.style',
    computed: 'getComputedStyle(place)',
    styleMap: 'place.attributeStyleMap',
    classList: 'place.classList',
    relList: '(() => { const s = document.createElement("link"); s.rel = "x"; place.append(s); return s.relList; })()',
    dataset: 'place.dataset',
    attributes: 'place.attributes',
    attr: '(place.title = "t", place.getAttributeNode("title"))',
    looseAttr: 'document.createAttribute("q")',
    text: '(() => { const t = document.createTextNode("some text"); place.append(t); return t; })()',
    comment: '(() => { const t = document.createComment("c"); place.append(t); return t; })()',
    fragment:
      '(() => { const f = document.createDocumentFragment(); f.append("a", document.createElement("b")); return f; })()',
    doctype: 'document.doctype',
    cdata: 'document.implementation.createDocument(null, "r").createCDATASection("x")',
    otherDocument: 'document.implementation.createHTMLDocument("o")',
    parsed: 'new DOMParser().parseFromString("<a><b/></a>", "text/xml")',
    shadow:
      '(() => { const d = document.createElement("div"); place.append(d); const s = d.attachShadow({ mode: "open" }); s.innerHTML = "<slot></slot><input>"; return s; })()',
    internals:
      '(() => { customElements.define("x-y", class extends HTMLElement { static formAssociated = true; constructor() { super(); this.own = this.attachInternals(); } }); const e = document.createElement("x-y"); place.append(e); return e.own; })()',
    custom:
      '(() => { customElements.define("x-z", class extends HTMLElement { static formAssociated = true; connectedCallback() {} }); const e = document.createElement("x-z"); place.append(e); return e; })()',
    range: '(() => { const r = document.createRange(); r.selectNodeContents(place); return r; })()',
    staticRange: 'new StaticRange({ startContainer: place, startOffset: 0, endContainer: place, endOffset: 0 })',
    walker: 'document.createTreeWalker(document.body)',
    iterator: 'document.createNodeIterator(document.body)',
    xpath: 'document.evaluate("//p", document)',
    mutations:
      '(() => { const o = new MutationObserver(() => {}); o.observe(place, { attributes: true, childList: true }); return o; })()',
    looseMutations: 'new MutationObserver(list => { place.title += list.length; })',
    resizes: '(() => { const o = new ResizeObserver(() => { place.lang += "r"; }); o.observe(place); return o; })()',
    intersections:
      '(() => { const o = new IntersectionObserver(() => { place.lang += "i"; }); o.observe(place); return o; })()',
    performances: 'new PerformanceObserver(() => {})',
    aborter: 'new AbortController()',
    signal: 'new AbortController().signal',
    target: 'new EventTarget()',
    event: 'new Event("e", { bubbles: true, cancelable: true })',
    customEvent: 'new CustomEvent("c", { detail: 1 })',
    mouse: 'new MouseEvent("click")',
    key: 'new KeyboardEvent("keydown", { key: "a" })',
    drag: 'new DragEvent("drop", { dataTransfer: new DataTransfer() })',
    transfer: 'new DataTransfer()',
    transferItems: 'new DataTransfer().items',
    clipboardEvent: 'new ClipboardEvent("copy", { clipboardData: new DataTransfer() })',
    message: 'new MessageEvent("message", { data: 1 })',
    storageEvent: 'new StorageEvent("storage")',
    uiEvent: 'new UIEvent("u")',
    createdEvent: 'document.createEvent("Event")',
    textEvent: 'document.createEvent("TextEvent")',
    submitEvent: 'new SubmitEvent("submit")',
    formDataEvent: 'new FormDataEvent("formdata", { formData: new FormData() })',
    toggleEvent: 'new ToggleEvent("toggle")',
    animation: 'place.animate([{ opacity: 1 }, { opacity: 0.5 }], { duration: 1e6, fill: "both" })',
    stoppedAnimation:
      '(() => { const a = place.animate([{ opacity: 1 }, { opacity: 0.5 }], 1000); a.pause(); return a; })()',
    effect: 'place.animate([{ opacity: 1 }], 1e6).effect',
    keyframe: 'new KeyframeEffect(place, [{ left: 0 }], 10)',
    context: 'document.createElement("canvas").getContext("2d")',
    shownContext:
      '(() => { const c = document.createElement("canvas"); place.append(c); return c.getContext("2d"); })()',
    gradient: 'document.createElement("canvas").getContext("2d").createLinearGradient(0, 0, 1, 1)',
    pattern:
      'document.createElement("canvas").getContext("2d").createPattern(document.createElement("canvas"), "repeat")',
    path: 'new Path2D("M0 0L1 1")',
    webgl: 'document.createElement("canvas").getContext("webgl")',
    bitmapContext: 'document.createElement("canvas").getContext("bitmaprenderer")',
    offscreen: 'new OffscreenCanvas(2, 2)',
    offscreenContext: 'new OffscreenCanvas(2, 2).getContext("2d")',
    imageData: 'new ImageData(2, 2)',
    metrics: 'document.createElement("canvas").getContext("2d").measureText("x")',
    blob: 'new Blob(["abc"])',
    file: 'new File(["abc"], "n.txt")',
    reader: 'new FileReader()',
    formData: '(() => { const f = new FormData(); f.append("a", "b"); return f; })()',
    headers: 'new Headers({ a: "b" })',
    request: 'new Request("/r", { method: "POST", body: "x" })',
    response: 'new Response("body")',
    url: 'new URL("http://a.b/c?d=e#f")',
    params: 'new URLSearchParams("a=b&c=d")',
    urlParams: 'new URL("http://a.b/c?d=e#f").searchParams',
    xhr: 'new XMLHttpRequest()',
    openedXhr: '(() => { const x = new XMLHttpRequest(); x.open("GET", "/file"); return x; })()',
    upload: 'new XMLHttpRequest().upload',
    channel: 'new MessageChannel()',
    port: 'new MessageChannel().port1',
    broadcast: 'new BroadcastChannel("b")',
    stream: 'new ReadableStream({ start(c) { c.enqueue("a"); c.enqueue("b"); } })',
    streamReader: 'new ReadableStream({ start(c) { c.enqueue("a"); c.enqueue("b"); } }).getReader()',
    controller: '(() => { let k; new ReadableStream({ start(c) { k = c; } }); return k; })()',
    writable: 'new WritableStream()',
    transform: 'new TransformStream()',
    writer: 'new WritableStream().getWriter()',
    decoder: 'new TextDecoder()',
    encoder: 'new TextEncoder()',
    decoderStream: 'new TextDecoderStream()',
    compression: 'new CompressionStream("gzip")',
    matrix: 'new DOMMatrix()',
    point: 'new DOMPoint(1, 2)',
    rect: 'new DOMRect(1, 2, 3, 4)',
    quad: 'new DOMQuad()',
    cssMatrix: 'new WebKitCSSMatrix()',
    svgPoint: 'document.createElementNS("http://www.w3.org/2000/svg", "svg").createSVGPoint()',
    svgLength: 'document.createElementNS("http://www.w3.org/2000/svg", "rect").width.baseVal',
    svgTransform:
      '(() => { const e = document.createElementNS("http://www.w3.org/2000/svg", "g"); place.append(e); return e.transform.baseVal; })()',
    svgString:
      '(() => { const e = document.createElementNS("http://www.w3.org/2000/svg", "g"); place.append(e); return e.className; })()',
    media: 'matchMedia("(min-width: 1px)")',
    validity: '(() => { const i = document.createElement("input"); place.append(i); return i.validity; })()',
    collection: 'place.children',
    all: 'document.all',
    options:
      '(() => { const s = document.createElement("select"); s.innerHTML = "<option>A<option>B"; place.append(s); return s.options; })()',
    elements:
      '(() => { const f = document.createElement("form"); f.innerHTML = "<input name=a>"; place.append(f); return f.elements; })()',
    nodeList: 'place.childNodes',
    staticList: 'document.querySelectorAll("p")',
    files: '(() => { const i = document.createElement("input"); i.type = "file"; return i.files; })()',
    tracks: 'document.createElement("video").textTracks',
    timeRanges: 'document.createElement("video").buffered',
    audioContext: 'new AudioContext()',
    font: 'new FontFace("f", "local(Arial)")',
    highlight: 'new Highlight()',
    policy: 'trustedTypes.createPolicy("p", { createHTML: x => x })',
    serializer: 'new XMLSerializer()',
    xslt: 'new XSLTProcessor()',
    parser: 'new DOMParser()',
    evaluator: 'new XPathEvaluator()',
    image: 'new Image(2, 2)',
    option: 'new Option("a", "b", true)',
    audio: 'new Audio()',
    urlPattern: 'new URLPattern({ pathname: "/a" })',
    taskController: 'new TaskController()',
    registry: 'new FinalizationRegistry(() => {})',
    weak: 'new WeakRef(place)',
    weakMap: 'new WeakMap([[place, 1]])',
    weakSet: 'new WeakSet([place])',
    map: 'new Map([[1, 2]])',
    set: 'new Set([1])',
    date: 'new Date(5)',
    regexp: '/a/g',
    error: 'new Error("e")',
    aggregate: 'new AggregateError([1], "m")',
    buffer: 'new ArrayBuffer(4, { maxByteLength: 8 })',
    shared: 'typeof SharedArrayBuffer === "undefined" ? null : new SharedArrayBuffer(4)',
    bytes: 'new Uint8Array(4)',
    view: 'new DataView(new ArrayBuffer(8))',
    array: '[3, 1, 2]',
    object: '({ a: 1 })',
    fn: 'function named(a) { return a }',
    generator: '(function* () { yield 1; yield 2; yield 3 })()',
    asyncGenerator: '(async function* () { yield 1; yield 2 })()',
    mapIterator: 'new Map([[1, 2], [3, 4]]).entries()',
    arrayIterator: '[1, 2, 3][Symbol.iterator]()',
    stringIterator: '"abc"[Symbol.iterator]()',
    helper: '[1, 2, 3].values().map(x => x + 1)',
    symbol: 'Object(Symbol("s"))',
    boxed: 'new Number(4)',
    numberFormat: 'new Intl.NumberFormat()',
    dateFormat: 'new Intl.DateTimeFormat()',
    collator: 'new Intl.Collator()',
    plural: 'new Intl.PluralRules()',
    segmenter: 'new Intl.Segmenter().segment("a b c")',
    segments: 'new Intl.Segmenter().segment("a b c")[Symbol.iterator]()',
    locale: 'new Intl.Locale("en")',
    wasm: 'typeof WebAssembly === "undefined" ? null : new WebAssembly.Memory({ initial: 1 })',
    wasmGlobal: 'new WebAssembly.Global({ value: "i32", mutable: true }, 1)',
    wasmTable: 'new WebAssembly.Table({ element: "anyfunc", initial: 1 })',
    stack: 'typeof DisposableStack === "undefined" ? null : new DisposableStack()',
    proxy: 'new Proxy({ a: 1 }, {})',
    observable: 'typeof Observable === "undefined" ? null : new Observable(s => { s.next(1); })',
    sanitizer: 'typeof Sanitizer === "undefined" ? null : new Sanitizer()',
    editContext: 'typeof EditContext === "undefined" ? null : new EditContext()',
    closeWatcher: 'typeof CloseWatcher === "undefined" ? null : new CloseWatcher()',
    promise: 'Promise.resolve(1)',
    pending: 'new Promise(() => {})',
    args: '(function () { return arguments })(1, 2)',
    classInstance: 'new (class { #p = 1; get p() { return this.#p } set p(v) { this.#p = v } bump() { this.#p++ } })()',
    popover:
      '(() => { const d = document.createElement("div"); d.popover = "auto"; d.textContent = "pop"; place.append(d); return d; })()',
    openDialog:
      '(() => { const d = document.createElement("dialog"); d.textContent = "dlg"; place.append(d); d.show(); return d; })()',
    editable:
      '(() => { const d = document.createElement("div"); d.contentEditable = "true"; d.textContent = "edit"; place.append(d); return d; })()',
    scroller:
      '(() => { const d = document.createElement("div"); d.style.cssText = "height:20px;overflow:auto"; d.innerHTML = "<p>a<p>b<p>c<p>d"; place.append(d); return d; })()',
    frameWindow:
      '(() => { const f = document.createElement("iframe"); f.srcdoc = "<p>in"; place.append(f); return f.contentWindow; })()',
    video: '(() => { const v = document.createElement("video"); place.append(v); return v; })()',
  }),
]);

/** Elements of every kind: shown, and some that no document has. */
function elements(): readonly (readonly [name: string, script: string])[] {
  return [
    ...namesIn(tags).map(tag => [`tag ${tag}`, shown(tag)] as const),
    ...namesIn(inputTypes).map(type => [`input ${type}`, `shown('<input type=${type}>', 'input')`] as const),
    ...namesIn(detached).map(tag => [`detached ${tag}`, `document.createElement('${tag}')`] as const),
    ...namesIn(svgTags).map(tag => [`svg ${tag}`, `shown('<svg><${tag}></${tag}></svg>', 'svg > *')`] as const),
  ];
}

function shown(tag: string): string {
  if (tag === 'html') return 'document.documentElement';
  if (tag === 'body' || tag === 'head') return `document.${tag}`;
  return `shown('${insides[tag] ?? `<${tag}>x</${tag}>`}', '${tag}')`;
}
