// What the scripts in static/js know of each other, of the page and of htmx. Read by the type checker alone
// (`make check`); it is not served.

/** What the scripts of a page share, as `window.floor`. Each part is there once its script has run. */
interface Floor {
  // prefs.js
  /** What this browser remembers under a name; null if nothing. In localStorage unless another store is named. */
  recall(name: string, store?: Storage): string | null;
  remember(name: string, value: string, store?: Storage): void;

  // page.js
  /** The house's clock, in milliseconds since 1970. */
  now(): number;
  setNow(epoch: number): void;
  /** Whether keys stake. */
  keys: boolean;

  // live.js
  /** Says something to the house; the ref of its answer, or null while the line is down. */
  send(message: Message): string | null;
  online(): boolean;

  // sound.js
  play(sound: "bell" | "card" | "chip" | "dice" | "turn" | "win"): void;

  // table.js
  /** A chip on each of these spots. */
  lay(keys: string[]): void;
  restAnew(): void;

  // spots.js
  point(target: HTMLElement | null): void;

  // kiosk-demonstration.js
  /** Puts what a template has in its place on the felt. */
  put(template: HTMLTemplateElement): void;
}

/** What a page says to the house; tables/messages.py takes it apart. */
interface Message {
  do: string;
  [part: string]: unknown;
}

/** A stake, in cents, on the spot with this key. */
interface Stake {
  key: string;
  amount: number;
}

/** A bet of the viewer's own, as the data of #wallet has it. */
interface Bet extends Stake {
  spot: string;
  carried: boolean;
  may: boolean;
}

interface Point {
  x: number;
  y: number;
}

/** What the scripts of a kiosk share, as `window.kiosk`. */
interface Kiosk {
  go(url: string): void;
  begin(): Promise<void>;
  asked(url: string, about: RequestInit): Promise<Response>;
  send(form: HTMLFormElement, button: HTMLElement | null): Promise<void>;
  /** Makes the felt as large as its place allows, within `most`. */
  fit(felt: HTMLElement, most: number): void;
  online(): boolean;
  touch(): void;
  farewell(): Promise<void>;
}

interface Window {
  floor: Floor;
  kiosk: Kiosk;
  htmx: Htmx;
  webkitAudioContext: typeof AudioContext;
}

/** The parts of htmx and its WebSocket extension that we use. */
interface Htmx {
  createWebSocket(url: string): WebSocket;
  config: { wsReconnectDelay(retries: number): number };
}
declare const htmx: Htmx;

interface SocketWrapper {
  queue: unknown[];
  reconnect(): void;
  sendImmediately(message: string, element: HTMLElement): void;
}

/** What kiosk-worker.js is in the browser: a service worker. */
interface KioskWorker {
  location: Location;
  clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", hear: (event: WorkerEvent) => void): void;
  addEventListener(type: "fetch", hear: (event: FetchEvent) => void): void;
}
interface WorkerEvent extends Event {
  waitUntil(done: Promise<unknown>): void;
}
interface FetchEvent extends WorkerEvent {
  request: Request;
  respondWith(answer: Promise<Response>): void;
}

interface OurEvents {
  "floor:news": CustomEvent<null>;
  "floor:line": CustomEvent<{ state: string }>;
  "floor:sound": CustomEvent<{ on: boolean; asked: boolean }>;
  "floor:pointed": CustomEvent<{ target: HTMLElement | null; tell(text: string, css?: string): void }>;
  "htmx:afterRequest": CustomEvent<unknown>;
  "htmx:oobBeforeSwap": CustomEvent<{ target: HTMLElement; fragment: DocumentFragment }>;
  "htmx:oobErrorNoTarget": CustomEvent<{ content: HTMLElement }>;
  "htmx:wsAfterMessage": CustomEvent<unknown>;
  "htmx:wsBeforeMessage": CustomEvent<{ message: string }>;
  "htmx:wsBeforeSend": CustomEvent<unknown>;
  "htmx:wsClose": CustomEvent<{ event: CloseEvent; socketWrapper: SocketWrapper }>;
  "htmx:wsConfigSend": CustomEvent<unknown>;
  "htmx:wsOpen": CustomEvent<{ socketWrapper: SocketWrapper }>;
}
interface DocumentEventMap extends OurEvents {}
interface HTMLElementEventMap extends OurEvents {}

// What our selectors find is HTML, unless a type says that it is part of a drawing.
interface ParentNode {
  querySelector<E extends Element = HTMLElement>(selectors: string): E | null;
  querySelectorAll<E extends Element = HTMLElement>(selectors: string): NodeListOf<E>;
}
interface Element {
  cloneNode(deep?: boolean): this;
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
}

// What our handlers hear of happens to elements.
interface EventTarget {
  closest<E extends Element = HTMLElement>(selectors: string): E | null;
  matches(selectors: string): boolean;
}

// Fields of a form by their names.
interface HTMLFormControlsCollection {
  // deno-lint-ignore no-explicit-any
  [name: string]: any;
}
