import type { MemberTable } from './members.ts';

/** Interfaces of which no member shows the real clock or real chance, or answers at a time that the page can see. */
const steadyInterfaces = `
  AsyncDisposableStack Attr BarProp ByteLengthQueuingStrategy CDATASection CSPViolationReportBody
  CSSAnimation CSSConditionRule CSSContainerRule CSSCounterStyleRule CSSFontFaceRule CSSFontFeatureValuesRule
  CSSFontPaletteValuesRule CSSFunctionDeclarations CSSFunctionDescriptors CSSFunctionRule CSSGroupingRule CSSImageValue
  CSSImportRule CSSKeyframeRule CSSKeyframesRule CSSKeywordValue CSSLayerBlockRule CSSLayerStatementRule CSSMarginRule
  CSSMathClamp CSSMathInvert CSSMathMax CSSMathMin CSSMathNegate CSSMathProduct CSSMathSum CSSMathValue
  CSSMatrixComponent CSSMediaRule CSSNamespaceRule CSSNestedDeclarations CSSNumericArray CSSNumericValue CSSPageRule
  CSSPerspective CSSPositionTryDescriptors CSSPositionTryRule CSSPositionValue CSSPropertyRule CSSPseudoElement
  CSSRotate CSSRule CSSRuleList CSSScale CSSScopeRule CSSSkew CSSSkewX CSSSkewY CSSStartingStyleRule   CSSStyleRule CSSStyleSheet CSSStyleValue CSSSupportsRule CSSTransformComponent CSSTransformValue CSSTransition
  CSSTranslate CSSUnitValue CSSUnparsedValue CSSVariableReferenceValue CSSViewTransitionRule CanvasGradient
  CanvasPattern CanvasRenderingContext2D CharacterData ClipboardEvent CommandEvent CompositionEvent
  CompressionStream ContentVisibilityAutoStateChangeEvent CountQueuingStrategy CropTarget CustomElementRegistry
  CustomEvent CustomStateSet DOMError DOMImplementation DOMMatrix DOMMatrixReadOnly DOMParser DOMPoint DOMPointReadOnly
  DOMQuad DOMRect DOMRectList DOMRectReadOnly DOMStringList DOMStringMap DOMTokenList DecompressionStream
  DisposableStack DocumentFragment DocumentType DragEvent EditContext ElementInternals ErrorEvent
  EventCounts FontFace FontFaceSet FontFaceSetLoadEvent FormData FormDataEvent FragmentDirective   HTMLAllCollection HTMLCollection HTMLElement HTMLEmbedElement HTMLFormControlsCollection HTMLFrameElement
  HTMLFrameSetElement HTMLIFrameElement HTMLMarqueeElement HTMLObjectElement HTMLOptionsCollection HTMLParamElement
  HTMLPictureElement HTMLSelectedContentElement HTMLSpanElement HTMLTrackElement HTMLUnknownElement
  HashChangeEvent Headers Highlight HighlightRegistry IDBCursor IDBCursorWithValue IDBDatabase IDBFactory IDBIndex
  IDBKeyRange IDBObjectStore IDBOpenDBRequest IDBRecord IDBRequest IDBTransaction IDBVersionChangeEvent ImageBitmap
  ImageBitmapRenderingContext ImageData InputEvent Iterator KeyframeEffect Location MathMLElement MediaError MediaList
  MessageChannel MessagePort MutationRecord NamedNodeMap NavigateEvent NavigationActivation
  NavigationCurrentEntryChangeEvent NavigationDestination NavigationPrecommitController NavigationTransition NavigatorUAData
  NodeIterator NodeList Observable OffscreenCanvasRenderingContext2D Option PageRevealEvent PageSwapEvent
  PageTransitionEvent Path2D PerformanceMark PerformanceMeasure PerformanceNavigation PerformanceObserverEntryList
  PerformanceTiming PermissionStatus Permissions PointerEvent PopStateEvent ProcessingInstruction ProgressEvent
  PromiseRejectionEvent Range ReadableByteStreamController ReadableStream ReadableStreamBYOBReader
  ReadableStreamBYOBRequest ReadableStreamDefaultController ReadableStreamDefaultReader ShadowRoot
  SnapEvent StaticRange StylePropertyMap StylePropertyMapReadOnly StyleSheet StyleSheetList SubmitEvent Subscriber
  TaskController TaskPriorityChangeEvent TaskSignal Text TextDecoderStream TextEncoderStream TextEvent TextFormat
  TextFormatUpdateEvent TextMetrics TextUpdateEvent TimeRanges ToggleEvent Touch TouchEvent TouchList TransformStream
  TransformStreamDefaultController TreeWalker TrustedHTML TrustedScript TrustedScriptURL TrustedTypePolicy
  TrustedTypePolicyFactory UIEvent URL URLPattern URLSearchParams ValidityState ViewTransition ViewTransitionTypeSet
  VisualViewport WebAssembly WebKitCSSMatrix WheelEvent WindowControlsOverlay WritableStream
  WritableStreamDefaultController WritableStreamDefaultWriter XMLDocument XMLSerializer XPathEvaluator XPathExpression
  XPathResult XSLTProcessor Origin OpaqueRange Sanitizer QuotaExceededError InterestEvent CharacterBoundsUpdateEvent PermissionsPolicy FeaturePolicy
  ScrollTimeline
  ViewTimeline XMLHttpRequestUpload KeyboardEvent MouseEvent Event AnimationEvent TransitionEvent
  MessageEvent StorageEvent CloseEvent MediaQueryListEvent SecurityPolicyViolationEvent BeforeUnloadEvent FocusEvent`;

/** Parts of SVG. Of its root element and its animations some members show the time. */
const steadySvg = `
  AElement Angle AnimatedAngle AnimatedBoolean AnimatedEnumeration AnimatedInteger AnimatedLength AnimatedLengthList
  AnimatedNumber AnimatedNumberList AnimatedPreserveAspectRatio AnimatedRect AnimatedString AnimatedTransformList
  CircleElement ClipPathElement ComponentTransferFunctionElement DefsElement DescElement Element EllipseElement
  FEBlendElement FEColorMatrixElement FEComponentTransferElement FECompositeElement FEConvolveMatrixElement
  FEDiffuseLightingElement FEDisplacementMapElement FEDistantLightElement FEDropShadowElement FEFloodElement
  FEFuncAElement FEFuncBElement FEFuncGElement FEFuncRElement FEGaussianBlurElement FEImageElement FEMergeElement
  FEMergeNodeElement FEMorphologyElement FEOffsetElement FEPointLightElement FESpecularLightingElement
  FESpotLightElement FETileElement FETurbulenceElement FilterElement ForeignObjectElement GElement GeometryElement
  GradientElement GraphicsElement ImageElement Length LengthList LineElement LinearGradientElement MPathElement
  MarkerElement MaskElement Matrix MetadataElement Number NumberList PathElement PatternElement Point PointList
  PolygonElement PolylineElement PreserveAspectRatio RadialGradientElement Rect RectElement ScriptElement StopElement
  StringList StyleElement SwitchElement SymbolElement TSpanElement TextContentElement TextElement TextPathElement
  TextPositioningElement TitleElement Transform TransformList UnitTypes UseElement ViewElement`;

/** Of these, the members that are left out show the clock or chance, or wait for a person or another thread. */
const partly: MemberTable = {
  AbortSignal: 'any timeout',
  Animation: `
    constructor effect timeline playbackRate playState replaceState pending id finished ready cancel finish pause play
    reverse updatePlaybackRate commitStyles persist rangeStart rangeEnd on*`,
  AnimationEffect: 'getTiming updateTiming',
  AnimationTimeline: 'currentTime duration',
  Array: 'fromAsync',
  ArrayBuffer: 'resize transfer transferToFixedLength',
  Atomics: 'add and compareExchange exchange isLockFree load notify or pause store sub waitAsync xor',
  BroadcastChannel: 'constructor name close on*',
  Cache: 'add addAll delete keys match matchAll put',
  CacheStorage: 'delete has keys match open',
  CSS: '*',
  CSSStyleDeclaration: 'parentRule',
  CookieStore: 'delete get getAll set on*',
  Document: `
    activeViewTransition adoptedStyleSheets alinkColor all applets ariaNotify bgColor captureEvents clear createCDATASection createProcessingInstruction customElementRegistry execCommand exitPointerLock
    featurePolicy fgColor fragmentDirective getAnimations lastModified linkColor moveBefore parseHTML parseHTMLUnsafe
    queryCommandEnabled queryCommandIndeterm queryCommandState queryCommandSupported queryCommandValue releaseEvents
    rootElement startViewTransition styleSheets timeline vlinkColor xmlEncoding xmlStandalone xmlVersion`,
  Element: `
    activeViewTransition ariaActionsElements pseudo startViewTransition animate ariaNotify ariaRelevant
    assignedSlot attachShadow computedStyleMap customElementRegistry moveBefore releasePointerCapture setHTML
    setHTMLUnsafe setPointerCapture shadowRoot webkitMatchesSelector requestPointerLock`,
  EventTarget: 'when',
  File: 'constructor lastModified lastModifiedDate',
  FinalizationRegistry: 'constructor register unregister',
  HTMLCanvasElement: 'width height getContext toBlob toDataURL',
  HTMLImageElement: 'decode',
  HTMLAnchorElement: 'attributionSrc interestForElement',
  HTMLAreaElement: 'attributionSrc interestForElement',
  HTMLInputElement: 'webkitEntries popoverTargetElement createValueRange',
  HTMLTextAreaElement: 'createValueRange',
  HTMLButtonElement: 'popoverTargetElement commandForElement interestForElement',
  HTMLLinkElement: 'disabled sheet',
  HTMLMediaElement: 'src autoplay controls controlsList crossOrigin defaultMuted loop muted preload pause volume',
  HTMLVideoElement: 'width height poster playsInline disablePictureInPicture',
  HTMLSlotElement: 'assign assignedElements assignedNodes',
  HTMLStyleElement: 'disabled sheet',
  HTMLTemplateElement: `
    shadowRootMode shadowRootDelegatesFocus shadowRootClonable shadowRootSerializable shadowRootCustomElementRegistry
    shadowRootSlotAssignment htmlFor shadowRootReferenceTarget`,
  HTMLOutputElement: 'value defaultValue',
  IntersectionObserverEntry: 'time',
  Navigation: `
    activation canGoBack canGoForward currentEntry entries back forward navigate reload transition traverseTo
    updateCurrentEntry on*`,
  NavigationHistoryEntry: 'getState index sameDocument url on*',
  Navigator: 'permissions userActivation',
  OffscreenCanvas: 'constructor width height getContext convertToBlob transferToImageBitmap on*',
  Performance: `
    mark measure clearMarks clearMeasures clearResourceTimings setResourceTimingBufferSize timeOrigin timing navigation
    toJSON getEntriesByType getEntriesByName on*`,
  PerformanceEntry: 'name entryType startTime duration toJSON',
  PerformanceObserver: 'constructor disconnect observe takeRecords supportedEntryTypes',
  Request: 'duplex isHistoryNavigation isReloadNavigation targetAddressSpace',
  RegExp: '*',
  SVGSVGElement: `
    SVG_ZOOMANDPAN_UNKNOWN SVG_ZOOMANDPAN_DISABLE SVG_ZOOMANDPAN_MAGNIFY
    x y width height currentScale currentTranslate viewBox preserveAspectRatio zoomAndPan checkEnclosure
    checkIntersection createSVGAngle createSVGLength createSVGMatrix createSVGNumber createSVGPoint createSVGRect
    createSVGTransform createSVGTransformFromMatrix deselectAll forceRedraw getEnclosureList getIntersectionList
    suspendRedraw unsuspendRedraw unsuspendRedrawAll`,
  // Workers and connections are told of by name elsewhere.
  RTCPeerConnection: 'constructor',
  SharedWorker: 'constructor port on*',
  Worker: 'constructor postMessage terminate on*',
  Selection: 'getComposedRanges',
  SubtleCrypto: `
    decrypt deriveBits deriveKey digest encrypt exportKey generateKey importKey sign supports unwrapKey verify wrapKey`,
  Crypto: 'subtle',
  CryptoKey: '*',
  Temporal: 'Now',
  UserActivation: 'hasBeenActive isActive',
  WeakRef: 'constructor deref',
  XMLHttpRequest: 'responseXML',
  window: `
    captureEvents close createImageBitmap credentialless external find locationbar menubar
    moveBy moveTo name offscreenBuffering personalbar postMessage releaseEvents resizeBy resizeTo scrollbars status
    statusbar stop styleMedia toolbar viewport`,
};

const words = (text: string): string[] => text.trim().split(/\s+/);

/**
 * Members that a snapshot does not cover, and that give the same each time a path is replayed: they show no real clock and
 * no real chance, or the page's instead, and a page is at rest only when their answers have come. A page that uses anything
 * that stands neither here nor among the understood members is not certified, also what browsers learn in the future.
 */
export const steadyMembers: MemberTable = {
  ...Object.fromEntries(
    [...words(steadyInterfaces), ...words(steadySvg).map(name => `SVG${name}`)].map(name => [name, '*']),
  ),
  ...partly,
};
