package ecma

import "strings"

// Knowledge about a name that the file does not declare.
const (
	unknown  int8 = iota // third-party, or of the host
	language             // of the language or its usual hosts
	closed               // as language, and so are all members of its values
)

// Names of the language, TypeScript's library and the usual hosts. A program that means its own must declare or import
// it.
var globals = func() map[string]int8 {
	table := map[string]int8{}
	for _, name := range strings.Fields(`
any bigint boolean false never null number object string symbol true undefined unknown this super arguments eval NaN Infinity
Array ArrayBuffer Atomics BigInt Boolean DataView Date Error EvalError Function Intl JSON Map Math Number Object Promise
Proxy RangeError ReferenceError Reflect RegExp Set SharedArrayBuffer String Symbol SyntaxError TypeError URIError AggregateError
WeakMap WeakRef WeakSet FinalizationRegistry Int8Array Uint8Array Uint8ClampedArray Int16Array Uint16Array Int32Array
Uint32Array Float32Array Float64Array BigInt64Array BigUint64Array Iterator AsyncIterator AsyncDisposableStack DisposableStack
SuppressedError globalThis isFinite isNaN parseFloat parseInt decodeURI decodeURIComponent encodeURI encodeURIComponent escape
unescape debugger
Awaited Partial Required Readonly Record Pick Omit Exclude Extract NonNullable Parameters ConstructorParameters ReturnType
InstanceType ThisParameterType OmitThisParameter ThisType NoInfer Uppercase Lowercase Capitalize Uncapitalize ArrayLike
ReadonlyArray ReadonlyMap ReadonlySet PromiseLike PropertyKey PropertyDescriptor PropertyDescriptorMap TemplateStringsArray
Iterable IterableIterator IteratorResult AsyncIterable AsyncIterableIterator AsyncGenerator Generator GeneratorFunction
AsyncGeneratorFunction ErrorOptions ErrorConstructor ArrayBufferLike ArrayBufferView CallableFunction NewableFunction Disposable AsyncDisposable
console window document self global process require module exports Buffer __dirname __filename setTimeout setInterval
setImmediate clearTimeout clearInterval clearImmediate queueMicrotask structuredClone fetch performance crypto navigator
location history localStorage sessionStorage alert confirm prompt requestAnimationFrame cancelAnimationFrame atob btoa
AbortController AbortSignal Blob File FormData Headers Request Response URL URLSearchParams TextEncoder TextDecoder
ReadableStream WritableStream TransformStream WebSocket EventTarget CustomEvent MessageChannel
MessagePort BroadcastChannel Worker XMLHttpRequest HTMLElement NodeJS WebAssembly define describe it test expect beforeEach
afterEach beforeAll afterAll before after Deno Bun`) {
		table[name] = language
	}
	for _, name := range strings.Fields("Array ReadonlyArray Map Set WeakMap WeakSet Date RegExp Promise Uint8Array") {
		table[name] = closed
	}
	return table
}()
