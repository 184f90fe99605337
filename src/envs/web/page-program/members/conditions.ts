import type { MemberTable } from './members.ts';

/**
 * Understood as long as a snapshot keeps or refuses the objects themselves: they hold state of their own (where a range
 * starts, how far a walker went, what a form contains), and change nothing else in the page. Documents count as well, and
 * nodes whose `ownerDocument` is not the page's.
 */
export const understoodUnlessHeld: MemberTable = {
  CanvasRenderingContext2D: 'createImageData getImageData putImageData',
  CaretPosition: 'offsetNode offset getClientRect',
  DOMImplementation: 'createDocument createDocumentType createHTMLDocument hasFeature',
  DOMParser: 'constructor parseFromString',
  DataTransfer: 'constructor dropEffect effectAllowed items types files clearData getData setData setDragImage',
  DataTransferItem: 'kind type getAsFile getAsString',
  DataTransferItemList: 'length add clear remove',
  Document: `
    createAttribute createAttributeNS createRange createNodeIterator createTreeWalker createExpression createNSResolver evaluate
    caretPositionFromPoint caretRangeFromPoint`,
  Element: 'getAttributeNode getAttributeNodeNS removeAttributeNode setAttributeNode setAttributeNodeNS',
  FileReader: `
    constructor readyState result error EMPTY LOADING DONE abort readAsArrayBuffer readAsBinaryString
    readAsDataURL readAsText on*`,
  FormData: 'constructor append delete get getAll has set entries forEach keys values',
  Headers: 'constructor append delete get getSetCookie has set entries forEach keys values',
  ImageData: 'constructor data width height colorSpace',
  Iterator: `
    constructor reduce toArray forEach some every find map filter take drop flatMap join includes from concat
    zip zipKeyed`,
  NodeIterator: 'root referenceNode pointerBeforeReferenceNode whatToShow filter detach nextNode previousNode',
  Range: `
    constructor commonAncestorContainer START_TO_START START_TO_END END_TO_END END_TO_START cloneContents
    cloneRange collapse compareBoundaryPoints comparePoint createContextualFragment deleteContents detach expand
    extractContents getBoundingClientRect getClientRects insertNode intersectsNode isPointInRange selectNode
    selectNodeContents setEnd setEndAfter setEndBefore setStart setStartAfter setStartBefore surroundContents
    toString`,
  Request: `
    constructor method url headers destination referrer referrerPolicy mode credentials cache redirect integrity
    keepalive signal bodyUsed arrayBuffer blob clone formData json text bytes`,
  Response: `
    constructor type url redirected status ok statusText headers bodyUsed arrayBuffer blob clone formData
    json text bytes error redirect`,
  SVGMatrix: `
    a b c d e f flipX flipY inverse multiply rotate rotateFromVector scale scaleNonUniform skewX skewY translate`,
  SVGPoint: 'x y matrixTransform',
  SVGRect: 'x y width height',
  Selection: 'getRangeAt addRange removeRange',
  StaticRange: 'constructor',
  TreeWalker: `
    root whatToShow filter currentNode firstChild lastChild nextNode nextSibling parentNode previousNode
    previousSibling`,
  XMLHttpRequest: `
    constructor readyState withCredentials upload responseURL status statusText responseType response
    responseText UNSENT OPENED HEADERS_RECEIVED LOADING DONE abort getAllResponseHeaders getResponseHeader open
    overrideMimeType send setRequestHeader on*`,
  XMLHttpRequestEventTarget: 'on*',
  XPathEvaluator: 'constructor createExpression createNSResolver evaluate',
  XPathExpression: 'evaluate',
  XPathResult: `
    resultType numberValue stringValue booleanValue singleNodeValue invalidIteratorState snapshotLength ANY_TYPE
    NUMBER_TYPE STRING_TYPE BOOLEAN_TYPE UNORDERED_NODE_ITERATOR_TYPE ORDERED_NODE_ITERATOR_TYPE
    UNORDERED_NODE_SNAPSHOT_TYPE ORDERED_NODE_SNAPSHOT_TYPE ANY_UNORDERED_NODE_TYPE FIRST_ORDERED_NODE_TYPE
    iterateNext snapshotItem`,
};

/** Understood when read. Writing changes what no snapshot keeps. */
export const understoodWhenRead: MemberTable = {
  DOMMatrix: 'a b c d e f m11 m12 m13 m14 m21 m22 m23 m24 m31 m32 m33 m34 m41 m42 m43 m44',
  DOMPoint: 'x y z w',
  DOMRect: 'x y width height',
  Document: 'designMode domain',
  Element: `
    ariaActiveDescendantElement ariaControlsElements ariaDescribedByElements ariaDetailsElements
    ariaErrorMessageElements ariaFlowToElements ariaLabelledByElements`,
  HTMLInputElement: 'files',
  History: 'scrollRestoration',
  // The attribute is written later, and no observer is told.
  SVGAnimatedString: 'baseVal',
  window: 'opener',
};

/** Understood under a condition that a table cannot say. */
export const specialCased: Readonly<Record<string, string>> = {
  'Document.open': 'only while the document loads; later it replaces the document',
  'Document.write': 'only while the document loads; later it replaces the document',
  'Document.writeln': 'only while the document loads; later it replaces the document',
  'Document.close': 'only while the document loads',
  'Document.adoptNode': 'only for nodes of this document or of a template; otherwise another document loses a node',
  'Element.scrollIntoView': 'with smooth behaviour it scrolls in real time: wait for scrollend, or make it instant',
  'Element.scrollTo': 'with smooth behaviour it scrolls in real time: wait for scrollend, or make it instant',
  'EventSource.constructor': 'the stream is not part of a snapshot: only while the server sends nothing between steps',
  'EventSource.close': 'only before the snapshot: a closed stream cannot be opened again',
  'FontFaceSet.ready': 'only where the document has no fonts of its own: then it is settled at once',
  'HTMLDialogElement.returnValue': 'is no attribute: keep it with the dialog',
  'HTMLImageElement.src': 'only if a page counts as busy until its images, also detached ones, have loaded',
  'HTMLOutputElement.value': 'has a mode of its own: keep value and defaultValue with the element',
  'HTMLOutputElement.defaultValue': 'has a mode of its own: keep value and defaultValue with the element',
  'MediaQueryList.addListener': 'registers a listener: understood if it goes the way of addEventListener',
  'MediaQueryList.removeListener': 'removes a listener: understood if it goes the way of removeEventListener',
  'NavigationHistoryEntry.key': 'drawn by the browser: only of entries of this document, whose keys we draw',
  'Response.body': 'what a server sends arrives in parts: only while it comes in one',
  'XMLHttpRequest.timeout': 'only if it is 0: any other ends a request by the real clock',
  'window.name': 'is kept across documents: keep it with the storage',
  'window.postMessage':
    'only to the page itself, without transfer, and if the page counts as busy until it is delivered',
  'window.structuredClone': 'with a transfer list it empties buffers',
};
