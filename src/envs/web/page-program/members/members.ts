/**
 * Members by interface, namespace or `window`: names of methods, accessors and statics, separated by white space.
 * `constructor` stands for `new Interface()`, `on*` for all event handlers such as `onclick`, `*` for every member.
 */
export type MemberTable = Readonly<Record<string, string>>;

/**
 * What a page may use of the browser without making snapshots impossible: what these members read or write is kept by a
 * snapshot, does not change, or is replaced by a part of ours. Whatever is not listed is not understood, also what browsers
 * learn in the future. Language objects stand in understood-language.ts, what needs a condition in understood-conditions.ts.
 *
 * Getters that only return an object whose members are not understood are listed, so that pages can look for features.
 */
export const understoodMembers: MemberTable = {
  AbortController: 'constructor signal abort',
  AbortSignal: 'aborted reason throwIfAborted abort on*',
  AbstractRange: 'startOffset endOffset collapsed',
  Animation: 'cancel effect playState on*',
  AnimationEvent: 'constructor animationName elapsedTime pseudoElement animation pseudoTarget',
  Attr: 'namespaceURI prefix localName name value ownerElement specified',
  BeforeUnloadEvent: 'returnValue',
  Blob: 'constructor size type arrayBuffer slice text bytes',
  CSS: 'escape supports',
  CSSRule: 'type parentRule parentStyleSheet',
  CSSRuleList: 'length item',
  CSSStyleDeclaration: `
    cssText length cssFloat getPropertyPriority getPropertyValue item removeProperty setProperty`,
  CSSStyleSheet: 'constructor replaceSync ownerRule cssRules rules insertRule deleteRule addRule removeRule',
  CanvasGradient: 'addColorStop',
  CanvasRenderingContext2D: `
    canvas save restore reset scale rotate translate transform setTransform getTransform resetTransform clearRect fillRect
    strokeRect beginPath fill stroke clip isPointInPath isPointInStroke fillText strokeText measureText drawImage setLineDash
    getLineDash closePath moveTo lineTo bezierCurveTo quadraticCurveTo arc arcTo ellipse rect roundRect createLinearGradient
    createRadialGradient createConicGradient getContextAttributes isContextLost globalAlpha globalCompositeOperation
    imageSmoothingEnabled imageSmoothingQuality strokeStyle fillStyle shadowOffsetX shadowOffsetY shadowBlur shadowColor
    filter lineWidth lineCap lineJoin miterLimit lineDashOffset font textAlign textBaseline direction fontKerning fontStretch
    fontVariantCaps letterSpacing textRendering wordSpacing lang`,
  CharacterData: `
    data length previousElementSibling nextElementSibling after appendData before deleteData insertData remove
    replaceData replaceWith substringData`,
  Clipboard: 'readText writeText',
  ClipboardEvent: 'constructor clipboardData',
  CloseEvent: 'constructor wasClean code reason',
  CommandEvent: 'constructor source command',
  Comment: 'constructor',
  CompositionEvent: 'constructor data initCompositionEvent',
  Crypto: 'getRandomValues randomUUID subtle',
  CustomEvent: 'constructor detail initCustomEvent',
  CustomElementRegistry: 'define get getName upgrade whenDefined',
  DOMException: `
    constructor code name message INDEX_SIZE_ERR DOMSTRING_SIZE_ERR HIERARCHY_REQUEST_ERR WRONG_DOCUMENT_ERR
    INVALID_CHARACTER_ERR NO_DATA_ALLOWED_ERR NO_MODIFICATION_ALLOWED_ERR NOT_FOUND_ERR NOT_SUPPORTED_ERR
    INUSE_ATTRIBUTE_ERR INVALID_STATE_ERR SYNTAX_ERR INVALID_MODIFICATION_ERR NAMESPACE_ERR INVALID_ACCESS_ERR
    VALIDATION_ERR TYPE_MISMATCH_ERR SECURITY_ERR NETWORK_ERR ABORT_ERR URL_MISMATCH_ERR QUOTA_EXCEEDED_ERR
    TIMEOUT_ERR INVALID_NODE_TYPE_ERR DATA_CLONE_ERR`,
  DOMMatrix: `
    constructor a b c d e f m11 m12 m13 m14 m21 m22 m23 m24 m31 m32 m33 m34 m41 m42 m43 m44 fromFloat32Array
    fromFloat64Array fromMatrix`,
  DOMMatrixReadOnly: `
    constructor a b c d e f m11 m12 m13 m14 m21 m22 m23 m24 m31 m32 m33 m34 m41 m42 m43 m44 is2D isIdentity
    flipX flipY inverse multiply rotate rotateAxisAngle rotateFromVector scale scale3d scaleNonUniform skewX
    skewY toFloat32Array toFloat64Array toJSON transformPoint translate toString fromFloat32Array
    fromFloat64Array fromMatrix`,
  DOMPoint: 'constructor x y z w fromPoint',
  DOMPointReadOnly: 'constructor x y z w matrixTransform toJSON fromPoint',
  DOMQuad: 'constructor p1 p2 p3 p4 getBounds toJSON fromQuad fromRect',
  DOMRect: 'constructor x y width height fromRect',
  DOMRectList: 'length item',
  DOMRectReadOnly: 'constructor x y width height top right bottom left toJSON fromRect',
  DOMStringList: 'length contains item',
  DOMTokenList: 'entries keys values forEach length value add contains item remove replace supports toggle toString',
  Document: `
    URL documentURI compatMode characterSet charset inputEncoding contentType doctype documentElement domain
    referrer cookie readyState title dir body head images embeds plugins links forms scripts currentScript
    defaultView anchors scrollingElement hidden visibilityState webkitVisibilityState webkitHidden wasDiscarded
    prerendering implementation fullscreenEnabled fullscreen fullscreenElement webkitIsFullScreen
    webkitFullscreenEnabled webkitFullscreenElement webkitCurrentFullScreenElement pointerLockElement
    pictureInPictureEnabled pictureInPictureElement fonts designMode styleSheets children firstElementChild lastElementChild
    childElementCount activeElement append prepend replaceChildren createComment createDocumentFragment
    createElement createElementNS createEvent createTextNode elementFromPoint elementsFromPoint getElementById
    getElementsByClassName getElementsByName getElementsByTagName getElementsByTagNameNS getSelection hasFocus
    importNode querySelector querySelectorAll adoptedStyleSheets on*`,
  DocumentFragment: `
    constructor children firstElementChild lastElementChild childElementCount append getElementById prepend
    querySelector querySelectorAll replaceChildren`,
  DocumentType: 'name publicId systemId after before remove replaceWith',
  DragEvent: 'constructor dataTransfer',
  Element: `
    namespaceURI prefix localName tagName id className classList slot attributes part innerHTML outerHTML
    scrollTop scrollLeft scrollWidth scrollHeight clientTop clientLeft clientWidth clientHeight elementTiming
    role ariaActiveDescendantElement ariaControlsElements ariaDescribedByElements ariaDetailsElements
    ariaErrorMessageElements ariaFlowToElements ariaLabelledByElements ariaAtomic ariaAutoComplete ariaBusy ariaBrailleLabel ariaBrailleRoleDescription ariaChecked
    ariaColCount ariaColIndex ariaColSpan ariaCurrent ariaDescription ariaDisabled ariaExpanded ariaHasPopup
    ariaHidden ariaInvalid ariaKeyShortcuts ariaLabel ariaLevel ariaLive ariaModal ariaMultiLine
    ariaMultiSelectable ariaOrientation ariaPlaceholder ariaPosInSet ariaPressed ariaReadOnly ariaRelevant
    ariaRequired ariaRoleDescription ariaRowCount ariaRowIndex ariaRowSpan ariaSelected ariaSetSize ariaSort
    ariaValueMax ariaValueMin ariaValueNow ariaValueText children firstElementChild lastElementChild
    childElementCount previousElementSibling nextElementSibling after animate append before checkVisibility closest
    getAnimations getAttribute getAttributeNS getAttributeNames getBoundingClientRect getClientRects getElementsByClassName
    getElementsByTagName getElementsByTagNameNS getHTML hasAttribute hasAttributeNS hasAttributes hasPointerCapture
    insertAdjacentElement insertAdjacentHTML insertAdjacentText matches prepend querySelector querySelectorAll
    remove removeAttribute removeAttributeNS replaceChildren replaceWith scroll scrollBy scrollIntoView
    scrollIntoViewIfNeeded scrollTo setAttribute setAttributeNS toggleAttribute webkitMatchesSelector
    currentCSSZoom ariaColIndexText ariaRowIndexText customElementRegistry attachShadow shadowRoot assignedSlot on*`,
  ErrorEvent: 'constructor message filename lineno colno error',
  Event: `
    constructor type target currentTarget eventPhase bubbles cancelable defaultPrevented composed timeStamp
    srcElement returnValue cancelBubble NONE CAPTURING_PHASE AT_TARGET BUBBLING_PHASE composedPath initEvent
    preventDefault stopImmediatePropagation stopPropagation`,
  EventSource: 'constructor url withCredentials readyState CONNECTING OPEN CLOSED on*',
  EventTarget: 'constructor addEventListener dispatchEvent removeEventListener',
  File: 'name webkitRelativePath',
  FileList: 'length item',
  FocusEvent: 'constructor relatedTarget',
  FontFaceSet: 'status size check on*',
  FormDataEvent: 'constructor formData',
  HTMLAnchorElement: `
    download ping rel relList referrerPolicy text coords charset name rev shape target href origin protocol
    username password host hostname port pathname search hash hreflang type toString`,
  HTMLAreaElement: `
    alt coords download shape ping rel relList referrerPolicy origin protocol username password host hostname
    port pathname search hash noHref target href toString`,
  HTMLBRElement: 'clear',
  HTMLBaseElement: 'href target',
  HTMLBodyElement: 'text link vLink aLink bgColor background on*',
  HTMLButtonElement: `
    disabled form formAction formEnctype formMethod formNoValidate formTarget name type value willValidate
    validity validationMessage labels popoverTargetAction command checkValidity reportValidity setCustomValidity`,
  HTMLCanvasElement: 'width height getContext toDataURL',
  HTMLCollection: 'length item namedItem',
  HTMLDListElement: 'compact',
  HTMLDataElement: 'value',
  HTMLDataListElement: 'options',
  HTMLDetailsElement: 'open name',
  HTMLDialogElement: 'open returnValue closedBy close requestClose show showModal',
  HTMLDirectoryElement: 'compact',
  HTMLDivElement: 'align',
  HTMLElement: `
    constructor title lang translate dir hidden inert accessKey draggable spellcheck autocapitalize contentEditable
    enterKeyHint isContentEditable inputMode offsetParent offsetTop offsetLeft offsetWidth offsetHeight popover
    innerText outerText writingSuggestions dataset autofocus tabIndex style blur click focus hidePopover
    showPopover togglePopover autocorrect on*`,
  HTMLFieldSetElement: `
    disabled form name type elements willValidate validity validationMessage checkValidity reportValidity
    setCustomValidity`,
  HTMLFontElement: 'color face size',
  HTMLFormControlsCollection: 'namedItem',
  HTMLFormElement: `
    acceptCharset action autocomplete enctype encoding method name noValidate target rel relList elements length
    checkValidity reportValidity requestSubmit reset submit`,
  HTMLHRElement: 'align color noShade size width',
  HTMLHeadingElement: 'align',
  HTMLHtmlElement: 'version',
  HTMLImageElement: `
    alt src srcset sizes crossOrigin useMap isMap width height naturalWidth naturalHeight complete currentSrc
    referrerPolicy decoding fetchPriority loading name lowsrc align hspace vspace longDesc border x y`,
  HTMLInputElement: `
    accept alt autocomplete defaultChecked checked dirName disabled form files formAction formEnctype formMethod
    formNoValidate formTarget height indeterminate list max maxLength min minLength multiple name pattern
    placeholder readOnly required size src step type defaultValue value valueAsDate valueAsNumber width
    willValidate validity validationMessage labels selectionStart selectionEnd selectionDirection align useMap
    webkitdirectory incremental popoverTargetAction checkValidity reportValidity select setCustomValidity
    setRangeText setSelectionRange stepDown stepUp`,
  HTMLLIElement: 'value type',
  HTMLLabelElement: 'form htmlFor control',
  HTMLLegendElement: 'form align',
  HTMLLinkElement: `
    href crossOrigin rel relList media hreflang type as referrerPolicy sizes fetchPriority imageSrcset
    imageSizes charset rev target integrity blocking sheet`,
  HTMLMapElement: 'name areas',
  HTMLMediaElement: 'canPlayType',
  HTMLMenuElement: 'compact',
  HTMLMetaElement: 'name httpEquiv content media scheme',
  HTMLMeterElement: 'value min max low high optimum labels',
  HTMLModElement: 'cite dateTime',
  HTMLOListElement: 'reversed start type compact',
  HTMLOptGroupElement: 'disabled label',
  HTMLOptionElement: 'disabled form label defaultSelected selected value text index',
  HTMLOptionsCollection: 'length selectedIndex add remove',
  HTMLOutputElement: `
    htmlFor form name type willValidate validity validationMessage labels checkValidity reportValidity
    setCustomValidity`,
  HTMLParagraphElement: 'align',
  HTMLPreElement: 'width',
  HTMLProgressElement: 'value max position labels',
  HTMLQuoteElement: 'cite',
  HTMLScriptElement: `
    src type noModule charset async defer crossOrigin text referrerPolicy fetchPriority event htmlFor integrity
    blocking textContent innerText supports`,
  HTMLSelectElement: `
    autocomplete disabled form multiple name required size type options length selectedOptions selectedIndex
    value willValidate validity validationMessage labels add checkValidity item namedItem remove reportValidity
    setCustomValidity`,
  HTMLSlotElement: 'name assignedElements assignedNodes',
  HTMLSourceElement: 'src type srcset sizes media width height',
  HTMLStyleElement: 'media type blocking sheet',
  HTMLTableCaptionElement: 'align',
  HTMLTableCellElement: `
    colSpan rowSpan headers cellIndex align axis height width ch chOff noWrap vAlign bgColor abbr scope`,
  HTMLTableColElement: 'span align ch chOff vAlign width',
  HTMLTableElement: `
    caption tHead tFoot tBodies rows align border frame rules summary width bgColor cellPadding cellSpacing
    createCaption createTBody createTFoot createTHead deleteCaption deleteRow deleteTFoot deleteTHead insertRow`,
  HTMLTableRowElement: 'rowIndex sectionRowIndex cells align ch chOff vAlign bgColor deleteCell insertCell',
  HTMLTableSectionElement: 'rows align ch chOff vAlign deleteRow insertRow',
  HTMLTemplateElement: 'content',
  HTMLTextAreaElement: `
    autocomplete cols dirName disabled form maxLength minLength name placeholder readOnly required rows wrap
    type defaultValue value textLength willValidate validity validationMessage labels selectionStart
    selectionEnd selectionDirection checkValidity reportValidity select setCustomValidity setRangeText
    setSelectionRange`,
  HTMLTimeElement: 'dateTime',
  HTMLTitleElement: 'text',
  HTMLUListElement: 'compact type',
  HashChangeEvent: 'constructor oldURL newURL',
  History: 'length scrollRestoration state back forward go pushState replaceState',
  IDBCursor: 'source direction key primaryKey request advance continue continuePrimaryKey delete update',
  IDBCursorWithValue: 'value',
  IDBDatabase: 'name version objectStoreNames close createObjectStore deleteObjectStore transaction on*',
  IDBFactory: 'open deleteDatabase databases cmp',
  IDBIndex: `
    name objectStore keyPath multiEntry unique count get getAll getAllKeys getKey openCursor openKeyCursor`,
  IDBKeyRange: 'lower upper lowerOpen upperOpen includes bound lowerBound only upperBound',
  IDBObjectStore: `
    name keyPath indexNames transaction autoIncrement add clear count createIndex delete deleteIndex get getAll getAllKeys
    getKey index openCursor openKeyCursor put`,
  IDBOpenDBRequest: 'on*',
  IDBRequest: 'result error source transaction readyState on*',
  IDBTransaction: 'objectStoreNames mode durability db error abort commit objectStore on*',
  IDBVersionChangeEvent: 'constructor oldVersion newVersion',
  IdleDeadline: 'didTimeout timeRemaining',
  Image: 'constructor',
  InputEvent: 'constructor data isComposing inputType dataTransfer getTargetRanges',
  IntersectionObserver: `
    constructor root rootMargin scrollMargin thresholds delay trackVisibility disconnect observe takeRecords
    unobserve`,
  IntersectionObserverEntry: `
    rootBounds boundingClientRect intersectionRect isIntersecting isVisible intersectionRatio target`,
  KeyboardEvent: `
    constructor key code location ctrlKey shiftKey altKey metaKey repeat isComposing charCode keyCode
    DOM_KEY_LOCATION_STANDARD DOM_KEY_LOCATION_LEFT DOM_KEY_LOCATION_RIGHT DOM_KEY_LOCATION_NUMPAD
    getModifierState initKeyboardEvent`,
  MediaQueryList: 'media matches on*',
  MediaQueryListEvent: 'constructor media matches',
  MessageChannel: 'constructor port1 port2',
  MessageEvent: 'constructor data origin lastEventId source ports initMessageEvent',
  MessagePort: 'postMessage start close on*',
  MimeTypeArray: 'length item namedItem',
  MouseEvent: `
    constructor screenX screenY clientX clientY ctrlKey shiftKey altKey metaKey button buttons relatedTarget
    pageX pageY x y offsetX offsetY movementX movementY fromElement toElement layerX layerY getModifierState
    initMouseEvent`,
  MutationObserver: 'constructor disconnect observe takeRecords',
  MutationRecord: `
    type target addedNodes removedNodes previousSibling nextSibling attributeName attributeNamespace oldValue`,
  NamedNodeMap: 'length item getNamedItem getNamedItemNS',
  Navigation: 'activation currentEntry',
  NavigationActivation: 'entry',
  NavigationHistoryEntry: 'url',
  Navigator: `
    vendorSub productSub vendor maxTouchPoints doNotTrack hardwareConcurrency deviceMemory cookieEnabled
    appCodeName appName appVersion platform product userAgent userAgentData language languages onLine webdriver
    plugins mimeTypes pdfViewerEnabled javaEnabled sendBeacon clipboard scheduling serviceWorker mediaDevices storage locks`,
  NavigatorUAData: 'brands mobile platform toJSON',
  Node: `
    nodeType nodeName baseURI isConnected ownerDocument parentNode parentElement childNodes firstChild lastChild
    previousSibling nextSibling nodeValue textContent ELEMENT_NODE ATTRIBUTE_NODE TEXT_NODE CDATA_SECTION_NODE
    ENTITY_REFERENCE_NODE ENTITY_NODE PROCESSING_INSTRUCTION_NODE COMMENT_NODE DOCUMENT_NODE DOCUMENT_TYPE_NODE
    DOCUMENT_FRAGMENT_NODE NOTATION_NODE DOCUMENT_POSITION_DISCONNECTED DOCUMENT_POSITION_PRECEDING
    DOCUMENT_POSITION_FOLLOWING DOCUMENT_POSITION_CONTAINS DOCUMENT_POSITION_CONTAINED_BY
    DOCUMENT_POSITION_IMPLEMENTATION_SPECIFIC appendChild cloneNode compareDocumentPosition contains getRootNode
    hasChildNodes insertBefore isDefaultNamespace isEqualNode isSameNode lookupNamespaceURI lookupPrefix
    normalize removeChild replaceChild`,
  NodeFilter: `
    FILTER_ACCEPT FILTER_REJECT FILTER_SKIP SHOW_ALL SHOW_ELEMENT SHOW_ATTRIBUTE SHOW_TEXT
    SHOW_CDATA_SECTION SHOW_ENTITY_REFERENCE SHOW_ENTITY SHOW_PROCESSING_INSTRUCTION SHOW_COMMENT SHOW_DOCUMENT
    SHOW_DOCUMENT_TYPE SHOW_DOCUMENT_FRAGMENT SHOW_NOTATION`,
  NodeList: 'entries keys values forEach length item',
  NodeRange: 'startContainer endContainer',
  Option: 'constructor',
  PageTransitionEvent: 'constructor persisted',
  Path2D: `
    constructor addPath closePath moveTo lineTo bezierCurveTo quadraticCurveTo arc arcTo ellipse rect roundRect`,
  Performance: 'now mark clearMarks clearMeasures',
  PluginArray: 'length item namedItem',
  PointerEvent: `
    constructor pointerId width height pressure tiltX tiltY azimuthAngle altitudeAngle tangentialPressure twist
    pointerType isPrimary getPredictedEvents getCoalescedEvents`,
  PopStateEvent: 'constructor state hasUAVisualTransition',
  ProgressEvent: 'constructor lengthComputable loaded total',
  PromiseRejectionEvent: 'constructor promise reason',
  RadioNodeList: 'value',
  ReadableStream: 'constructor locked cancel getReader values',
  ReadableStreamDefaultController: 'desiredSize close enqueue error',
  ReadableStreamDefaultReader: 'constructor closed cancel read releaseLock',
  ResizeObserver: 'constructor disconnect observe unobserve',
  ResizeObserverEntry: 'target contentRect contentBoxSize borderBoxSize devicePixelContentBoxSize',
  ResizeObserverSize: 'inlineSize blockSize',
  SVGAnimatedString: 'baseVal animVal',
  SVGElement: 'className ownerSVGElement viewportElement dataset autofocus tabIndex style blur focus on*',
  SVGGeometryElement: 'getPointAtLength getTotalLength isPointInFill isPointInStroke',
  SVGGraphicsElement: 'nearestViewportElement farthestViewportElement getBBox getCTM getScreenCTM',
  SVGSVGElement: 'getElementById',
  SVGTextContentElement: 'getComputedTextLength getNumberOfChars',
  Scheduler: 'postTask yield',
  Scheduling: 'isInputPending',
  Screen: 'availWidth availHeight width height colorDepth pixelDepth availLeft availTop orientation isExtended on*',
  ScreenOrientation: 'angle type on*',
  SecurityPolicyViolationEvent: `
    constructor documentURI referrer blockedURI violatedDirective effectiveDirective originalPolicy disposition
    sourceFile statusCode lineNumber columnNumber sample`,
  Selection: `
    anchorNode anchorOffset focusNode focusOffset isCollapsed rangeCount type direction baseNode baseOffset
    extentNode extentOffset collapse collapseToEnd collapseToStart containsNode deleteFromDocument empty extend
    modify removeAllRanges selectAllChildren setBaseAndExtent setPosition toString`,
  ShadowRoot: `
    mode host delegatesFocus slotAssignment clonable serializable innerHTML activeElement adoptedStyleSheets styleSheets
    elementFromPoint elementsFromPoint customElementRegistry on*`,
  Storage: 'length clear getItem key removeItem setItem',
  StorageEvent: 'constructor key oldValue newValue url storageArea initStorageEvent',
  StyleSheet: 'type href ownerNode parentStyleSheet title',
  StyleSheetList: 'length item',
  SubmitEvent: 'constructor submitter',
  SubtleCrypto: 'digest',
  Text: 'constructor wholeText splitText assignedSlot',
  TextDecoder: 'constructor encoding fatal ignoreBOM decode',
  TextEncoder: 'constructor encoding encode encodeInto',
  TextMetrics: `
    width actualBoundingBoxLeft actualBoundingBoxRight actualBoundingBoxAscent actualBoundingBoxDescent
    fontBoundingBoxAscent fontBoundingBoxDescent hangingBaseline alphabeticBaseline
    ideographicBaseline`,
  TextEvent: 'data initTextEvent',
  ToggleEvent: 'constructor oldState newState source',
  Touch: `
    constructor identifier target screenX screenY clientX clientY pageX pageY radiusX radiusY rotationAngle
    force`,
  TouchEvent: 'constructor touches targetTouches changedTouches altKey metaKey ctrlKey shiftKey',
  TouchList: 'length item',
  TransitionEvent: 'constructor propertyName elapsedTime pseudoElement animation pseudoTarget',
  TrustedHTML: 'toString toJSON',
  TrustedScript: 'toString toJSON',
  TrustedScriptURL: 'toString toJSON',
  TrustedTypePolicy: 'name createHTML createScript createScriptURL',
  TrustedTypePolicyFactory: `
    createPolicy emptyHTML emptyScript isHTML isScript isScriptURL getAttributeType getPropertyType`,
  UIEvent: 'constructor view detail which initUIEvent',
  URL: `
    constructor origin protocol username password host hostname port pathname search searchParams hash href
    toJSON toString canParse parse`,
  URLSearchParams: 'constructor size append delete get getAll has set sort toString entries forEach keys values',
  ValidityState: `
    valueMissing typeMismatch patternMismatch tooLong tooShort rangeUnderflow rangeOverflow stepMismatch
    badInput customError valid`,
  VisualViewport: 'offsetLeft offsetTop pageLeft pageTop width height scale on*',
  WebKitCSSMatrix: 'constructor',
  WebKitMutationObserver: 'constructor',
  WheelEvent: `
    constructor deltaX deltaY deltaZ deltaMode wheelDeltaX wheelDeltaY wheelDelta DOM_DELTA_PIXEL DOM_DELTA_LINE
    DOM_DELTA_PAGE`,
  XMLSerializer: 'constructor serializeToString',
  window: `
    Infinity NaN undefined globalThis decodeURI decodeURIComponent encodeURI encodeURIComponent escape unescape
    eval isFinite isNaN parseFloat parseInt webkitURL window self document location history frames length top
    opener parent frameElement closed navigator clientInformation origin screen innerWidth innerHeight scrollX
    pageXOffset scrollY pageYOffset visualViewport screenX screenY screenLeft screenTop outerWidth outerHeight
    devicePixelRatio event isSecureContext crossOriginIsolated originAgentCluster scheduler performance crypto
    localStorage sessionStorage indexedDB caches cookieStore customElements navigation trustedTypes
    speechSynthesis alert confirm prompt print open atob btoa focus blur cancelAnimationFrame cancelIdleCallback
    clearInterval clearTimeout fetch getComputedStyle getSelection matchMedia queueMicrotask reportError
    requestAnimationFrame requestIdleCallback scroll scrollBy scrollTo setInterval setTimeout structuredClone
    webkitCancelAnimationFrame webkitRequestAnimationFrame on*`,
};

/** Whether a table has a member of an interface, a namespace or of `window`. */
export function hasMember(table: MemberTable, owner: string, member: string): boolean {
  if (!Object.hasOwn(table, owner)) return false;
  const names = (table[owner] as string).trim().split(/\s+/);
  return names.some(name => name === member || name === '*' || (name === 'on*' && /^on[a-z]+$/.test(member)));
}
